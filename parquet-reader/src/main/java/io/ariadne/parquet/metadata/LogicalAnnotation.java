package io.ariadne.parquet.metadata;

import java.util.Objects;

/**
 * The logical meaning of a field, read from the logical type or from the older converted type.
 * Components that do not apply to a kind are 0, false or null.
 *
 * @param kind the kind of annotation
 * @param precision digits of a decimal
 * @param scale digits of a decimal after the point
 * @param bitWidth 8, 16, 32 or 64 for an integer
 * @param isSigned whether an integer has a sign
 * @param unit the unit of a time or timestamp
 * @param isAdjustedToUtc whether a time or timestamp is an instant rather than a local time
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

  /** Returns a decimal annotation with the precision and scale that the file states, unchecked. */
  public static LogicalAnnotation decimal(int precision, int scale) {
    return new LogicalAnnotation(LogicalKind.DECIMAL, precision, scale, 0, false, null, false);
  }

  /** Returns an integer annotation. */
  public static LogicalAnnotation integer(int bitWidth, boolean isSigned) {
    return new LogicalAnnotation(LogicalKind.INTEGER, 0, 0, bitWidth, isSigned, null, false);
  }

  /** Returns a time or timestamp annotation. */
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
