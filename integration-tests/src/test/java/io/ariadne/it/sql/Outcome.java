package io.ariadne.it.sql;

import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.SparkException;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import scala.Tuple2;
import scala.collection.Iterable;

/**
 * What a query did: rows, or the error it raised.
 *
 * @param rows printed rows, sorted; null after an error
 * @param error condition, state and message (with the query context) of the first Spark error in
 *     the chain of causes; null after rows
 * @param failure what was thrown; null after rows
 * @param plan the executed plan, also after an error; null when planning failed
 */
public record Outcome(List<String> rows, String error, Throwable failure, SparkPlan plan) {
  /** Lambdas of user-defined functions have another name after each trip to a task. */
  private static final Pattern LAMBDA = Pattern.compile("Lambda[$/][0-9a-zA-Z/]+");

  public static Outcome of(SparkSession session, String sql) {
    Dataset<Row> dataset = session.sql(sql);
    try {
      // Planned by the action, as for everybody who does not look at the plan before.
      Row[] rows = (Row[]) dataset.collect();
      return new Outcome(
          Arrays.stream(rows).map(Outcome::print).sorted().collect(Collectors.toList()),
          null,
          null,
          dataset.queryExecution().executedPlan());
    } catch (Exception e) {
      return new Outcome(null, describe(e), e, planOf(dataset));
    }
  }

  private static SparkPlan planOf(Dataset<Row> dataset) {
    try {
      return dataset.queryExecution().executedPlan();
    } catch (Exception e) {
      return null; // the query failed before it had one
    }
  }

  /** Returns whether the other query did the same; plans may differ. */
  public boolean sameAs(Outcome other) {
    return rows != null
        ? rows.equals(other.rows)
        : error.equals(other.error) && failure.getClass() == other.failure.getClass();
  }

  private static String print(Row row) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.length(); i++) {
      line.append(i == 0 ? "" : "|").append(print(row.get(i)));
    }
    return line.toString();
  }

  private static String print(Object value) {
    if (value instanceof byte[] bytes) {
      return Arrays.toString(bytes);
    }
    if (value instanceof Row struct) {
      return "{" + print(struct) + "}";
    }
    if (value instanceof Iterable<?> elements) {
      StringJoiner joined = new StringJoiner(", ", "[", "]");
      for (scala.collection.Iterator<?> each = elements.iterator(); each.hasNext(); ) {
        joined.add(print(each.next()));
      }
      return joined.toString();
    }
    if (value instanceof Tuple2<?, ?> entry) {
      return print(entry._1()) + " -> " + print(entry._2());
    }
    return String.valueOf(value);
  }

  // Spark 4 calls it getCondition, Spark 3.5 knows only this name.
  @SuppressWarnings("deprecation")
  private static String describe(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof SparkThrowable spark && spark.getErrorClass() != null) {
        String message = LAMBDA.matcher(String.valueOf(t.getMessage())).replaceAll("Lambda");
        return spark.getErrorClass() + " " + spark.getSqlState() + ": " + message;
      }
    }
    // An error that is not one of Spark's own is a bug of whoever raised it, or what Spark's code
    // gets from the JDK: show all of it but the wrapper, which repeats where it was thrown.
    StringBuilder chain = new StringBuilder();
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (!isFailedJob(t)) {
        chain.append(t).append('\n');
      }
    }
    return chain.toString();
  }

  private static boolean isFailedJob(Throwable t) {
    return t instanceof SparkException && t.getCause() != null;
  }

  @Override
  public String toString() {
    return rows != null
        ? rows.size() + " rows " + rows
        : failure.getClass().getSimpleName() + " with error " + error;
  }
}
