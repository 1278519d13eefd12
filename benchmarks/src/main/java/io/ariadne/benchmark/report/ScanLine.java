package io.ariadne.benchmark.report;

/**
 * The line of a report about the scans of one query on one engine: means over the timed runs.
 *
 * @param scans what the scans of each run have counted, by the name of Ariadne's counter
 */
record ScanLine(CountedRuns scans) {
  private static final double MEGA = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int PERCENT = 100;

  /** Returns the line; empty when no request to a storage was counted. */
  static String of(Measurement m) {
    ScanLine line = new ScanLine(new CountedRuns(m.scans));
    return line.scans.sum("requests") == 0
        ? ""
        : "%s on %s: scans sent %s%n".formatted(m.query, m.engine, line.text());
  }

  private String text() {
    long inTime = scans.sum("readAheadBytes");
    long queued = inTime + scans.sum("lateBytes");
    return "%.0f requests of %.2f MB, %.1f twice, %.1f again; %s in time, %.1f MB in vain"
            .formatted(
                scans.mean("requests"),
                scans.sum("requestedBytes") / MEGA / scans.sum("requests"),
                scans.mean("hedges"),
                scans.mean("retries"),
                queued == 0 ? "nothing" : inTime * PERCENT / queued + " % of the bytes",
                scans.mean("wastedBytes") / MEGA)
        + "; compute threads waited %.3f s"
            .formatted(scans.mean("readWaitNanos") / NANOS_PER_SECOND);
  }
}
