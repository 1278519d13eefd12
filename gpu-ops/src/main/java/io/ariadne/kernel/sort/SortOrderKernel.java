package io.ariadne.kernel.sort;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelCall;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.OrderLimit;
import io.ariadne.kernel.abi.OrderPhase;
import io.ariadne.kernel.abi.SortOrderArgsLayout;
import java.util.List;

/** Sorts row numbers by packed words. The kernel is {@code sort/sort_order.cuh}. */
final class SortOrderKernel implements AutoCloseable {
  private static final int ELEMENT_BYTES = 2 * Long.BYTES;

  private final Backend backend;
  private final BufferAllocator allocator;
  private final KernelCall call;
  private final ArgumentBlock arguments;

  SortOrderKernel(Backend backend, BufferAllocator allocator) {
    this.backend = backend;
    this.allocator = allocator;
    this.call =
        new KernelCall(
            backend,
            "sort_order",
            SortOrderArgsLayout.SIZE_IN_BYTES,
            SortOrderArgsLayout.STATUS_OFFSET);
    this.arguments = call.arguments();
  }

  /**
   * Sorts.
   *
   * @param packed words of all rows, the most significant first
   * @param words their segments
   * @param rowCount rows, at least 1
   * @param rowNumbers receives 32-bit row numbers in order
   */
  void sort(
      MemoryBuffer packed, List<PackedBits.Word> words, int rowCount, MemoryBuffer rowNumbers) {
    long elementBytes = (long) rowCount * ELEMENT_BYTES;
    int tiles = (rowCount + OrderLimit.ORDER_TILE_ROWS - 1) / OrderLimit.ORDER_TILE_ROWS;
    long countBytes = ((long) tiles * Integer.BYTES) << OrderLimit.ORDER_DIGIT_BITS;
    try (MemoryBuffer elements = allocator.allocate(elementBytes);
        MemoryBuffer sorted = allocator.allocate(elementBytes);
        MemoryBuffer counts = allocator.allocate(backend.isBlockParallel() ? countBytes : 1)) {
      arguments.putInt(SortOrderArgsLayout.ROWS_OFFSET, rowCount);
      arguments.putLong(SortOrderArgsLayout.COUNTS_OFFSET, counts.address());
      arguments.putLong(SortOrderArgsLayout.ROW_NUMBERS_OFFSET, rowNumbers.address());
      for (int w = words.size() - 1; w >= 0; w--) {
        long keys = packed.address() + (long) w * rowCount * Long.BYTES;
        arguments.putLong(SortOrderArgsLayout.KEYS_OFFSET, keys);
        arguments.putInt(SortOrderArgsLayout.BITS_OFFSET, words.get(w).bits());
        arguments.putInt(SortOrderArgsLayout.IS_FIRST_OFFSET, w == words.size() - 1 ? 1 : 0);
        sortByWord(words.get(w).bits(), rowCount, elements, sorted);
      }
    }
  }

  private void sortByWord(int bits, int rowCount, MemoryBuffer elements, MemoryBuffer sorted) {
    MemoryBuffer from = elements;
    MemoryBuffer to = sorted;
    launch(OrderPhase.ORDER_LOAD, from, to, rowCount);
    if (!backend.isBlockParallel()) {
      return;
    }
    for (int shift = 0; shift < bits; shift += OrderLimit.ORDER_DIGIT_BITS) {
      arguments.putInt(SortOrderArgsLayout.SHIFT_OFFSET, shift);
      launch(OrderPhase.ORDER_COUNT, from, to, rowCount);
      launch(OrderPhase.ORDER_PLACE, from, to, rowCount);
      launch(OrderPhase.ORDER_SCATTER, from, to, rowCount);
      MemoryBuffer other = from;
      from = to;
      to = other;
    }
    launch(OrderPhase.ORDER_STORE, from, to, rowCount);
  }

  private void launch(int phase, MemoryBuffer elements, MemoryBuffer sorted, int rowCount) {
    arguments.putInt(SortOrderArgsLayout.PHASE_OFFSET, phase);
    arguments.putLong(SortOrderArgsLayout.ELEMENTS_OFFSET, elements.address());
    arguments.putLong(SortOrderArgsLayout.SORTED_OFFSET, sorted.address());
    call.launch(rowCount);
  }

  @Override
  public void close() {
    call.close();
  }
}
