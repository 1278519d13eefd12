package io.ariadne.parquet.metadata;

import java.util.Objects;

/**
 * The annotation of a field, whether the file has it as logical or as the older converted type.
 * Members that a kind has not are 0, false or null.
 *
 * @param kind what it says
 * @param precision digits of a decimal
 * @param scale digits of a decimal after the point
 * @param bitWidth 8, 16, 32 or 64 for an integer
 * @param isSigned whether an integer has a sign
 * @param unit what a time or timestamp counts
 * @param isAdjustedToUtc whether a time or timestamp is an instant rather than a local clock's
 */
public record LogicalAnnotation(
    LogicalKind kind,
    int precision,
    int scale,
    int bitWidth,
    boolean isSigned,
    TimestampUnit unit,
    boolean isAdjustedToUtc) {
  /** No annotation. */
  public static final LogicalAnnotation NONE = of(LogicalKind.NONE);

  /** Checks for nulls. */
  public LogicalAnnotation {
    Objects.requireNonNull(kind, "kind is null");
  }

  /** Returns an annotation without parameters. */
  public static LogicalAnnotation of(LogicalKind kind) {
    return new LogicalAnnotation(kind, 0, 0, 0, false, null, false);
  }

  /** Returns a decimal; precision and scale are as the file says, unchecked. */
  public static LogicalAnnotation decimal(int precision, int scale) {
    return new LogicalAnnotation(LogicalKind.DECIMAL, precision, scale, 0, false, null, false);
  }

  /** Returns an integer. */
  public static LogicalAnnotation integer(int bitWidth, boolean isSigned) {
    return new LogicalAnnotation(LogicalKind.INTEGER, 0, 0, bitWidth, isSigned, null, false);
  }

  /** Returns a time or timestamp. */
  public static LogicalAnnotation temporal(
      LogicalKind kind, TimestampUnit unit, boolean isAdjustedToUtc) {
    return new LogicalAnnotation(kind, 0, 0, 0, false, unit, isAdjustedToUtc);
  }

  @Override
  public String toString() {
    return switch (kind) {
      case DECIMAL -> "DECIMAL(" + precision + "," + scale + ")";
      case INTEGER -> "INTEGER(" + bitWidth + "," + isSigned + ")";
      case TIME, TIMESTAMP -> kind + "(" + unit + "," + isAdjustedToUtc + ")";
      default -> kind.toString();
    };
  }
}
