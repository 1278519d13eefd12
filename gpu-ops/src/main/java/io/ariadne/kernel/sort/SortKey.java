package io.ariadne.kernel.sort;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;

/**
 * A column that rows are sorted by.
 *
 * @param column flat and no dictionary column, of a type for which {@link #supports} holds
 * @param direction which way
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

  /** Returns whether the key is a string, of which normalised keys hold a prefix only. */
  boolean isString() {
    return column.type().defaultPhysicalType() == PhysicalType.VIEW16;
  }
}
