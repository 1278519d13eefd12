package io.ariadne.operator.sort;

import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.sort.RowSort;
import io.ariadne.kernel.sort.SortKey;
import java.util.List;

/**
 * Describes a sort: its schema and its sort columns.
 *
 * @param schema columns of input and output
 * @param columns the sort columns, the most significant first; at least one
 */
record SortSpec(Schema schema, List<SortColumn> columns) {
  SortSpec {
    columns = List.copyOf(columns);
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("a sort needs a column to sort by");
    }
    for (SortColumn column : columns) {
      if (!SortKey.supports(schema.field(column.column()).type())) {
        throw new IllegalArgumentException("cannot sort by " + schema.field(column.column()));
      }
    }
    if (stringColumns(schema, columns) > RowSort.MAX_STRING_KEYS) {
      throw new IllegalArgumentException("cannot sort by so many strings");
    }
  }

  private static long stringColumns(Schema schema, List<SortColumn> columns) {
    return columns.stream()
        .filter(
            column ->
                schema.field(column.column()).type().defaultPhysicalType() == PhysicalType.VIEW16)
        .count();
  }
}
