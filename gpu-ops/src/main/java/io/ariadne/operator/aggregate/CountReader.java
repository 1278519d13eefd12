package io.ariadne.operator.aggregate;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.operator.ErrorReplay;
import java.util.List;

/**
 * Reads a count: rows less those with a null. Batches without nulls update the rows only.
 *
 * @param rows bytes of the number of rows in a record; 64 bits
 * @param nulls bytes of the number of rows with a null, or {@link #NONE}
 */
record CountReader(int rows, int nulls) implements RecordReader {
  /** There are no nulls. */
  static final int NONE = -1;

  /** Returns the count of the group with a record. */
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
