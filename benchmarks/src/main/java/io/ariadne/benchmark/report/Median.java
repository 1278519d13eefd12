package io.ariadne.benchmark.report;

import java.util.Collection;

/** The middle of some numbers. */
public final class Median {
  private Median() {}

  /**
   * Returns the middle one in ascending order; of an even number of values the mean of the two in
   * the middle.
   *
   * @param values at least one
   */
  public static double of(Collection<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
