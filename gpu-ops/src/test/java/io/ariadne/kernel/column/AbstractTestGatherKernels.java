package io.ariadne.kernel.column;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.KernelError;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.ColumnError;
import io.ariadne.kernel.abi.ColumnViewLayout;
import io.ariadne.kernel.abi.GatherIndex;
import io.ariadne.kernel.abi.GatherRowsArgsLayout;
import io.ariadne.kernel.testing.AbstractTestKernels;
import io.ariadne.kernel.testing.KernelTestTarget;
import org.junit.jupiter.api.Test;

/** Gather of every kind against a loop in plain Java. */
abstract class AbstractTestGatherKernels extends AbstractTestKernels {
  private static final int[] ROWS = {0, 1, 31, 32, 33, 1023, 1025, 70_000};
  private static final int IN_ROWS = 500;
  private static final int BOOLEAN = 1;
  private static final int[] KINDS = {BOOLEAN, 2, 3, 4, 5, 6, 7, 8, 9};
  private static final int[] WIDTHS = {0, 1, 2, 4, 8, 16, 4, 8, 16};

  AbstractTestGatherKernels(KernelTestTarget target) {
    super(target);
  }

  @Test
  void gathersEveryKind() {
    for (int i = 0; i < KINDS.length; i++) {
      for (int rows : ROWS) {
        int[] indices = random.ints(rows, 0, IN_ROWS).toArray();
        check(KINDS[i], WIDTHS[i], indices, false, false);
      }
    }
  }

  @Test
  void gathersNullsAndNullIndices() {
    for (int i = 0; i < KINDS.length; i++) {
      for (int rows : ROWS) {
        int[] indices = random.ints(rows, 0, IN_ROWS).toArray();
        for (int row = 0; row < rows; row += 1 + random.nextInt(9)) {
          indices[row] = GatherIndex.GATHER_NULL_INDEX;
        }
        check(KINDS[i], WIDTHS[i], indices, true, true);
      }
    }
  }

  @Test
  void keepsToTheWorkBudgetOverNeighbouringRows() {
    int[] indices = new int[70_000];
    for (int row = 0; row < indices.length; row++) {
      indices[row] = row % IN_ROWS;
    }
    check(4, Integer.BYTES, indices, true, true);
    checkWork("gather_rows");
  }

  @Test
  void reportsTheFirstWrongIndex() {
    int[] indices = new int[1000];
    indices[700] = -1;
    indices[701] = IN_ROWS;
    try (MemoryBuffer in = allocator().allocateZeroed((long) IN_ROWS * Integer.BYTES);
        MemoryBuffer out = allocator().allocateZeroed((long) indices.length * Integer.BYTES)) {
      long word = run(4, in, null, indices, out, null);
      assertEquals(
          new KernelError(700, 0, ColumnError.COLUMN_ERROR_INDEX), KernelError.decode(word));
    }
  }

  private void check(int kind, int width, int[] indices, boolean nulls, boolean writesValidity) {
    int rows = indices.length;
    try (MemoryBuffer in = randomBytes(width == 0 ? bitBytes(IN_ROWS) : (long) IN_ROWS * width);
        MemoryBuffer validity = randomBytes(bitBytes(IN_ROWS));
        MemoryBuffer out =
            allocator().allocate(Math.max(1, width == 0 ? bitBytes(rows) : (long) rows * width));
        MemoryBuffer outValidity = allocator().allocate(Math.max(1, bitBytes(rows)))) {
      long word =
          run(kind, in, nulls ? validity : null, indices, out, writesValidity ? outValidity : null);
      assertEquals(0, word);
      for (int row = 0; row < rows; row++) {
        int source = indices[row];
        boolean isRow = source != GatherIndex.GATHER_NULL_INDEX;
        if (width == 0) {
          same(kind, row, isRow && bit(in, source) ? 1 : 0, bit(out, row) ? 1 : 0);
        }
        for (int b = 0; b < width; b++) {
          long expected = isRow ? in.getByte((long) source * width + b) : 0;
          same(kind, row, expected, out.getByte((long) row * width + b));
        }
        if (writesValidity) {
          boolean isValid = isRow && (!nulls || bit(validity, source));
          same(kind, row, isValid ? 1 : 0, bit(outValidity, row) ? 1 : 0);
        }
      }
    }
  }

  private void same(int kind, int row, long expected, long actual) {
    if (expected != actual) {
      assertEquals(expected, actual, "kind " + kind + " row " + row + " seed " + seed());
    }
  }

  private long run(
      int kind,
      MemoryBuffer in,
      MemoryBuffer validity,
      int[] indices,
      MemoryBuffer out,
      MemoryBuffer outValidity) {
    KernelFunction kernel = backend().kernel("gather_rows");
    try (MemoryBuffer rows =
            allocator().allocate(Math.max(1, (long) indices.length * Integer.BYTES));
        KernelStatus status = backend().newStatus();
        ArgumentBlock arguments = new ArgumentBlock(kernel.argumentBytes())) {
      for (int i = 0; i < indices.length; i++) {
        rows.putInt((long) i * Integer.BYTES, indices[i]);
      }
      int view = GatherRowsArgsLayout.IN_OFFSET;
      arguments.putLong(GatherRowsArgsLayout.STATUS_OFFSET, status.address());
      arguments.putLong(view + ColumnViewLayout.DATA_OFFSET, in.address());
      arguments.putLong(view + ColumnViewLayout.VALIDITY_OFFSET, address(validity));
      arguments.putInt(view + ColumnViewLayout.KIND_OFFSET, kind);
      arguments.putLong(GatherRowsArgsLayout.INDICES_OFFSET, rows.address());
      arguments.putLong(GatherRowsArgsLayout.OUT_OFFSET, out.address());
      arguments.putLong(GatherRowsArgsLayout.OUT_VALIDITY_OFFSET, address(outValidity));
      arguments.putInt(GatherRowsArgsLayout.ROWS_OFFSET, indices.length);
      arguments.putInt(GatherRowsArgsLayout.IN_ROWS_OFFSET, IN_ROWS);
      backend().launch(kernel, shape(indices.length), arguments);
      status.await();
      return status.errorWord();
    }
  }

  private static long bitBytes(int rows) {
    return (rows + Long.SIZE - 1) / Long.SIZE * (long) Long.BYTES;
  }
}
