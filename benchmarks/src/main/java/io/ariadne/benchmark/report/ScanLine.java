package io.ariadne.benchmark.report;

import java.util.List;
import java.util.Map;

/**
 * The line of a report about the scans of one query on one engine: means over the timed runs.
 *
 * @param scans what the scans of each run have counted, by the name of Ariadne's counter
 */
record ScanLine(List<Map<String, Long>> scans) {
  private static final double MEGA = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int PERCENT = 100;

  /** Returns the line; empty when no request to a storage was counted. */
  static String of(Measurement m) {
    ScanLine line = new ScanLine(m.scans);
    return line.sum("requests") == 0
        ? ""
        : "%s on %s: scans sent %s%n".formatted(m.query, m.engine, line.text());
  }

  private long sum(String counter) {
    return scans.stream().mapToLong(scan -> scan.getOrDefault(counter, 0L)).sum();
  }

  private double mean(String counter) {
    return sum(counter) / (double) scans.size();
  }

  private String text() {
    long inTime = sum("readAheadBytes");
    long queued = inTime + sum("lateBytes");
    return "%.0f requests of %.2f MB, %.1f twice, %.1f again; %s in time, %.1f MB in vain"
            .formatted(
                mean("requests"),
                sum("requestedBytes") / MEGA / sum("requests"),
                mean("hedges"),
                mean("retries"),
                queued == 0 ? "nothing" : inTime * PERCENT / queued + " % of the bytes",
                mean("wastedBytes") / MEGA)
        + "; compute threads waited %.3f s".formatted(mean("readWaitNanos") / NANOS_PER_SECOND);
  }
}
