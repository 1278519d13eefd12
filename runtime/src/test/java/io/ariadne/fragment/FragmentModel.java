package io.ariadne.fragment;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** What fragments under test should yield, computed plainly. */
final class FragmentModel {
  private FragmentModel() {}

  /** Returns the rows of a {@link TestingSink}, in its order. */
  static long[] grouped(LongStream values, int groups) {
    Map<Long, Long> sums = new TreeMap<>();
    values.forEach(v -> sums.merge(Math.floorMod(v, (long) groups), v, Long::sum));
    return sums.entrySet().stream()
        .mapToLong(entry -> TestingSink.row(entry.getKey(), entry.getValue(), groups))
        .toArray();
  }
}
