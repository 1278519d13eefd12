package io.ariadne.columnar.concat;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.SharedBuffer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects the string heaps of several columns as the heaps of one column, each once. Used by one
 * thread.
 */
public final class HeapUnion {
  private static final int VIEW_BYTES = 16;
  private static final int MAX_INLINE_BYTES = 12;
  private static final int HEAP_INDEX_OFFSET = 8;

  private final List<SharedBuffer> heaps = new ArrayList<>();
  private final Map<SharedBuffer, Integer> numbers = new IdentityHashMap<>();

  /**
   * Adds the heaps of a column, and changes copies of its views to the heap numbers of the union.
   *
   * @param added heaps of the column, which keeps its references to them
   * @param views address of the copies
   * @param count the number of copies
   */
  public void add(List<SharedBuffer> added, long views, int count) {
    int[] numberOf = new int[added.size()];
    boolean isSame = true;
    for (int i = 0; i < numberOf.length; i++) {
      numberOf[i] = numberOf(added.get(i));
      isSame &= numberOf[i] == i;
    }
    if (isSame) {
      return;
    }
    long end = views + (long) count * VIEW_BYTES;
    for (long view = views; view < end; view += VIEW_BYTES) {
      if (Memory.getInt(view) > MAX_INLINE_BYTES) {
        int heap = Memory.getInt(view + HEAP_INDEX_OFFSET);
        // Views under nulls are undefined.
        boolean isHeap = heap >= 0 && heap < numberOf.length;
        Memory.putInt(view + HEAP_INDEX_OFFSET, isHeap ? numberOf[heap] : 0);
      }
    }
  }

  private int numberOf(SharedBuffer heap) {
    Integer known = numbers.putIfAbsent(heap, heaps.size());
    if (known == null) {
      heaps.add(heap);
      return heaps.size() - 1;
    }
    return known;
  }

  /**
   * Returns the heaps in the order of their numbers, each with a reference that the caller owns.
   */
  public List<SharedBuffer> retained() {
    heaps.forEach(SharedBuffer::retain);
    return List.copyOf(heaps);
  }
}
