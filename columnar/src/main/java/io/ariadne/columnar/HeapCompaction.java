package io.ariadne.columnar;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.builder.ViewBuilder;
import io.ariadne.columnar.type.PhysicalType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Copies the characters that a column's views still use to new heaps, so that heaps that are little
 * used can be freed. Code that keeps columns for a longer time (spill, shuffle, breakers) does this
 * when less than half of the bytes is live.
 *
 * <p>Host memory only. Short strings are inside their views and are not touched. A character that
 * several views use counts, and is copied, once for each view.
 */
public final class HeapCompaction {
  /** Heaps are compacted when they hold more than this many times the live bytes. */
  private static final int LIVE_RATIO = 2;

  /** Heaps hold fewer bytes than this unless one string is longer; offsets have 31 bits. */
  private static final int MAX_HEAP_BYTES = 1 << 30;

  /** Longer strings are copied by the system's routine. */
  private static final int MAX_WORDWISE_BYTES = 64;

  private static final int VIEW_BYTES = 16;
  private static final int HEAP_INDEX_OFFSET = 8;
  private static final int HEAP_OFFSET_OFFSET = 12;

  private final BufferAllocator allocator;
  private final int maxHeapBytes;

  /**
   * Creates a compaction.
   *
   * @param allocator where views and heaps come from; HOST or PINNED
   */
  public HeapCompaction(BufferAllocator allocator) {
    this(allocator, MAX_HEAP_BYTES);
  }

  HeapCompaction(BufferAllocator allocator, int maxHeapBytes) {
    this.allocator = allocator;
    this.maxHeapBytes = maxHeapBytes;
  }

  /**
   * Compacts the columns of a batch for which {@link #pays} holds; leaves nested columns as they
   * are.
   *
   * @param batch in host memory; ownership passes to this object, also when this throws
   * @return a batch of equal values, owned by the caller; the same batch when nothing pays
   */
  public RecordBatch compact(RecordBatch batch) {
    List<ColumnVector> columns = new ArrayList<>();
    try (batch) {
      for (int i = 0; i < batch.columnCount(); i++) {
        columns.add(compactIfSparse(batch.takeColumn(i)));
      }
      return new RecordBatch(batch.schema(), batch.rowCount(), columns, batch.sequence());
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      columns.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  /**
   * Does the same as {@link #compact(RecordBatch)}, but when this throws, the batch is unchanged
   * and stays the caller's.
   *
   * @param batch in host memory; owned by this call unless it throws
   */
  public RecordBatch moveCompacted(RecordBatch batch) {
    return batch.withReplaced(i -> pays(batch.column(i)) ? compact(batch.column(i)) : null);
  }

  /**
   * Compacts a column for which {@link #pays} holds.
   *
   * @param column in host memory; this takes ownership, also when it throws
   * @return a column of equal values, owned by the caller; the same column when it does not pay
   */
  public ColumnVector compactIfSparse(ColumnVector column) {
    if (!pays(column)) {
      return column;
    }
    try (column) {
      return compact(column);
    }
  }

  /** Returns whether less than half of the bytes of a column's heaps is live. */
  public static boolean pays(ColumnVector column) {
    long held = 0;
    for (SharedBuffer heap : column.heaps()) {
      held += heap.capacityInBytes();
    }
    return held > 0 && MemoryBuffer.padded(liveBytes(column)) < held / LIVE_RATIO;
  }

  /**
   * Returns the bytes of heaps that the views of a column's values use; null rows use none.
   *
   * @param column in host memory
   */
  public static long liveBytes(ColumnVector column) {
    if (column.physicalType() != PhysicalType.VIEW16) {
      return 0;
    }
    long bytes = 0;
    long view = column.data().address();
    for (int row = 0; row < column.rowCount(); row++, view += VIEW_BYTES) {
      int length = Memory.getInt(view);
      // Values under nulls are undefined.
      bytes += length > ViewBuilder.MAX_INLINE_BYTES && !column.isNull(row) ? length : 0;
    }
    return bytes;
  }

  /**
   * Compacts one column whether it pays or not; several heaps become one.
   *
   * @param column of layout VIEW16, in host memory; stays owned by the caller
   * @return a column of equal values whose heaps hold live bytes only, owned by the caller
   */
  public ColumnVector compact(ColumnVector column) {
    if (column.physicalType() != PhysicalType.VIEW16) {
      throw new IllegalArgumentException(column.physicalType() + " has no heaps");
    }
    MemoryBuffer validity = null;
    try (Heaps heaps = new Heaps(column)) {
      heaps.views = allocator.allocateZeroed(column.data().lengthInBytes());
      for (int row = 0; row < column.rowCount(); row++) {
        if (!column.isNull(row)) {
          heaps.copy(row);
        }
      }
      validity = copyOf(column.validity());
      return heaps.toColumn(validity);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(validity);
      closer.suppressIn(e);
      throw e;
    }
  }

  private MemoryBuffer copyOf(MemoryBuffer buffer) {
    if (buffer == null) {
      return null;
    }
    MemoryBuffer copy = allocator.allocate(buffer.lengthInBytes());
    if (buffer.lengthInBytes() > 0) {
      Memory.copy(buffer.address(), copy.address(), buffer.lengthInBytes());
    }
    return copy;
  }

  /** Views and heaps under construction; closing frees what has not become a column. */
  private final class Heaps implements AutoCloseable {
    private final ColumnVector source;
    private final List<SharedBuffer> full = new ArrayList<>();
    private long remaining;
    private MemoryBuffer views;
    private MemoryBuffer heap;
    private int used;

    Heaps(ColumnVector source) {
      this.source = source;
      this.remaining = liveBytes(source);
    }

    void copy(int row) {
      long target = views.address() + (long) row * VIEW_BYTES;
      long view = source.data().address() + (long) row * VIEW_BYTES;
      int length = Memory.getInt(view);
      if (length <= ViewBuilder.MAX_INLINE_BYTES) {
        Memory.copy(view, target, VIEW_BYTES);
        return;
      }
      ensure(length);
      int index = Memory.getInt(view + HEAP_INDEX_OFFSET);
      int offset = Memory.getInt(view + HEAP_OFFSET_OFFSET);
      copyCharacters(source.heaps().get(index).buffer(), offset, length);
      Memory.putLong(target, Memory.getLong(view));
      Memory.putInt(target + HEAP_INDEX_OFFSET, full.size());
      Memory.putInt(target + HEAP_OFFSET_OFFSET, used);
      used += length;
      remaining -= length;
    }

    /**
     * Copies to the free part of the heap. Copies short strings in words, the last of which may
     * include bytes that follow: most strings are too short for a call of the system's routine.
     */
    private void copyCharacters(MemoryBuffer from, int offset, int length) {
      Objects.checkFromIndexSize(offset, length, from.lengthInBytes());
      long address = from.address() + offset;
      long target = heap.address() + used;
      boolean hasRoom =
          offset + (long) length + Long.BYTES <= from.capacityInBytes()
              && used + (long) length + Long.BYTES <= heap.capacityInBytes();
      if (length > MAX_WORDWISE_BYTES || !hasRoom) {
        Memory.copy(address, target, length);
        return;
      }
      for (int at = 0; at < length; at += Long.BYTES) {
        Memory.putLong(target + at, Memory.getLong(address + at));
      }
    }

    private void ensure(int length) {
      if (heap != null && length <= heap.lengthInBytes() - used) {
        return;
      }
      MemoryBuffer next = allocator.allocate(Math.max(length, Math.min(remaining, maxHeapBytes)));
      seal();
      heap = next;
    }

    private void seal() {
      if (heap != null) {
        full.add(new SharedBuffer(heap.withLength(used)));
        heap = null;
        used = 0;
      }
    }

    ColumnVector toColumn(MemoryBuffer validity) {
      seal();
      ColumnVector column =
          new ColumnVector(
              source.type(),
              PhysicalType.VIEW16,
              source.rowCount(),
              Objects.requireNonNull(views),
              validity,
              source.nullCount(),
              full,
              List.of());
      views = null;
      full.clear();
      return column;
    }

    @Override
    public void close() {
      Closer closer = new Closer();
      closer.close(views);
      closer.close(heap);
      full.forEach(shared -> closer.close(shared::release));
      closer.rethrow();
    }
  }
}
