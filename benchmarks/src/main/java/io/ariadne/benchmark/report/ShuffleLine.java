package io.ariadne.benchmark.report;

import java.util.List;
import java.util.Map;

/**
 * The line of a report about the shuffles of one query on one engine: means over the timed runs.
 *
 * @param shuffles what Spark has counted in the shuffles of each run
 */
record ShuffleLine(List<Map<String, Long>> shuffles) {
  private static final double MEGA = 1e6;
  private static final double MILLIS_PER_SECOND = 1e3;

  /** Returns the line; empty when no byte came from another executor. */
  static String of(Measurement m) {
    ShuffleLine line = new ShuffleLine(m.shuffles);
    return line.sum("remoteBytes") == 0
        ? ""
        : "%s on %s: shuffles %s%n".formatted(m.query, m.engine, line.text());
  }

  private long sum(String counter) {
    return shuffles.stream().mapToLong(shuffle -> shuffle.getOrDefault(counter, 0L)).sum();
  }

  private double mean(String counter) {
    return sum(counter) / (double) shuffles.size();
  }

  private String text() {
    return "wrote %.1f MB, read %.1f MB of other executors and %.1f MB of their own, waited %.3f s"
        .formatted(
            mean("writtenBytes") / MEGA,
            mean("remoteBytes") / MEGA,
            mean("localBytes") / MEGA,
            mean("fetchWaitMillis") / MILLIS_PER_SECOND);
  }
}
