package io.ariadne.kernel.column;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.SelectRowsArgsLayout;
import io.ariadne.kernel.testing.AbstractTestKernels;
import io.ariadne.kernel.testing.KernelTestTarget;
import org.junit.jupiter.api.Test;

/** Row numbers of set bits, against a loop in plain Java. */
abstract class AbstractTestSelectRowsKernels extends AbstractTestKernels {
  private static final int[] ROWS = {0, 1, 31, 32, 33, 1023, 1025, 70_000};
  private static final int SMALLEST_BLOCK = 32;

  AbstractTestSelectRowsKernels(KernelTestTarget target) {
    super(target);
  }

  @Test
  void selectsNoneSomeAndAll() {
    for (int rows : ROWS) {
      for (double share : new double[] {0, 0.01, 0.5, 0.99, 1}) {
        check(rows, share, false);
      }
    }
  }

  @Test
  void leavesOutNulls() {
    for (int rows : ROWS) {
      check(rows, 0.7, true);
    }
  }

  @Test
  void keepsToTheWorkBudget() {
    check(MANY, 0.5, true);
    checkWork("select_rows");
  }

  private void check(int rows, double share, boolean nulls) {
    try (MemoryBuffer mask = bits(rows, share);
        MemoryBuffer validity = bits(rows, 0.9);
        MemoryBuffer indices = allocator().allocate(Math.max(1, (long) rows * Integer.BYTES))) {
      long selected = run(mask, nulls ? validity : null, indices, rows);
      long expected = 0;
      for (int row = 0; row < rows; row++) {
        if (bit(mask, row) && (!nulls || bit(validity, row))) {
          int actual = indices.getInt(expected * Integer.BYTES);
          assertEquals(row, actual, () -> "rows " + rows + " seed " + seed());
          expected++;
        }
      }
      assertEquals(expected, selected, "rows " + rows + " seed " + seed());
    }
  }

  private long run(MemoryBuffer mask, MemoryBuffer validity, MemoryBuffer indices, int rows) {
    KernelFunction kernel = backend().kernel("select_rows");
    long words = 2L + rows / ((long) Integer.SIZE * SMALLEST_BLOCK);
    try (MemoryBuffer workspace = allocator().allocateZeroed(words * Long.BYTES);
        KernelStatus status = backend().newStatus();
        ArgumentBlock arguments = new ArgumentBlock(kernel.argumentBytes())) {
      arguments.putLong(SelectRowsArgsLayout.STATUS_OFFSET, status.address());
      arguments.putLong(SelectRowsArgsLayout.MASK_OFFSET, mask.address());
      arguments.putLong(
          SelectRowsArgsLayout.VALIDITY_OFFSET, validity == null ? 0 : validity.address());
      arguments.putLong(SelectRowsArgsLayout.INDICES_OFFSET, indices.address());
      arguments.putLong(SelectRowsArgsLayout.WORKSPACE_OFFSET, workspace.address());
      arguments.putInt(SelectRowsArgsLayout.ROWS_OFFSET, rows);
      backend().launch(kernel, shape(rows), arguments);
      status.await();
      assertEquals(0, status.errorWord());
      return status.rowsOut();
    }
  }

  /** Random bits; those behind the last row are set. */
  private MemoryBuffer bits(int rows, double share) {
    MemoryBuffer buffer = allocator().allocate(Math.max(1, (rows + Byte.SIZE - 1) / Byte.SIZE));
    for (long at = 0; at < buffer.capacityInBytes() * Byte.SIZE; at++) {
      int old = at % Byte.SIZE == 0 ? 0 : buffer.getByte(at / Byte.SIZE);
      boolean isSet = at >= rows || random.nextDouble() < share;
      buffer.putByte(at / Byte.SIZE, (byte) (old | ((isSet ? 1 : 0) << (at % Byte.SIZE))));
    }
    return buffer;
  }
}
