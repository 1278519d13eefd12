package io.ariadne.parquet.schema;

import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.parquet.ValueConversion;

/**
 * How stored values become those of a column.
 *
 * @param conversion null for booleans and for bytes that become views or decimals
 * @param layout layout of the converted values
 * @param scale digits to append to decimals
 * @param calendar which calendar rules apply
 */
record LeafConversion(
    ValueConversion conversion, PhysicalType layout, int scale, CalendarUse calendar) {
  /** Which rules apply to old dates and timestamps. */
  enum CalendarUse {
    /** No rules. */
    NONE,
    /** The rules for dates. */
    DATE,
    /** The rules for timestamps. */
    TIMESTAMP,
    /** The rules for INT96 timestamps. */
    INT96
  }

  static LeafConversion of(ValueConversion conversion, PhysicalType layout) {
    return new LeafConversion(conversion, layout, 0, CalendarUse.NONE);
  }

  static LeafConversion of(ValueConversion conversion) {
    return of(conversion, conversion.result());
  }

  static LeafConversion of(ValueConversion conversion, CalendarUse calendar) {
    return new LeafConversion(conversion, conversion.result(), 0, calendar);
  }
}
