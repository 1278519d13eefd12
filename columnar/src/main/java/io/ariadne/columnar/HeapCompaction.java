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
 * Copies the characters that a column's views still use to heaps of their own, so that heaps of
 * which little is used can be freed: what every holder of columns for a longer time does (batch
 * holders, spill, shuffle, breakers), when less than half is live.
 *
 * <p>Host memory only. Short strings lie in their views and are not touched. A character that
 * several views use counts, and is copied, once for each.
 */
public final class HeapCompaction {
  /** Heaps are compacted when this many times the live bytes are fewer than they hold. */
  private static final int LIVE_RATIO = 2;

  /** Heaps hold fewer bytes than this unless one string is longer; offsets have 31 bits. */
  private static final int MAX_HEAP_BYTES = 1 << 30;

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
   * Compacts the columns of a batch for which {@link #pays} holds, those of nested columns not.
   *
   * @param batch in host memory; owned by this from now on, also when this throws
   * @return a batch of equal values, owned by the caller; the same when nothing pays
   */
  public RecordBatch compact(RecordBatch batch) {
    List<ColumnVector> columns = new ArrayList<>();
    try (batch) {
      for (int i = 0; i < batch.columnCount(); i++) {
        boolean pays = pays(batch.column(i));
        columns.add(pays ? compact(batch.column(i)) : batch.takeColumn(i));
      }
      return new RecordBatch(batch.schema(), batch.rowCount(), columns, batch.sequence());
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      columns.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
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
   * Returns the bytes of heaps that the views of a column's values use; rows that are null use
   * none.
   *
   * @param column in host memory
   */
  public static long liveBytes(ColumnVector column) {
    if (column.physicalType() != PhysicalType.VIEW16) {
      return 0;
    }
    ColumnReader reader = new ColumnReader(column);
    long bytes = 0;
    for (int row = 0; row < column.rowCount(); row++) {
      bytes += heapLength(reader, row);
    }
    return bytes;
  }

  private static int heapLength(ColumnReader reader, int row) {
    if (reader.isNull(row)) {
      return 0;
    }
    int length = reader.getByteLength(row);
    return length <= ViewBuilder.MAX_INLINE_BYTES ? 0 : length;
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
    try (Heaps heaps = new Heaps(liveBytes(column))) {
      ColumnReader reader = new ColumnReader(column);
      heaps.views = allocator.allocateZeroed(column.data().lengthInBytes());
      for (int row = 0; row < column.rowCount(); row++) {
        if (!reader.isNull(row)) {
          heaps.copy(reader, row);
        }
      }
      validity = copyOf(column.validity());
      return heaps.toColumn(column, validity);
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
    private final List<SharedBuffer> full = new ArrayList<>();
    private long remaining;
    private MemoryBuffer views;
    private MemoryBuffer heap;
    private int used;

    Heaps(long liveBytes) {
      this.remaining = liveBytes;
    }

    void copy(ColumnReader reader, int row) {
      long target = views.address() + (long) row * VIEW_BYTES;
      long view = reader.column().data().address() + (long) row * VIEW_BYTES;
      int length = reader.getByteLength(row);
      if (length <= ViewBuilder.MAX_INLINE_BYTES) {
        Memory.copy(view, target, VIEW_BYTES);
        return;
      }
      long characters = reader.getBytesAddress(row);
      ensure(length);
      Memory.copy(characters, heap.address() + used, length);
      Memory.copy(view, target, HEAP_INDEX_OFFSET);
      Memory.putInt(target + HEAP_INDEX_OFFSET, full.size());
      Memory.putInt(target + HEAP_OFFSET_OFFSET, used);
      used += length;
      remaining -= length;
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

    ColumnVector toColumn(ColumnVector source, MemoryBuffer validity) {
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
