package io.ariadne.operator.aggregate;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.type.Field;
import io.ariadne.operator.OperatorContext;
import java.util.List;

/** Reads the buffer columns of one aggregate. Immutable. */
interface AggregateReader {
  /**
   * Reads the buffer columns of groups.
   *
   * @param table a complete table
   * @param groups the groups to read
   * @param fields the aggregate's buffer columns
   * @param context allocates the columns
   * @return one column per field, owned by the caller
   */
  List<ColumnVector> columns(
      AggregateTable table, GroupSelection groups, List<Field> fields, OperatorContext context);
}
