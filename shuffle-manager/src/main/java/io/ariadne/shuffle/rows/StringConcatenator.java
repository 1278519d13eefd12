package io.ariadne.shuffle.rows;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes one column of the strings of several, codes looked up: views into the same heaps when at
 * least half of these is used, else with a heap of their own. Used once, by one thread.
 */
final class StringConcatenator {
  private static final int VIEW_SHIFT = 4;
  private static final int VIEW_BYTES = 1 << VIEW_SHIFT;
  private static final int MAX_INLINE_BYTES = 12;
  private static final int HEAP_INDEX_OFFSET = 8;
  private static final int HEAP_OFFSET_OFFSET = 12;

  /** Views have 31 bits for a place in a heap. */
  private static final long MAX_HEAP_BYTES = 1L << 30;

  /** Characters are copied when they are fewer than the heaps' bytes divided by this. */
  private static final int LIVE_RATIO = 2;

  /** Characters of more heaps are copied: each costs whoever works with the column. */
  private static final int MOST_HEAPS = 32;

  private final List<Source> sources = new ArrayList<>();
  private final int rows;
  private final BufferAllocator allocator;

  /** The heaps of all sources, each once, with its number. */
  private final Map<SharedBuffer, Integer> heaps = new IdentityHashMap<>();

  private final List<SharedBuffer> heapList = new ArrayList<>();
  private long heldBytes;

  /** Where the strings of a slice are. */
  private final class Source {
    private final ColumnSlice slice;
    private final long codes;
    private final long views;
    private final long validity;
    private final long[] addresses;
    private final int[] numbers;

    Source(ColumnSlice slice) {
      ColumnVector column = slice.column();
      boolean isCoded = column.dictionary() != null;
      ColumnVector values = isCoded ? column.dictionary().entries() : column;
      this.slice = slice;
      this.codes = isCoded ? column.data().address() : 0;
      this.views = values.data().address();
      this.validity = column.validity() == null ? 0 : column.validity().address();
      int count = values.heaps().size();
      this.addresses = new long[count];
      this.numbers = new int[count];
      for (int i = 0; i < count; i++) {
        addresses[i] = values.heaps().get(i).address();
        numbers[i] = numberOf(values.heaps().get(i));
      }
    }

    /** Returns the address of a row's view, 0 for null. */
    long view(int row) {
      if (validity != 0 && !Bitmaps.isSet(validity, row)) {
        return 0;
      }
      long place = codes == 0 ? row : Memory.getInt(codes + (long) row * Integer.BYTES);
      return views + (place << VIEW_SHIFT);
    }

    long liveBytes() {
      long bytes = 0;
      for (int row = slice.first(); row < slice.first() + slice.count(); row++) {
        long view = view(row);
        int length = view == 0 ? 0 : Memory.getInt(view);
        bytes += length > MAX_INLINE_BYTES ? length : 0;
      }
      return bytes;
    }

    long address(long view) {
      return addresses[Memory.getInt(view + HEAP_INDEX_OFFSET)]
          + Memory.getInt(view + HEAP_OFFSET_OFFSET);
    }
  }

  /**
   * Prepares.
   *
   * @param slices of columns of strings
   * @param rows of all
   * @param allocator host memory
   */
  StringConcatenator(List<ColumnSlice> slices, int rows, BufferAllocator allocator) {
    this.rows = rows;
    this.allocator = allocator;
    for (ColumnSlice slice : slices) {
      if (slice.count() > 0) {
        sources.add(new Source(slice));
      }
    }
  }

  private int numberOf(SharedBuffer heap) {
    Integer known = heaps.putIfAbsent(heap, heapList.size());
    if (known != null) {
      return known;
    }
    heapList.add(heap);
    heldBytes += heap.capacityInBytes();
    return heapList.size() - 1;
  }

  /**
   * Makes the column.
   *
   * @param type of the strings
   * @param validity of the rows, or null; the column's unless this throws
   */
  ColumnVector join(DataType type, MemoryBuffer validity) {
    long live = 0;
    for (Source source : sources) {
      live += source.liveBytes();
    }
    boolean copies =
        live <= MAX_HEAP_BYTES
            && (MemoryBuffer.padded(live) < heldBytes / LIVE_RATIO || heapList.size() > MOST_HEAPS);
    MemoryBuffer views = null;
    MemoryBuffer heap = null;
    try {
      views = allocator.allocate((long) rows * VIEW_BYTES);
      heap = copies && live > 0 ? allocator.allocate(live) : null;
      if (copies) {
        copy(views, heap);
      } else {
        share(views);
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(views);
      closer.close(heap);
      closer.suppressIn(e);
      throw e;
    }
    return new ColumnVector(
        type,
        PhysicalType.VIEW16,
        rows,
        views,
        validity,
        ColumnVector.UNKNOWN_NULL_COUNT,
        copies ? copied(heap) : retained(),
        List.of());
  }

  private static List<SharedBuffer> copied(MemoryBuffer heap) {
    return heap == null ? List.of() : List.of(new SharedBuffer(heap));
  }

  private List<SharedBuffer> retained() {
    heapList.forEach(SharedBuffer::retain);
    return heapList;
  }

  /** Writes views into the same heaps; those under nulls are empty. */
  private void share(MemoryBuffer views) {
    long to = rows == 0 ? 0 : views.address();
    for (Source source : sources) {
      int end = source.slice.first() + source.slice.count();
      for (int row = source.slice.first(); row < end; row++, to += VIEW_BYTES) {
        long view = source.view(row);
        copyView(view, to);
        if (view != 0 && Memory.getInt(view) > MAX_INLINE_BYTES) {
          int number = source.numbers[Memory.getInt(view + HEAP_INDEX_OFFSET)];
          Memory.putInt(to + HEAP_INDEX_OFFSET, number);
        }
      }
    }
  }

  private static void copyView(long view, long target) {
    Memory.putLong(target, view == 0 ? 0 : Memory.getLong(view));
    Memory.putLong(target + Long.BYTES, view == 0 ? 0 : Memory.getLong(view + Long.BYTES));
  }

  /** Writes views and the characters they lead to. */
  private void copy(MemoryBuffer views, MemoryBuffer heap) {
    long to = rows == 0 ? 0 : views.address();
    long start = heap == null ? 0 : heap.address();
    int used = 0;
    for (Source source : sources) {
      int end = source.slice.first() + source.slice.count();
      for (int row = source.slice.first(); row < end; row++, to += VIEW_BYTES) {
        long view = source.view(row);
        copyView(view, to);
        int length = view == 0 ? 0 : Memory.getInt(view);
        if (length > MAX_INLINE_BYTES) {
          copyCharacters(source.address(view), start + used, length);
          Memory.putInt(to + HEAP_INDEX_OFFSET, 0);
          Memory.putInt(to + HEAP_OFFSET_OFFSET, used);
          used += length;
        }
      }
    }
  }

  /** Copies in words, of which the last may begin within the one before: most strings are short. */
  private static void copyCharacters(long from, long to, int length) {
    if (length > VIEW_BYTES << 2) {
      Memory.copy(from, to, length);
      return;
    }
    int last = length - Long.BYTES;
    for (int at = 0; at < last; at += Long.BYTES) {
      Memory.putLong(to + at, Memory.getLong(from + at));
    }
    Memory.putLong(to + last, Memory.getLong(from + last));
  }
}
