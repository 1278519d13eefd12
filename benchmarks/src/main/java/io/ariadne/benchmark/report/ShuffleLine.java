package io.ariadne.benchmark.report;

/**
 * The line of a report about the shuffles of one query on one engine: means over the timed runs.
 *
 * @param shuffles what Spark has counted in the shuffles of each run
 */
record ShuffleLine(CountedRuns shuffles) {
  private static final double MEGA = 1e6;
  private static final double MILLIS_PER_SECOND = 1e3;

  /** Returns the line; empty when no byte came from another executor. */
  static String of(Measurement m) {
    ShuffleLine line = new ShuffleLine(new CountedRuns(m.shuffles));
    return line.shuffles.sum("remoteBytes") == 0
        ? ""
        : "%s on %s: shuffles %s%n".formatted(m.query, m.engine, line.text());
  }

  private String text() {
    return "wrote %.1f MB, read %.1f MB of other executors and %.1f MB of their own, waited %.3f s"
        .formatted(
            shuffles.mean("writtenBytes") / MEGA,
            shuffles.mean("remoteBytes") / MEGA,
            shuffles.mean("localBytes") / MEGA,
            shuffles.mean("fetchWaitMillis") / MILLIS_PER_SECOND);
  }
}
