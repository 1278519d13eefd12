package io.ariadne.parquet.column;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.parquet.CalendarRebase;
import io.ariadne.kernel.parquet.ValueConversion;
import io.ariadne.parquet.metadata.PhysicalKind;
import io.ariadne.parquet.page.PageSite;

/**
 * How the stored values of one leaf become the values of a column.
 *
 * @param site names the place for messages
 * @param kind physical type in the file
 * @param widthInBytes width of a stored value, 0 when it varies or values are bits
 * @param type logical type of the column
 * @param layout layout of the column's values
 * @param conversion from stored fixed-width values to the column's; null for booleans and for
 *     strings, which become views
 * @param scale digits to append to decimals
 * @param calendar rebases old dates and timestamps
 * @param keepsDictionary whether windows may stay dictionary-encoded
 */
public record FlatColumn(
    PageSite site,
    PhysicalKind kind,
    int widthInBytes,
    DataType type,
    PhysicalType layout,
    ValueConversion conversion,
    int scale,
    CalendarRebase calendar,
    boolean keepsDictionary) {
  /**
   * Returns whether the layout is narrower than the column's type requires. A value that does not
   * fit is then an error of the file instead of being truncated.
   */
  boolean isNarrowed() {
    return type instanceof DecimalType decimal
        && layout.widthInBytes() < decimal.defaultPhysicalType().widthInBytes();
  }
}
