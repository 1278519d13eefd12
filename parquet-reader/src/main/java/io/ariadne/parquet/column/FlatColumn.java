package io.ariadne.parquet.column;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.parquet.CalendarRebase;
import io.ariadne.kernel.parquet.ValueConversion;
import io.ariadne.parquet.metadata.PhysicalKind;
import io.ariadne.parquet.page.PageSite;

/**
 * How the values of one leaf column of a file become those of a column.
 *
 * @param site what messages name
 * @param kind how the file stores a value
 * @param widthInBytes bytes of a stored value, 0 when they vary or are bits
 * @param type logical type of the column
 * @param layout layout of the column's values
 * @param conversion from stored fixed-width values to the column's; null for booleans and for
 *     strings, which become views
 * @param scale digits that decimals get appended
 * @param calendar what becomes of old dates and timestamps
 * @param keepsDictionary whether windows may stay dictionary coded
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
   * Returns whether values are to come out narrower than the column's type asks for, so that one
   * that does not fit is an error of the file rather than cut off.
   */
  boolean isNarrowed() {
    return type instanceof DecimalType decimal
        && layout.widthInBytes() < decimal.defaultPhysicalType().widthInBytes();
  }
}
