package io.ariadne.expression;

/**
 * How {@code Double.toString} and {@code Float.toString} choose digits. Spark's casts to strings
 * and to decimals, and its rounding, depend on it.
 */
public enum FloatText {
  /** The fewest digits that distinguish a number from its neighbours: JDK 19 and later. */
  SHORTEST,
  /** Up to JDK 18: sometimes one digit more, or not the nearest number of so many digits. */
  CLASSIC;

  private static final int FIRST_WITH_SHORTEST = 19;

  /** The choice of the running JVM. */
  public static final FloatText OF_THIS_JVM =
      Runtime.version().feature() >= FIRST_WITH_SHORTEST ? SHORTEST : CLASSIC;
}
