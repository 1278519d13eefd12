package io.ariadne.it.cluster;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** What queries of the soak have to answer: Spark computes it once. Thread-safe. */
final class SoakAnswers {
  private final SparkSession session;
  private final Map<String, String> known = new ConcurrentHashMap<>();

  /**
   * Creates an empty cache.
   *
   * @param session of which this makes sessions without Ariadne
   */
  SoakAnswers(SparkSession session) {
    this.session = session;
  }

  /** Returns the answer that a query must have. */
  String of(SoakQuery query) {
    String answer = known.get(query.reference());
    if (answer == null) {
      SparkSession plain = session.newSession();
      plain.conf().set("spark.ariadne.enabled", "false");
      plain.conf().set("spark.sql.shuffle.partitions", "4");
      answer = answer(plain.sql(query.reference()), query.isOrdered());
      known.put(query.reference(), answer);
    }
    return answer;
  }

  /**
   * Runs a query and returns its answer: its rows, or if it is ordered the sums of its rows, whose
   * order this checks.
   */
  static String answer(Dataset<Row> dataset, boolean isOrdered) {
    Row[] rows = (Row[]) dataset.collect();
    if (!isOrdered) {
      return rows.length + " rows, first " + (rows.length == 0 ? "none" : rows[0].toString());
    }
    long sum = 0;
    long scrambled = 0;
    Row last = null;
    for (Row row : rows) {
      if (last != null && compare(last, row) >= 0) {
        return "not in order: " + last + " before " + row;
      }
      last = row;
      sum += row.getLong(2);
      scrambled += row.getLong(2) * (row.getLong(1) | 1);
    }
    return rows.length + " rows in order, sums " + sum + " " + scrambled;
  }

  /** Compares as {@code order by k, id} does: nulls first. */
  private static int compare(Row left, Row right) {
    if (left.isNullAt(0) != right.isNullAt(0)) {
      return left.isNullAt(0) ? -1 : 1;
    }
    int keys = left.isNullAt(0) ? 0 : Long.compare(left.getLong(0), right.getLong(0));
    return keys != 0 ? keys : Long.compare(left.getLong(1), right.getLong(1));
  }
}
