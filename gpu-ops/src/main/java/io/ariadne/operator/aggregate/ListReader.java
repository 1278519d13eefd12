package io.ariadne.operator.aggregate;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.type.Field;
import io.ariadne.operator.OperatorContext;
import java.util.List;

/**
 * Reads collected lists.
 *
 * @param collection the number of the list in the layout
 * @param asBytes whether to encode lists as Spark exchanges them
 */
record ListReader(int collection, boolean asBytes) implements AggregateReader {
  @Override
  public List<ColumnVector> columns(
      AggregateTable table, GroupSelection groups, List<Field> fields, OperatorContext context) {
    return List.of(table.lists().read(collection, groups, asBytes));
  }
}
