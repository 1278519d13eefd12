package io.ariadne.spill.disk;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import java.util.ArrayList;
import java.util.List;

/**
 * What is known of a column on disk: its layout and the lengths of its buffers, which follow one
 * another there with their padding: data, validity, heaps, then the children. Immutable.
 *
 * @param type logical type
 * @param physicalType layout
 * @param rowCount rows
 * @param nullCount nulls, or {@link ColumnVector#UNKNOWN_NULL_COUNT}
 * @param dataBytes length of the data buffer, {@link #NONE} when there is none
 * @param validityBytes length of the bitmap, {@link #NONE} when there is none
 * @param heapBytes lengths of the heaps
 * @param children nested columns
 */
record StoredColumn(
    DataType type,
    PhysicalType physicalType,
    int rowCount,
    int nullCount,
    long dataBytes,
    long validityBytes,
    List<Long> heapBytes,
    List<StoredColumn> children) {
  /** Length of a buffer that is not there. */
  static final long NONE = -1;

  /** Returns bytes that {@link #write} puts out at most. */
  static long maxBytes(ColumnVector column) {
    long bytes = padded(column.data()) + padded(column.validity());
    for (SharedBuffer heap : column.heaps()) {
      // Live characters, of which repeated ones count each time, are fewer than the capacities.
      bytes += heap.capacityInBytes();
    }
    for (ColumnVector child : column.children()) {
      bytes += maxBytes(child);
    }
    return bytes;
  }

  /** Writes a column without its dictionary; of heaps that are little used only what is used. */
  static StoredColumn write(ColumnVector column, FrameWriter out) {
    List<Long> heapBytes = new ArrayList<>();
    long dataBytes = length(column.data());
    if (HeapCompaction.pays(column)) {
      LiveCharacters live = new LiveCharacters(column, out);
      live.writeViews();
      dataBytes = live.viewBytes();
      put(column.validity(), out);
      heapBytes.addAll(live.writeHeaps());
    } else {
      put(column.data(), out);
      put(column.validity(), out);
      for (SharedBuffer heap : column.heaps()) {
        put(heap.buffer(), out);
        heapBytes.add(heap.lengthInBytes());
      }
    }
    List<StoredColumn> children = new ArrayList<>();
    for (ColumnVector child : column.children()) {
      children.add(write(child, out));
    }
    return new StoredColumn(
        column.type(),
        column.physicalType(),
        column.rowCount(),
        column.nullCount(),
        dataBytes,
        length(column.validity()),
        List.copyOf(heapBytes),
        List.copyOf(children));
  }

  private static void put(MemoryBuffer buffer, FrameWriter out) {
    if (buffer != null && buffer.lengthInBytes() > 0) {
      out.put(ByteSource.ofHost(buffer.address()), padded(buffer));
    }
  }

  private static long length(MemoryBuffer buffer) {
    return buffer == null ? NONE : buffer.lengthInBytes();
  }

  private static long padded(MemoryBuffer buffer) {
    return buffer == null ? 0 : MemoryBuffer.padded(buffer.lengthInBytes());
  }

  /** Returns bytes that the buffers take in memory. */
  long memoryBytes() {
    long bytes = MemoryBuffer.padded(Math.max(0, dataBytes));
    bytes += MemoryBuffer.padded(Math.max(0, validityBytes));
    for (long heap : heapBytes) {
      bytes += MemoryBuffer.padded(heap);
    }
    for (StoredColumn child : children) {
      bytes += child.memoryBytes();
    }
    return bytes;
  }

  /**
   * Allocates the buffers into which {@link StoredParts#fill} reads the column back: before a page
   * is taken, so that whoever makes room for them may use all pages.
   *
   * @param allocator host memory
   * @return buffers owned by the caller
   */
  StoredParts allocate(BufferAllocator allocator) {
    StoredParts parts = new StoredParts(this);
    try {
      parts.data = allocate(dataBytes, allocator);
      parts.validity = allocate(validityBytes, allocator);
      for (long heap : heapBytes) {
        parts.heaps.add(new SharedBuffer(allocator.allocate(heap)));
      }
      for (StoredColumn child : children) {
        parts.children.add(child.allocate(allocator));
      }
      return parts;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(parts);
      closer.suppressIn(e);
      throw e;
    }
  }

  private static MemoryBuffer allocate(long length, BufferAllocator allocator) {
    return length == NONE ? null : allocator.allocate(length);
  }
}
