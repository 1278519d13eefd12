package io.ariadne.columnar.concat;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.type.PhysicalType;
import java.util.ArrayList;
import java.util.List;

/**
 * Consecutive rows of a column.
 *
 * @param column in host memory; stays its owner's
 * @param first the first row
 * @param count the number of rows
 */
public record ColumnSlice(ColumnVector column, int first, int count) {
  /**
   * Returns the rows of a nested column that belong to the slices' rows.
   *
   * @param slices of lists, maps or structs
   * @param child number of the nested column
   */
  public static List<ColumnSlice> children(List<ColumnSlice> slices, int child) {
    List<ColumnSlice> nested = new ArrayList<>();
    for (ColumnSlice slice : slices) {
      ColumnVector column = slice.column.children().get(child);
      int start = slice.start(slice.first);
      nested.add(new ColumnSlice(column, start, slice.start(slice.first + slice.count) - start));
    }
    return nested;
  }

  /** Returns the nested row at which a row starts. */
  private int start(int row) {
    return column.physicalType() == PhysicalType.OFFSETS
        ? column.data().getInt((long) row * Integer.BYTES)
        : row;
  }

  /** Returns the layout of the first slice's values, which the caller knows to be common to all. */
  public static PhysicalType layout(List<ColumnSlice> slices) {
    return slices.get(0).column.valueLayout();
  }

  /** Returns the number of rows of all slices. */
  public static int rows(List<ColumnSlice> slices) {
    int rows = 0;
    for (ColumnSlice slice : slices) {
      rows += slice.count;
    }
    return rows;
  }
}
