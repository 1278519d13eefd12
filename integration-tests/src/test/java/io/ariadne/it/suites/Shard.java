package io.ariadne.it.suites;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * A part of the suites: they are dealt out by their recorded seconds, the longest first, each to
 * the shard that has least so far.
 *
 * @param number from 1
 * @param count of shards
 */
record Shard(int number, int count) {
  Shard {
    if (number < 1 || number > count) {
      throw new IllegalArgumentException("shard " + number + " of " + count);
    }
  }

  static Shard parse(String text) {
    String[] parts = text.split("/");
    return new Shard(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
  }

  /**
   * Returns this shard's suites.
   *
   * @param order suites come in an order that is the same for the same number
   */
  List<String> of(List<String> suites, Timings timings, long order) {
    double[] seconds = new double[count];
    List<String> ours = new ArrayList<>();
    List<String> longestFirst =
        suites.stream()
            .sorted(
                Comparator.<String>comparingDouble(timings::of)
                    .reversed()
                    .thenComparing(Comparator.naturalOrder()))
            .toList();
    for (String suite : longestFirst) {
      int least = least(seconds);
      seconds[least] += timings.of(suite);
      if (least == number - 1) {
        ours.add(suite);
      }
    }
    java.util.Collections.shuffle(ours, new Random(order));
    return ours;
  }

  private static int least(double[] seconds) {
    int least = 0;
    for (int i = 1; i < seconds.length; i++) {
      least = seconds[i] < seconds[least] ? i : least;
    }
    return least;
  }
}
