package io.ariadne.kernel.sort;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelCall;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.ColumnViewLayout;
import io.ariadne.kernel.abi.SortEncodeArgsLayout;
import io.ariadne.kernel.abi.SortFlag;

/** Writes normalised keys field by field. The kernel is {@code sort/sort_encode.cuh}. */
final class SortEncodeKernel implements AutoCloseable {
  private final KernelCall call;
  private final ArgumentBlock arguments;

  SortEncodeKernel(Backend backend) {
    this.call =
        new KernelCall(
            backend,
            "sort_encode",
            SortEncodeArgsLayout.SIZE_IN_BYTES,
            SortEncodeArgsLayout.STATUS_OFFSET);
    this.arguments = call.arguments();
  }

  /**
   * Writes a field of all rows.
   *
   * @param field which
   * @param key its key; the column is in kernel memory
   * @param heaps address of the table of its heaps
   * @param words normalised keys
   * @param rowCount rows; also the distance in words between two words of a row
   */
  void encode(KeyField field, SortKey key, long heaps, MemoryBuffer words, int rowCount) {
    ColumnVector column = key.column();
    int view = SortEncodeArgsLayout.IN_OFFSET;
    long validity = column.validity() == null ? 0 : column.validity().address();
    arguments.putLong(view + ColumnViewLayout.DATA_OFFSET, column.data().address());
    arguments.putLong(view + ColumnViewLayout.VALIDITY_OFFSET, validity);
    arguments.putLong(view + ColumnViewLayout.HEAPS_OFFSET, heaps);
    arguments.putInt(view + ColumnViewLayout.KIND_OFFSET, column.physicalType().code());
    arguments.putInt(view + ColumnViewLayout.HEAP_COUNT_OFFSET, column.heaps().size());
    long word = words.address() + (long) field.word() * rowCount * Long.BYTES;
    arguments.putLong(SortEncodeArgsLayout.OUT_OFFSET, word);
    arguments.putInt(SortEncodeArgsLayout.ROWS_OFFSET, rowCount);
    arguments.putInt(SortEncodeArgsLayout.PART_OFFSET, field.part());
    arguments.putInt(SortEncodeArgsLayout.BITS_OFFSET, field.bits());
    arguments.putInt(SortEncodeArgsLayout.SHIFT_OFFSET, field.shift());
    arguments.putInt(SortEncodeArgsLayout.SKIP_OFFSET, field.skip());
    arguments.putInt(SortEncodeArgsLayout.FLAGS_OFFSET, flags(field, key.direction()));
    call.launch(rowCount);
  }

  private static int flags(KeyField field, SortDirection direction) {
    return (field.isFirst() ? SortFlag.SORT_REPLACES : 0)
        | (direction.isDescending() ? SortFlag.SORT_DESCENDING : 0)
        | (direction.areNullsLast() ? SortFlag.SORT_NULLS_LAST : 0);
  }

  @Override
  public void close() {
    call.close();
  }
}
