package io.ariadne.operator;

import io.ariadne.columnar.buffer.Memory;
import java.util.List;

/**
 * Reads a count.
 *
 * @param offset bytes of the count in a record; 64 bits
 */
record CountReader(int offset) implements AggregateReader {
  @Override
  public void read(
      AccumulatorTable records,
      int firstGroup,
      int rowCount,
      List<ColumnWriter> buffers,
      ErrorReplay replay) {
    for (int row = 0; row < rowCount; row++) {
      buffers.get(0).setLong(row, Memory.getLong(records.address(firstGroup + row) + offset));
    }
  }
}
