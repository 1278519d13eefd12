package io.ariadne.it.suites;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** How long suites took when they were last recorded: {@code spark-suites/seconds-LINE.tsv}. */
final class Timings {
  /** Of a suite that is not in the file: about the mean. */
  private static final double UNKNOWN = 10;

  private final Map<String, Double> seconds;

  private Timings(Map<String, Double> seconds) {
    this.seconds = seconds;
  }

  static Timings of(Map<String, Double> seconds) {
    return new Timings(Map.copyOf(seconds));
  }

  static Timings read(String line) {
    return of(
        Excludes.lines("seconds-" + line + ".tsv")
            .map(Fields::of)
            .collect(Collectors.toMap(f -> f.get(0), f -> Double.parseDouble(f.get(1)))));
  }

  boolean isRecorded(String suite) {
    return seconds.containsKey(suite);
  }

  double of(String suite) {
    return seconds.getOrDefault(suite, UNKNOWN);
  }

  double sum(List<String> suites) {
    return suites.stream().mapToDouble(this::of).sum();
  }
}
