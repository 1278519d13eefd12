package io.ariadne.benchmark.engine;

import io.ariadne.rules.partial.QueryRounds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Executes an aggregation in rounds, and measures when each result is there and how far it is from
 * the last one. Only workers that have the plugin's jar load this class.
 */
final class RoundsRun {
  private static final double NANOS_PER_SECOND = 1e9;

  private final List<QueryRounds.Result> results = new ArrayList<>();
  private final List<Double> seconds = new ArrayList<>();

  /**
   * Executes all rounds.
   *
   * @param query groups with a key in the first column and a count in the last one
   * @param rounds the most rounds
   */
  RoundsRun(Dataset<Row> query, int rounds) {
    long start = System.nanoTime();
    try (QueryRounds executed = QueryRounds.of(query, rounds)) {
      while (executed.hasNext()) {
        results.add(executed.next());
        seconds.add((System.nanoTime() - start) / NANOS_PER_SECOND);
      }
    }
  }

  /** Returns the rows of the query. */
  List<Row> rows() {
    return results.get(results.size() - 1).rows();
  }

  /**
   * Returns for each round {@code seconds} from the start, {@code share} of the input, {@code
   * groups} and {@code divergence} from the last result.
   */
  List<Map<String, Object>> report() {
    Map<Object, Double> last = distribution(rows());
    List<Map<String, Object>> report = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      Map<String, Object> round = new LinkedHashMap<>();
      round.put("seconds", seconds.get(i));
      round.put("share", results.get(i).share());
      round.put("groups", results.get(i).rows().size());
      round.put("divergence", divergence(distribution(results.get(i).rows()), last));
      report.add(round);
    }
    return report;
  }

  /** Returns the share of each key in the sum of all counts. */
  private static Map<Object, Double> distribution(List<Row> rows) {
    double sum = rows.stream().mapToLong(RoundsRun::count).sum();
    Map<Object, Double> shares = new HashMap<>();
    rows.forEach(row -> shares.put(row.get(0), count(row) / sum));
    return shares;
  }

  private static long count(Row row) {
    return row.getLong(row.length() - 1);
  }

  /**
   * Returns the Kullback-Leibler divergence in nats: of the sum over the keys of p log(p / q).
   *
   * @param some p, whose keys are keys of the other one
   * @param all q
   */
  static double divergence(Map<Object, Double> some, Map<Object, Double> all) {
    double sum = 0;
    for (Map.Entry<Object, Double> each : some.entrySet()) {
      sum += each.getValue() * Math.log(each.getValue() / all.get(each.getKey()));
    }
    return sum;
  }
}
