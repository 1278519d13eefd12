package io.ariadne.columnar.testing;

import java.util.Random;

/** Where the nulls of a random column are. */
public enum NullPattern {
  /** Nowhere. */
  NONE,
  /** Everywhere. */
  ALL,
  /** One row in eight. */
  SOME,
  /** Every second row, on average. */
  MANY,
  /** Runs of nulls and of values, dozens of rows long. */
  RUNS;

  private static final int RUN_ROWS = 48;

  /** Tears neighbouring seeds apart: their generators begin alike. */
  private static final long SCRAMBLE = 0x9E3779B97F4A7C15L;

  /** Returns whether the row is null. */
  boolean isNull(int row, long columnSeed, Random random) {
    return switch (this) {
      case NONE -> false;
      case ALL -> true;
      case SOME -> random.nextInt(8) == 0;
      case MANY -> random.nextBoolean();
      case RUNS -> new Random((columnSeed + row / RUN_ROWS) * SCRAMBLE).nextBoolean();
    };
  }
}
