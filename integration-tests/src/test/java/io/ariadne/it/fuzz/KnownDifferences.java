package io.ariadne.it.fuzz;

import java.util.List;
import java.util.function.BiPredicate;

/** Differences where Spark is wrong, or leaves open what it answers; each with its reason. */
final class KnownDifferences {
  /**
   * One of them.
   *
   * @param reason why Ariadne's answer is right as it is
   * @param matches whether a query and what came of it is a case of this
   */
  private record Known(String reason, BiPredicate<String, Verdict> matches) {}

  private static final List<Known> ALL = List.of();

  private KnownDifferences() {}

  /** Returns why a difference is none; null for one that is not known. */
  static String reason(String sql, Verdict verdict) {
    return ALL.stream()
        .filter(known -> known.matches().test(sql, verdict))
        .map(Known::reason)
        .findFirst()
        .orElse(null);
  }
}
