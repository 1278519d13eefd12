package io.ariadne.kernel.sort;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelCall;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.ColumnViewLayout;
import io.ariadne.kernel.abi.SortTiesArgsLayout;
import io.ariadne.kernel.abi.TiesItemLayout;

/** Sorts rows that share their first bits. The kernel is {@code sort/sort_ties.cuh}. */
final class SortTiesKernel implements AutoCloseable {
  private final Backend backend;
  private final BufferAllocator allocator;
  private final KernelCall call;
  private final ArgumentBlock arguments;

  SortTiesKernel(Backend backend, BufferAllocator allocator) {
    this.backend = backend;
    this.allocator = allocator;
    this.call =
        new KernelCall(
            backend,
            "sort_ties",
            SortTiesArgsLayout.SIZE_IN_BYTES,
            SortTiesArgsLayout.STATUS_OFFSET);
    this.arguments = call.arguments();
  }

  /** Sets a part to compare: a part of the layout with its key, null for none, and its heaps. */
  void putPart(int index, KeyLayout.Part part, SortKey key, long heaps) {
    int item = SortTiesArgsLayout.ITEMS_OFFSET + index * SortTiesArgsLayout.ITEMS_STRIDE;
    int view = item + TiesItemLayout.STRINGS_OFFSET;
    ColumnVector column = key == null ? null : key.column();
    boolean hasNulls = column != null && column.mayHaveNulls();
    arguments.putLong(
        view + ColumnViewLayout.DATA_OFFSET, column == null ? 0 : column.data().address());
    arguments.putLong(
        view + ColumnViewLayout.VALIDITY_OFFSET, hasNulls ? column.validity().address() : 0);
    arguments.putLong(view + ColumnViewLayout.HEAPS_OFFSET, heaps);
    arguments.putInt(item + TiesItemLayout.FIRST_WORD_OFFSET, part.firstWord());
    arguments.putInt(item + TiesItemLayout.END_WORD_OFFSET, part.endWord());
    arguments.putInt(
        item + TiesItemLayout.IS_DESCENDING_OFFSET,
        key != null && key.direction().isDescending() ? 1 : 0);
  }

  /**
   * Sorts by all parts.
   *
   * @param parts how many parts
   * @param words normalised keys
   * @param packed words by which the rows are sorted
   * @param packedWords how many packed words
   * @param rowCount rows
   * @param rowNumbers the order; sorted in place
   */
  void sort(
      int parts,
      MemoryBuffer words,
      MemoryBuffer packed,
      int packedWords,
      int rowCount,
      MemoryBuffer rowNumbers) {
    arguments.putLong(SortTiesArgsLayout.WORDS_OFFSET, words.address());
    arguments.putLong(SortTiesArgsLayout.PACKED_OFFSET, packed.address());
    arguments.putLong(SortTiesArgsLayout.STRIDE_OFFSET, rowCount);
    arguments.putInt(SortTiesArgsLayout.ROWS_OFFSET, rowCount);
    arguments.putInt(SortTiesArgsLayout.PACKED_WORDS_OFFSET, packedWords);
    arguments.putInt(SortTiesArgsLayout.ITEM_COUNT_OFFSET, parts);
    long bytes = (long) rowCount * Integer.BYTES;
    try (MemoryBuffer scratch = allocator.allocate(bytes)) {
      if (backend.isBlockParallel()) {
        mergeRanges(rowNumbers, scratch, rowCount);
      } else {
        launch(rowNumbers, scratch, 1, rowCount);
      }
    }
  }

  private void mergeRanges(MemoryBuffer rowNumbers, MemoryBuffer scratch, int rowCount) {
    MemoryBuffer from = rowNumbers;
    MemoryBuffer to = scratch;
    for (long width = 1; width < rowCount; width *= 2) {
      launch(from, to, (int) width, rowCount);
      MemoryBuffer other = from;
      from = to;
      to = other;
    }
    if (from != rowNumbers) {
      backend.copy(from, rowNumbers, (long) rowCount * Integer.BYTES);
    }
  }

  private void launch(MemoryBuffer from, MemoryBuffer to, int width, int rowCount) {
    arguments.putLong(SortTiesArgsLayout.ROW_NUMBERS_OFFSET, from.address());
    arguments.putLong(SortTiesArgsLayout.SORTED_OFFSET, to.address());
    arguments.putInt(SortTiesArgsLayout.WIDTH_OFFSET, width);
    call.launch(rowCount);
  }

  @Override
  public void close() {
    call.close();
  }
}
