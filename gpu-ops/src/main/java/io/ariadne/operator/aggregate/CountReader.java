package io.ariadne.operator.aggregate;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.operator.ErrorReplay;
import java.util.List;

/**
 * Reads a count: the number of rows less the number of rows with a null. Batches without nulls
 * update only the number of rows.
 *
 * @param rows offset in a record of the number of rows, 64 bits
 * @param nulls offset in a record of the number of rows with a null, or {@link #NONE}
 */
record CountReader(int rows, int nulls) implements RecordReader {
  /** No row can have a null. */
  static final int NONE = -1;

  /** Returns the count of a group, given the address of its record. */
  long read(long record) {
    long count = Memory.getLong(record + rows);
    return nulls == NONE ? count : count - Memory.getLong(record + nulls);
  }

  @Override
  public void read(
      AccumulatorTable records,
      GroupSelection groups,
      List<ColumnWriter> buffers,
      ErrorReplay replay) {
    for (int row = 0; row < groups.rowCount(); row++) {
      buffers.get(0).setLong(row, read(records.address(groups.group(row))));
    }
  }
}
