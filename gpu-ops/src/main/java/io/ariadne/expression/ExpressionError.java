package io.ariadne.expression;

/** Codes of the errors that compiled expressions raise in ANSI mode. */
public final class ExpressionError {
  /** A result does not fit its integer type. */
  public static final int ARITHMETIC_OVERFLOW = 1;

  /** A divisor is zero. */
  public static final int DIVIDE_BY_ZERO = 2;

  /** A value does not fit the type it is cast to. */
  public static final int CAST_OVERFLOW = 3;

  /** A decimal has more digits than its type. */
  public static final int DECIMAL_OVERFLOW = 4;

  /**
   * A sum has more digits than its type. The error is raised when the final sum is read, so it
   * names no row.
   */
  public static final int SUM_OVERFLOW = 5;

  /** Year, month and day are not a date. */
  public static final int INVALID_DATE = 6;

  /** Origin of an expression that has no number. */
  public static final int NO_ORIGIN = -1;

  private ExpressionError() {}

  /** Returns a short text for a code. */
  public static String describe(int code) {
    return switch (code) {
      case ARITHMETIC_OVERFLOW -> "arithmetic overflow";
      case DIVIDE_BY_ZERO -> "division by zero";
      case CAST_OVERFLOW -> "value out of range in a cast";
      case DECIMAL_OVERFLOW -> "decimal out of range";
      case SUM_OVERFLOW -> "sum out of range";
      case INVALID_DATE -> "no such date";
      default -> "code " + code;
    };
  }
}
