package io.ariadne.it.golden;

import io.ariadne.bridge.ScalaCollections;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.ErrorMessageFormat;
import org.apache.spark.SparkException;
import org.apache.spark.SparkThrowable;
import org.apache.spark.SparkThrowableHelper;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Distinct;
import org.apache.spark.sql.catalyst.plans.logical.Generate;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Sample;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import org.apache.spark.sql.execution.HiveResult;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.SparkPlan;
import scala.Option;
import scala.collection.Seq;
import scala.runtime.AbstractFunction0;

/**
 * What a statement answered, in the form of Spark's recorded answers.
 *
 * @param schema the result's schema; {@code struct<>} after an error
 * @param output rows in Hive's form, sorted where the statement asks for no order, or an error's
 *     class and description
 * @param isOrdered whether the order of the rows is the statement's
 * @param plan the executed plan; null when there was none
 * @param failure the error; null when there was none
 */
record GoldenAnswer(
    String schema, String output, boolean isOrdered, SparkPlan plan, Throwable failure) {
  private static final String EMPTY_SCHEMA = "struct<>";

  /** Runs a statement. */
  static GoldenAnswer of(SparkSession session, String sql) {
    SparkPlan[] plan = new SparkPlan[1];
    try {
      Dataset<Row> dataset = session.sql(sql);
      QueryExecution execution = dataset.queryExecution();
      plan[0] = execution.executedPlan();
      List<String> rows = new ArrayList<>(rows(execution, plan[0]));
      boolean isOrdered = isOrdered(execution.analyzed());
      if (!isOrdered) {
        rows.sort(null);
      }
      return new GoldenAnswer(
          dataset.schema().catalogString(), print(rows), isOrdered, plan[0], null);
    } catch (Exception e) {
      return new GoldenAnswer(EMPTY_SCHEMA, print(describe(e)), true, plan[0], e);
    }
  }

  /** Returns whether another run answered the same. */
  boolean sameAs(GoldenAnswer other) {
    return schema.equals(other.schema) && output.equals(other.output);
  }

  /** Whether rows are recorded in the order in which they came: where Spark's suite takes it so. */
  private static boolean isOrdered(LogicalPlan plan) {
    if (plan instanceof Sort sort && sort.global()) {
      return true;
    }
    boolean losesOrder =
        plan instanceof Join
            || plan instanceof Aggregate
            || plan instanceof Generate
            || plan instanceof Sample
            || plan instanceof Distinct;
    return !losesOrder
        && ScalaCollections.<LogicalPlan>list(plan.children()).stream()
            .anyMatch(GoldenAnswer::isOrdered);
  }

  private static List<String> rows(QueryExecution execution, SparkPlan plan) {
    return ScalaCollections.list(
        SQLExecution.withNewExecutionId(
            execution,
            Option.empty(),
            new AbstractFunction0<Seq<String>>() {
              @Override
              public Seq<String> apply() {
                return HiveResult.hiveResultString(plan);
              }
            }));
  }

  private static String print(List<String> lines) {
    return String.join("\n", lines)
        .replaceAll("#\\d+", "#x")
        .replaceAll("plan_id=\\d+", "plan_id=x")
        .stripTrailing();
  }

  // Spark 4 calls it getCondition, Spark 3.5 knows only this name.
  @SuppressWarnings("deprecation")
  private static List<String> describe(Throwable e) {
    if (e instanceof SparkThrowable error && error.getErrorClass() != null) {
      return List.of(
          e.getClass().getName(), SparkThrowableHelper.getMessage(e, ErrorMessageFormat.MINIMAL()));
    }
    if (e instanceof AnalysisException analysis) {
      return List.of(e.getClass().getName(), analysis.getSimpleMessage());
    }
    return e instanceof SparkException && e.getCause() != null
        ? describe(e.getCause())
        : List.of(e.getClass().getName(), firstLine(String.valueOf(e.getMessage())));
  }

  /** The lines below name objects by their addresses. */
  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }

  @Override
  public String toString() {
    return schema + "\n" + output;
  }
}
