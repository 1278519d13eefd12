package io.ariadne.it.fuzz;

import java.util.List;
import java.util.Random;

/** Draws random values, which are the same for the same seed and index. */
final class Chance {
  private static final long SCRAMBLE = 0x9E3779B97F4A7C15L;

  private final Random random;

  private Chance(Random random) {
    this.random = random;
  }

  /**
   * Returns the chance of one query of a run.
   *
   * @param seed of the run
   * @param index of the query in it
   */
  static Chance of(long seed, long index) {
    long mixed = (seed ^ (index * SCRAMBLE)) * SCRAMBLE;
    return new Chance(new Random(mixed ^ (mixed >>> 32)));
  }

  Random random() {
    return random;
  }

  /** Returns true so many times of a hundred. */
  boolean percent(int share) {
    return random.nextInt(100) < share;
  }

  /** Returns a number from 0, below a bound. */
  int below(int bound) {
    return random.nextInt(bound);
  }

  <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  @SafeVarargs
  final <T> T pick(T... from) {
    return from[random.nextInt(from.length)];
  }
}
