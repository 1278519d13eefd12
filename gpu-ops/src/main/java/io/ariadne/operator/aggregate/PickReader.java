package io.ariadne.operator.aggregate;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.builder.ViewBuilder;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.abi.PickState;
import io.ariadne.kernel.abi.PickedValueLayout;
import io.ariadne.operator.ErrorReplay;
import java.util.List;

/**
 * Reads picked values; null for a group without one.
 *
 * @param offset offset of the pick in a record
 * @param kind layout of the value
 * @param isFlagged whether a second buffer column tells if there was a row
 */
record PickReader(int offset, PhysicalType kind, boolean isFlagged) implements RecordReader {
  @Override
  public void read(
      AccumulatorTable records,
      GroupSelection groups,
      List<ColumnWriter> buffers,
      ErrorReplay replay) {
    ColumnWriter column = buffers.get(0);
    for (int row = 0; row < groups.rowCount(); row++) {
      long pick = records.address(groups.group(row)) + offset;
      int state = Memory.getInt(pick + PickedValueLayout.STATE_OFFSET);
      if (state != PickState.PICK_VALUE) {
        column.setNull(row);
      } else if (kind == PhysicalType.VIEW16) {
        readText(records, pick, column, row);
      } else {
        long low = Memory.getLong(pick + PickedValueLayout.LOW_OFFSET);
        column.setWide(row, low, Memory.getLong(pick + PickedValueLayout.HIGH_OFFSET));
      }
      if (isFlagged) {
        buffers.get(1).setLong(row, state == PickState.PICK_NOTHING ? 0 : 1);
      }
    }
  }

  private static void readText(AccumulatorTable records, long pick, ColumnWriter column, int row) {
    long view = pick + PickedValueLayout.LOW_OFFSET;
    int length = Memory.getInt(view);
    long bytes =
        length <= ViewBuilder.MAX_INLINE_BYTES
            ? view + Integer.BYTES
            : records.textAddress() + Memory.getLong(pick + PickedValueLayout.HIGH_OFFSET);
    column.setBytes(row, bytes, length);
  }
}
