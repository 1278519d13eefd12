package io.ariadne.it.fuzz;

import java.util.Random;

/** The seed of a run. */
final class FuzzSeed {
  private static final String PROPERTY = "ariadne.fuzz.queries.seed";
  private static final long USUAL = 20_261_126;

  private FuzzSeed() {}

  /**
   * Returns the seed that the system property names, a new one if it says {@code fresh}, and else
   * the one of every build, so that a change is not held up by faults that others have made.
   */
  static long get() {
    String asked = System.getProperty(PROPERTY, "");
    if (asked.equals("fresh")) {
      return new Random().nextInt(Integer.MAX_VALUE);
    }
    return asked.isEmpty() ? USUAL : Long.parseLong(asked);
  }
}
