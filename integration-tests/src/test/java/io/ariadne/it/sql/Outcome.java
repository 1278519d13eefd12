package io.ariadne.it.sql;

import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.apache.spark.SparkException;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import scala.Tuple2;
import scala.collection.Iterable;

/**
 * The result of a query: its rows, or the error that it raised.
 *
 * @param rows printed rows, sorted; null after an error
 * @param ordered the same in the order in which they came
 * @param error condition, state and message (with the query context) of the first Spark error in
 *     the chain of causes; null after rows
 * @param failure what was thrown; null after rows
 * @param plan the executed plan, also after an error; null when planning failed
 */
public record Outcome(
    List<String> rows, List<String> ordered, String error, Throwable failure, SparkPlan plan) {
  /** Lambdas of user-defined functions have another name after each trip to a task. */
  private static final Pattern LAMBDA = Pattern.compile("Lambda[$/][0-9a-zA-Z/]+");

  public static Outcome of(SparkSession session, String sql) {
    Dataset<Row> dataset = session.sql(sql);
    try {
      // Planned by the action, as for everybody who does not look at the plan before.
      Row[] rows = (Row[]) dataset.collect();
      List<String> ordered = Arrays.stream(rows).map(Outcome::print).toList();
      return new Outcome(
          ordered.stream().sorted().toList(),
          ordered,
          null,
          null,
          dataset.queryExecution().executedPlan());
    } catch (Exception | StackOverflowError e) { // some constraints grow in Spark's optimizer
      return new Outcome(null, null, describe(e), e, planOf(dataset));
    }
  }

  private static SparkPlan planOf(Dataset<Row> dataset) {
    try {
      return dataset.queryExecution().executedPlan();
    } catch (Exception | StackOverflowError e) {
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
    StringJoiner line = new StringJoiner("|");
    for (int i = 0; i < row.length(); i++) {
      Object value = row.get(i);
      line.add(value instanceof String text ? text.replace("|", "\\|") : print(value));
    }
    return line.toString();
  }

  /** Strings within others are quoted, so that values which differ have different texts. */
  private static String print(Object value) {
    if (value == null) {
      return "∅";
    }
    if (value instanceof String text) {
      return "\"" + text.replace("\"", "\\\"") + "\"";
    }
    if (value instanceof byte[] bytes) {
      return Arrays.toString(bytes);
    }
    if (value instanceof Row struct) {
      StringJoiner fields = new StringJoiner(", ", "{", "}");
      for (int i = 0; i < struct.length(); i++) {
        fields.add(print(struct.get(i)));
      }
      return fields.toString();
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

  /** Returns the condition of an error of Spark's; null when it has none. */
  // Spark 4 calls it getCondition, Spark 3.5 knows only this name.
  @SuppressWarnings("deprecation")
  public static String condition(Throwable failure) {
    return failure instanceof SparkThrowable spark ? spark.getErrorClass() : null;
  }

  private static String describe(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (condition(t) != null) {
        String message = LAMBDA.matcher(String.valueOf(t.getMessage())).replaceAll("Lambda");
        return condition(t) + " " + ((SparkThrowable) t).getSqlState() + ": " + message;
      }
    }
    // An error that is not Spark's own is a bug of its origin, or an error of the JDK in Spark's
    // code: show all of it but the wrapper, which repeats where it was thrown.
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
