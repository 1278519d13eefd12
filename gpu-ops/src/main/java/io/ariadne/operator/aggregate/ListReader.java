package io.ariadne.operator.aggregate;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.type.Field;
import io.ariadne.operator.OperatorContext;
import java.util.List;

/**
 * Reads what was collected.
 *
 * @param collection its number
 * @param asBytes whether lists are wanted as Spark exchanges them
 */
record ListReader(int collection, boolean asBytes) implements AggregateReader {
  @Override
  public List<ColumnVector> columns(
      AggregateTable table, GroupSelection groups, List<Field> fields, OperatorContext context) {
    return List.of(table.lists().read(collection, groups, asBytes));
  }
}
