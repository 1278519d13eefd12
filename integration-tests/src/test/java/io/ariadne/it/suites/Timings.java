package io.ariadne.it.suites;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How long suites took when they were last recorded, and whether plans of theirs then had nodes of
 * Ariadne's: {@code spark-suites/seconds-LINE.tsv}.
 */
final class Timings {
  /** Of a suite that is not in the file: about the mean. */
  private static final double UNKNOWN = 10;

  /** The third field of a suite whose plans had nodes of Ariadne's. */
  private static final String OURS = "ariadne";

  private final Map<String, Double> seconds;
  private final Set<String> ours;

  private Timings(Map<String, Double> seconds, Set<String> ours) {
    this.seconds = Map.copyOf(seconds);
    this.ours = Set.copyOf(ours);
  }

  static Timings of(Map<String, Double> seconds, String... ours) {
    return new Timings(seconds, Set.of(ours));
  }

  static Timings read(String line) {
    List<List<String>> records =
        Excludes.lines("seconds-" + line + ".tsv").map(Fields::of).toList();
    Set<String> ours = new HashSet<>();
    records.stream().filter(f -> f.contains(OURS)).forEach(f -> ours.add(f.get(0)));
    return new Timings(
        records.stream()
            .collect(Collectors.toMap(f -> f.get(0), f -> Double.parseDouble(f.get(1)))),
        ours);
  }

  /** Returns the suites that are recorded. */
  Set<String> suites() {
    return seconds.keySet();
  }

  /** Returns whether plans of a suite had nodes of Ariadne's. */
  boolean hasOurPlans(String suite) {
    return ours.contains(suite);
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
