package io.ariadne.operator.aggregate;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Field;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;

/** Reads the accumulators of one aggregate and writes its buffer columns. Immutable. */
interface RecordReader extends AggregateReader {
  /**
   * Writes the buffer columns of groups.
   *
   * @param records the accumulators
   * @param groups the groups to write
   * @param buffers writers of the aggregate's buffer columns
   * @param replay makes the exception of a sum that overflows
   */
  void read(
      AccumulatorTable records,
      GroupSelection groups,
      List<ColumnWriter> buffers,
      ErrorReplay replay);

  @Override
  default List<ColumnVector> columns(
      AggregateTable table, GroupSelection groups, List<Field> fields, OperatorContext context) {
    List<ColumnWriter> writers = new ArrayList<>();
    List<ColumnVector> columns = new ArrayList<>();
    try {
      for (Field field : fields) {
        writers.add(new ColumnWriter(field.type(), groups.rowCount(), context));
      }
      read(table.records(), groups, writers, context.errorReplay());
      writers.forEach(writer -> columns.add(writer.build(List.of())));
      return columns;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      columns.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    } finally {
      writers.forEach(ColumnWriter::close);
    }
  }
}
