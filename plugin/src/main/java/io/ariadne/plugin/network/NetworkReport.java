package io.ariadne.plugin.network;

import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * The text of the network check.
 *
 * @param results the ways between all pairs of executors
 */
record NetworkReport(List<PairResult> results) {
  /** Ways slower than this part of the median are pointed out. */
  private static final double SLOW = 0.5;

  private static final double MEGA = 1e6;
  private static final double NANOS_PER_MILLI = 1e6;

  static NetworkReport of(List<PairResult> results) {
    return new NetworkReport(List.copyOf(results));
  }

  /** Returns the line above those of the pairs. */
  static String header() {
    return line("from", "to", "latency", "rate", "transport");
  }

  /** Returns the line of a pair. */
  static String line(PairResult pair) {
    boolean isMeasured = pair.isMeasured();
    return line(
        pair.from(),
        pair.to(),
        isMeasured
            ? String.format(Locale.ROOT, "%.2f ms", pair.latencyNanos() / NANOS_PER_MILLI)
            : "-",
        isMeasured ? "%.0f MB/s".formatted(pair.bytesPerSecond() / MEGA) : "-",
        pair.transport());
  }

  /** Returns lines that say what to change, after the lines of all pairs. */
  String advice() {
    if (results.isEmpty()) {
      return "There is one executor only: nothing moves between executors.\n";
    }
    double median = median();
    TreeSet<String> advice = new TreeSet<>();
    for (PairResult pair : results) {
      if (!pair.advice().isEmpty()) {
        advice.add(pair.advice());
      }
      if (pair.isMeasured() && pair.bytesPerSecond() < SLOW * median) {
        advice.add(
            "the way from executor %s to executor %s is slow: the median of all is %.0f MB/s"
                .formatted(pair.from(), pair.to(), median / MEGA));
      }
    }
    StringBuilder text = new StringBuilder();
    advice.forEach(each -> text.append("- ").append(each).append('\n'));
    return text.toString();
  }

  private static String line(String from, String to, String latency, String rate, String by) {
    return "%-24s %-24s %10s %12s  %s%n".formatted(from, to, latency, rate, by);
  }

  private double median() {
    double[] rates =
        results.stream()
            .filter(PairResult::isMeasured)
            .mapToDouble(PairResult::bytesPerSecond)
            .sorted()
            .toArray();
    return rates.length == 0 ? 0 : rates[rates.length / 2];
  }
}
