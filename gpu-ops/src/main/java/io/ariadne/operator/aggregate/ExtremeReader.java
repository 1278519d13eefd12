package io.ariadne.operator.aggregate;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.operator.ErrorReplay;
import java.util.List;

/**
 * Reads a minimum, a maximum or a bitwise aggregate; null for a group without values.
 *
 * @param offset offset of the value in a record
 * @param isWide whether the value has 128 bits
 * @param isKey whether the value is a double as an ordered 64-bit key
 * @param values reads the number of values
 */
record ExtremeReader(int offset, boolean isWide, boolean isKey, CountReader values)
    implements RecordReader {
  @Override
  public void read(
      AccumulatorTable records,
      GroupSelection groups,
      List<ColumnWriter> buffers,
      ErrorReplay replay) {
    ColumnWriter column = buffers.get(0);
    for (int row = 0; row < groups.rowCount(); row++) {
      long record = records.address(groups.group(row));
      if (values.read(record) == 0) {
        column.setNull(row);
      } else if (isWide) {
        long address = record + offset;
        column.setWide(row, Memory.getLong(address), Memory.getLong(address + Long.BYTES));
      } else {
        long value = Memory.getLong(record + offset);
        column.setLong(row, isKey ? doubleBits(value) : value);
      }
    }
  }

  /** Inverts the kernels' F64_TO_KEY: negative numbers have all bits but the sign flipped. */
  private static long doubleBits(long key) {
    return key < 0 ? key ^ Long.MAX_VALUE : key;
  }
}
