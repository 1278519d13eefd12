package io.ariadne.benchmark.operators;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The results of one case.
 *
 * @param name of the case
 * @param isEqual whether the answer equals that of the host back end
 * @param seconds median of the timed runs, including the scan
 * @param rowsIn rows of the scans
 * @param bytesIn bytes of their columns, in memory
 * @param rowsOut rows of the answer
 * @param bytesOut bytes of its columns
 * @param usage calls of the back end during the median run
 */
record Measured(
    String name,
    boolean isEqual,
    double seconds,
    long rowsIn,
    long bytesIn,
    long rowsOut,
    long bytesOut,
    BackendUsage usage) {
  private static final double MEGA = 1e6;
  private static final double GIGA = 1e9;

  /** Returns the header of the lines. */
  static String header() {
    return String.format(
        Locale.ROOT,
        "%-14s %9s %9s %9s %9s %7s %9s %9s %9s %9s %9s",
        "case",
        "seconds",
        "Mrows/s",
        "MB moved",
        "GB/s",
        "of copy",
        "launches",
        "awaits",
        "allocs",
        "MB to",
        "MB from");
  }

  /** Returns the bytes of input and output, which an operator reads and writes at least. */
  long bytesMoved() {
    return bytesIn + bytesOut;
  }

  /** Returns bytes moved per nanosecond. */
  double gigabytesPerSecond() {
    return bytesMoved() / seconds / GIGA;
  }

  /** Returns the results as a line of text. */
  String line(double copyRate) {
    return String.format(
            Locale.ROOT,
            "%-14s %9.4f %9.1f %9.1f %9.2f %6.1f%% %9d %9d %9d %9.1f %9.1f",
            name,
            seconds,
            rowsIn / seconds / MEGA,
            bytesMoved() / MEGA,
            gigabytesPerSecond(),
            100 * gigabytesPerSecond() / copyRate,
            usage.launches(),
            usage.awaits(),
            usage.allocations(),
            usage.toDeviceBytes() / MEGA,
            usage.fromDeviceBytes() / MEGA)
        + (isEqual ? "" : "  DIFFERS");
  }

  /** Returns the results by their names in reports. */
  Map<String, Object> toMap(double copyRate) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", name);
    map.put("equal", isEqual);
    map.put("seconds", seconds);
    map.put("rowsIn", rowsIn);
    map.put("bytesIn", bytesIn);
    map.put("rowsOut", rowsOut);
    map.put("bytesOut", bytesOut);
    map.put("gigabytesPerSecond", gigabytesPerSecond());
    map.put("shareOfCopy", gigabytesPerSecond() / copyRate);
    map.putAll(usage.toMap());
    return map;
  }
}
