package io.ariadne.kernel.column;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.EntryMaskArgsLayout;
import io.ariadne.kernel.testing.AbstractTestKernels;
import io.ariadne.kernel.testing.KernelTestTarget;
import org.junit.jupiter.api.Test;

/** Truth values of entries by the codes of rows, against a loop in plain Java. */
abstract class AbstractTestEntryMaskKernels extends AbstractTestKernels {
  private static final int[] ROWS = {0, 1, 31, 32, 63, 64, 65, 255, 257, 1023, 70_000};

  AbstractTestEntryMaskKernels(KernelTestTarget target) {
    super(target);
  }

  @Test
  void everyRowHasTheTruthOfItsEntry() {
    for (int rows : ROWS) {
      for (int entries : new int[] {1, 2, 300, 20_000}) {
        check(rows, entries);
      }
    }
  }

  @Test
  void keepsToTheWorkBudget() {
    check(MANY, 2500);
    checkWork("entry_mask");
  }

  private void check(int rows, int entries) {
    try (MemoryBuffer codes = allocator().allocate(Math.max(1, (long) rows * Integer.BYTES));
        MemoryBuffer truths = allocator().allocate(entries);
        MemoryBuffer mask =
            allocator().allocate(Math.max(Long.BYTES, EntryMaskKernel.maskBytes(rows)))) {
      for (int entry = 0; entry < entries; entry++) {
        truths.putByte(entry, (byte) random.nextInt(2));
      }
      for (int row = 0; row < rows; row++) {
        codes.putInt((long) row * Integer.BYTES, random.nextInt(entries));
      }
      run(codes, truths, mask, rows);
      for (int row = 0; row < rows; row++) {
        boolean expected = truths.getByte(codes.getInt((long) row * Integer.BYTES)) != 0;
        assertEquals(expected, bit(mask, row), "row " + row + " of " + rows + " seed " + seed());
      }
    }
  }

  private void run(MemoryBuffer codes, MemoryBuffer truths, MemoryBuffer mask, int rows) {
    KernelFunction kernel = backend().kernel("entry_mask");
    try (KernelStatus status = backend().newStatus();
        ArgumentBlock arguments = new ArgumentBlock(kernel.argumentBytes())) {
      arguments.putLong(EntryMaskArgsLayout.STATUS_OFFSET, status.address());
      arguments.putLong(EntryMaskArgsLayout.CODES_OFFSET, codes.address());
      arguments.putLong(EntryMaskArgsLayout.TRUTHS_OFFSET, truths.address());
      arguments.putLong(EntryMaskArgsLayout.MASK_OFFSET, mask.address());
      arguments.putInt(EntryMaskArgsLayout.ROWS_OFFSET, rows);
      backend().launch(kernel, shape(rows), arguments);
      status.await();
      assertEquals(0, status.errorWord());
    }
  }
}
