package io.ariadne.kernel.sort;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;

/**
 * A column to sort rows by.
 *
 * @param column flat and not a dictionary column, of a type that {@link #supports} accepts
 * @param direction the direction
 */
public record SortKey(ColumnVector column, SortDirection direction) {
  /**
   * Returns whether columns of a type can be keys: booleans, integers, floats, decimals, dates,
   * timestamps, intervals, strings and binary values.
   */
  public static boolean supports(DataType type) {
    return switch (type.defaultPhysicalType()) {
      case BOOL, I8, I16, I32, I64, I128, F32, F64, VIEW16 -> true;
      case OFFSETS, DICTIONARY32, NONE -> false;
    };
  }

  /** Returns whether the key is a string; normalised keys have only a prefix of it. */
  boolean isString() {
    return column.type().defaultPhysicalType() == PhysicalType.VIEW16;
  }
}
