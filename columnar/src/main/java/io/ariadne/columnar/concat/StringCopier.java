package io.ariadne.columnar.concat;

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
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Copies the strings of slices, codes looked up, to one column with a heap of its own. Used once,
 * by one thread.
 */
final class StringCopier {
  private static final int VIEW_SHIFT = 4;
  private static final int VIEW_BYTES = 1 << VIEW_SHIFT;
  private static final int MAX_INLINE_BYTES = 12;
  private static final int HEAP_INDEX_OFFSET = 8;
  private static final int HEAP_OFFSET_OFFSET = 12;

  /** Views have 31 bits for an offset into a heap. */
  private static final long MAX_HEAP_BYTES = 1L << 30;

  /** Copying pays when the live characters are fewer than the heaps' bytes divided by this. */
  private static final int LIVE_RATIO = 2;

  /** Copying pays when there are more heaps: each costs every user of the column. */
  private static final int MOST_HEAPS = 32;

  private final List<Source> sources = new ArrayList<>();
  private final Set<SharedBuffer> heaps = Collections.newSetFromMap(new IdentityHashMap<>());
  private long heapBytes;
  private long liveBytes;

  /** The strings of a slice. */
  private static final class Source {
    private final ColumnSlice slice;
    private final long codes;
    private final long views;
    private final long validity;
    private final long[] addresses;

    Source(ColumnSlice slice) {
      ColumnVector column = slice.column();
      boolean isCoded = column.dictionary() != null;
      ColumnVector values = valuesOf(column);
      this.slice = slice;
      this.codes = isCoded ? column.data().address() : 0;
      this.views = values.data().address();
      this.validity = column.validity() == null ? 0 : column.validity().address();
      this.addresses = values.heaps().stream().mapToLong(SharedBuffer::address).toArray();
    }

    /** Returns the address of a row's view, 0 for null. */
    long view(int row) {
      if (validity != 0 && !Bitmaps.isSet(validity, row)) {
        return 0;
      }
      long place = codes == 0 ? row : Memory.getInt(codes + (long) row * Integer.BYTES);
      return views + (place << VIEW_SHIFT);
    }

    /** Returns the bytes of heaps that the rows use. */
    long liveBytes() {
      long bytes = 0;
      for (int row = slice.first(); row < slice.first() + slice.count(); row++) {
        long view = view(row);
        int length = view == 0 ? 0 : Memory.getInt(view);
        bytes += length > MAX_INLINE_BYTES ? length : 0;
      }
      return bytes;
    }

    /** Returns the address of the characters of a view that is not inline. */
    long characters(long view) {
      return addresses[Memory.getInt(view + HEAP_INDEX_OFFSET)]
          + Memory.getInt(view + HEAP_OFFSET_OFFSET);
    }
  }

  /**
   * Measures strings.
   *
   * @param slices of columns of strings in host memory
   */
  StringCopier(List<ColumnSlice> slices) {
    for (ColumnSlice slice : slices) {
      if (slice.count() > 0) {
        Source source = new Source(slice);
        sources.add(source);
        liveBytes += source.liveBytes();
        for (SharedBuffer heap : valuesOf(slice.column()).heaps()) {
          heapBytes += heaps.add(heap) ? heap.capacityInBytes() : 0;
        }
      }
    }
  }

  /** Returns the column with the views and heaps of a column of strings. */
  static ColumnVector valuesOf(ColumnVector column) {
    return column.dictionary() == null ? column : column.dictionary().entries();
  }

  /**
   * Returns whether to copy the characters: the rows use less than half of the heaps, or there are
   * many heaps; and one heap can take them.
   */
  boolean pays() {
    return liveBytes <= MAX_HEAP_BYTES
        && (MemoryBuffer.padded(liveBytes) < heapBytes / LIVE_RATIO || heaps.size() > MOST_HEAPS);
  }

  /**
   * Makes the column. Views under nulls are empty.
   *
   * @param type of the strings
   * @param rows of all slices
   * @param validity of the rows, or null; the column owns it unless this throws
   * @param allocator host memory
   * @return a column owned by the caller
   */
  ColumnVector copy(DataType type, int rows, MemoryBuffer validity, BufferAllocator allocator) {
    MemoryBuffer views = null;
    MemoryBuffer heap = null;
    try {
      views = allocator.allocate((long) rows * VIEW_BYTES);
      heap = liveBytes > 0 ? allocator.allocate(liveBytes) : null;
      copy(views, heap);
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
        heap == null ? List.of() : List.of(new SharedBuffer(heap)),
        List.of());
  }

  private void copy(MemoryBuffer views, MemoryBuffer heap) {
    long to = sources.isEmpty() ? 0 : views.address();
    long start = heap == null ? 0 : heap.address();
    int used = 0;
    for (Source source : sources) {
      int end = source.slice.first() + source.slice.count();
      for (int row = source.slice.first(); row < end; row++, to += VIEW_BYTES) {
        long view = source.view(row);
        copyView(view, to);
        int length = view == 0 ? 0 : Memory.getInt(view);
        if (length > MAX_INLINE_BYTES) {
          copyCharacters(source.characters(view), start + used, length);
          Memory.putInt(to + HEAP_INDEX_OFFSET, 0);
          Memory.putInt(to + HEAP_OFFSET_OFFSET, used);
          used += length;
        }
      }
    }
  }

  private static void copyView(long view, long target) {
    Memory.putLong(target, view == 0 ? 0 : Memory.getLong(view));
    Memory.putLong(target + Long.BYTES, view == 0 ? 0 : Memory.getLong(view + Long.BYTES));
  }

  /**
   * Copies at least 8 bytes. Copies short strings, which most are, in words, of which the last may
   * overlap the one before it.
   */
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
