package io.ariadne.shuffle.rows;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.type.PhysicalType;
import java.util.ArrayList;
import java.util.List;

/**
 * Neighbouring rows of a column.
 *
 * @param column in host memory; stays its owner's
 * @param first the first row
 * @param count how many
 */
public record ColumnSlice(ColumnVector column, int first, int count) {
  /** Returns the rows of a nested column that belong to the slices' rows. */
  public static List<ColumnSlice> children(List<ColumnSlice> slices, int child) {
    List<ColumnSlice> nested = new ArrayList<>();
    for (ColumnSlice slice : slices) {
      ColumnVector column = slice.column.children().get(child);
      int start = slice.start(slice.first);
      nested.add(new ColumnSlice(column, start, slice.start(slice.first + slice.count) - start));
    }
    return nested;
  }

  /** Returns where the nested rows of a row start. */
  private int start(int row) {
    return column.physicalType() == PhysicalType.OFFSETS
        ? column.data().getInt((long) row * Integer.BYTES)
        : row;
  }

  /** Returns the layout of the slices' values, which is that of all of them. */
  public static PhysicalType layout(List<ColumnSlice> slices) {
    return slices.get(0).column.valueLayout();
  }

  /** Returns the rows of all slices. */
  public static int rows(List<ColumnSlice> slices) {
    int rows = 0;
    for (ColumnSlice slice : slices) {
      rows += slice.count;
    }
    return rows;
  }
}
