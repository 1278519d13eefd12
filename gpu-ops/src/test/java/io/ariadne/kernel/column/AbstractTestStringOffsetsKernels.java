package io.ariadne.kernel.column;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.KernelError;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.ColumnError;
import io.ariadne.kernel.abi.StringCharactersArgsLayout;
import io.ariadne.kernel.abi.StringOffsetsArgsLayout;
import io.ariadne.kernel.testing.AbstractTestKernels;
import io.ariadne.kernel.testing.KernelTestTarget;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Views to offsets and characters, against plain Java. */
abstract class AbstractTestStringOffsetsKernels extends AbstractTestKernels {
  private static final int[] ROWS = {0, 1, 31, 32, 33, 1023, 1025, 70_000};
  private static final int VIEW_BYTES = 16;
  private static final int INLINE_BYTES = 12;
  private static final int HEAP_BYTES = 4096;
  private static final int HEAPS = 3;
  private static final int MAX_LENGTH = 60;
  private static final int SMALLEST_BLOCK = 32;

  private int nextHeap;
  private int nextOffset;

  AbstractTestStringOffsetsKernels(KernelTestTarget target) {
    super(target);
  }

  @Test
  void makesOffsetsAndCharacters() {
    for (int rows : ROWS) {
      check(rows, false, false);
    }
  }

  @Test
  void nullRowsAreEmpty() {
    for (int rows : ROWS) {
      check(rows, true, false);
    }
  }

  /** Strings as pages hold them, each behind the one before. */
  @Test
  void copiesStringsInOrder() {
    check(MANY, false, true);
  }

  @Test
  void reportsANegativeLength() {
    try (MemoryBuffer views = allocator().allocateZeroed(100L * VIEW_BYTES);
        MemoryBuffer offsets = allocator().allocate(101L * Integer.BYTES)) {
      views.putInt(37L * VIEW_BYTES, -5);
      KernelError error = KernelError.decode(makeOffsets(views, null, offsets, 100));
      assertEquals(new KernelError(37, 0, ColumnError.COLUMN_ERROR_LENGTH), error);
    }
  }

  @Test
  void reportsCharactersBeyondTheOffsets() {
    try (MemoryBuffer views = allocator().allocateZeroed(3L * VIEW_BYTES);
        MemoryBuffer offsets = allocator().allocate(4L * Integer.BYTES)) {
      views.putInt(0, Integer.MAX_VALUE);
      views.putInt(2L * VIEW_BYTES, 1);
      KernelError error = KernelError.decode(makeOffsets(views, null, offsets, 3));
      assertEquals(new KernelError(0, 0, ColumnError.COLUMN_ERROR_OFFSET), error);
    }
  }

  /**
   * A column of random strings: some inline, the others in heaps.
   *
   * @param nulls whether some rows are null
   * @param isInOrder whether strings follow each other in the heaps; else they are anywhere
   */
  private void check(int rows, boolean nulls, boolean isInOrder) {
    MemoryBuffer[] heaps = new MemoryBuffer[HEAPS];
    for (int i = 0; i < HEAPS; i++) {
      heaps[i] = randomBytes(HEAP_BYTES);
    }
    try (MemoryBuffer heapTable = allocator().allocate((long) HEAPS * Long.BYTES);
        MemoryBuffer views = allocator().allocateZeroed(Math.max(1, (long) rows * VIEW_BYTES));
        MemoryBuffer validity = randomBytes(Math.max(Long.BYTES, rows / Byte.SIZE + Long.BYTES));
        MemoryBuffer offsets = allocator().allocate((rows + 1L) * Integer.BYTES)) {
      for (int i = 0; i < HEAPS; i++) {
        heapTable.putLong((long) i * Long.BYTES, heaps[i].address());
      }
      byte[][] strings = new byte[rows][];
      for (int row = 0; row < rows; row++) {
        byte[] string = writeView(views, row, heaps, isInOrder);
        boolean isNull =
            nulls && ((validity.getByte(row / Byte.SIZE) >>> (row % Byte.SIZE)) & 1) == 0;
        strings[row] = isNull ? new byte[0] : string;
      }
      assertEquals(0, makeOffsets(views, nulls ? validity : null, offsets, rows));
      if (rows == MANY) {
        checkWork("string_offsets", (long) rows * (VIEW_BYTES + Integer.BYTES));
      }
      String budget = isInOrder ? "string_characters" : "string_characters scattered";
      checkCharacters(strings, views, nulls ? validity : null, heapTable, offsets, budget);
    } finally {
      for (MemoryBuffer heap : heaps) {
        heap.close();
      }
    }
  }

  private void checkCharacters(
      byte[][] strings,
      MemoryBuffer views,
      MemoryBuffer validity,
      MemoryBuffer heapTable,
      MemoryBuffer offsets,
      String budget) {
    int rows = strings.length;
    int bytes = offsets.getInt((long) rows * Integer.BYTES);
    try (MemoryBuffer out = allocator().allocate(Math.max(1, bytes))) {
      copyCharacters(views, validity, heapTable, offsets, out, rows);
      if (rows == MANY) {
        long longBytes =
            Arrays.stream(strings).mapToLong(s -> s.length > INLINE_BYTES ? s.length : 0).sum();
        long bytesPerRow = VIEW_BYTES + Integer.BYTES;
        checkWork(budget, rows * bytesPerRow + longBytes + bytes);
      }
      int at = 0;
      for (int row = 0; row < rows; row++) {
        assertEquals(
            at, offsets.getInt((long) row * Integer.BYTES), "row " + row + " seed " + seed());
        for (byte character : strings[row]) {
          if (character != out.getByte(at)) {
            assertEquals(character, out.getByte(at), "row " + row + " seed " + seed());
          }
          at++;
        }
      }
      assertEquals(at, bytes);
    }
  }

  /** Writes the view of a random string and returns its characters. */
  private byte[] writeView(MemoryBuffer views, int row, MemoryBuffer[] heaps, boolean isInOrder) {
    int length = random.nextInt(4) == 0 ? random.nextInt(MAX_LENGTH) : random.nextInt(16);
    byte[] string = new byte[length];
    long view = (long) row * VIEW_BYTES;
    views.putInt(view, length);
    if (length <= INLINE_BYTES) {
      random.nextBytes(string);
      views.putBytes(view + Integer.BYTES, string, 0, length);
      return string;
    }
    int heap = random.nextInt(HEAPS);
    int offset = random.nextInt(HEAP_BYTES - length + 1);
    if (isInOrder) {
      if (nextOffset + length > HEAP_BYTES) {
        nextHeap = (nextHeap + 1) % HEAPS;
        nextOffset = 0;
      }
      heap = nextHeap;
      offset = nextOffset;
      nextOffset += length;
    }
    heaps[heap].getBytes(offset, string, 0, length);
    views.putBytes(view + Integer.BYTES, string, 0, Integer.BYTES);
    views.putInt(view + 2L * Integer.BYTES, heap);
    views.putInt(view + 3L * Integer.BYTES, offset);
    return string;
  }

  private long makeOffsets(
      MemoryBuffer views, MemoryBuffer validity, MemoryBuffer offsets, int rows) {
    KernelFunction kernel = backend().kernel("string_offsets");
    long words = 2L + rows / (4L * SMALLEST_BLOCK);
    try (MemoryBuffer workspace = allocator().allocateZeroed(words * Long.BYTES);
        KernelStatus status = backend().newStatus();
        ArgumentBlock arguments = new ArgumentBlock(kernel.argumentBytes())) {
      arguments.putLong(StringOffsetsArgsLayout.STATUS_OFFSET, status.address());
      arguments.putLong(StringOffsetsArgsLayout.VIEWS_OFFSET, views.address());
      arguments.putLong(StringOffsetsArgsLayout.VALIDITY_OFFSET, address(validity));
      arguments.putLong(StringOffsetsArgsLayout.OFFSETS_OFFSET, offsets.address());
      arguments.putLong(StringOffsetsArgsLayout.WORKSPACE_OFFSET, workspace.address());
      arguments.putInt(StringOffsetsArgsLayout.ROWS_OFFSET, rows);
      backend().launch(kernel, shape(rows), arguments);
      status.await();
      return status.errorWord();
    }
  }

  private void copyCharacters(
      MemoryBuffer views,
      MemoryBuffer validity,
      MemoryBuffer heapTable,
      MemoryBuffer offsets,
      MemoryBuffer out,
      int rows) {
    KernelFunction kernel = backend().kernel("string_characters");
    try (KernelStatus status = backend().newStatus();
        ArgumentBlock arguments = new ArgumentBlock(kernel.argumentBytes())) {
      arguments.putLong(StringCharactersArgsLayout.STATUS_OFFSET, status.address());
      arguments.putLong(StringCharactersArgsLayout.VIEWS_OFFSET, views.address());
      arguments.putLong(StringCharactersArgsLayout.VALIDITY_OFFSET, address(validity));
      arguments.putLong(StringCharactersArgsLayout.HEAPS_OFFSET, heapTable.address());
      arguments.putLong(StringCharactersArgsLayout.OFFSETS_OFFSET, offsets.address());
      arguments.putLong(StringCharactersArgsLayout.OUT_OFFSET, out.address());
      arguments.putInt(StringCharactersArgsLayout.ROWS_OFFSET, rows);
      backend().launch(kernel, shape(rows), arguments);
      status.await();
      assertEquals(0, status.errorWord());
    }
  }
}
