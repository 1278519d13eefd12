package io.ariadne.spill.disk;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The layout of a column on disk, and the lengths of its buffers. The buffers are stored one after
 * the other with their padding: data, validity, heaps, then the children. Immutable.
 *
 * @param type logical type
 * @param physicalType layout
 * @param rowCount rows
 * @param nullCount nulls, or {@link ColumnVector#UNKNOWN_NULL_COUNT}
 * @param data the data buffer, null when there is none
 * @param validity the bitmap, null when there is none
 * @param heaps the heaps of strings
 * @param children nested columns
 */
record StoredColumn(
    DataType type,
    PhysicalType physicalType,
    int rowCount,
    int nullCount,
    Part data,
    Part validity,
    List<Part> heaps,
    List<StoredColumn> children) {
  /**
   * A buffer.
   *
   * @param lengthInBytes its length
   * @param onDevice whether it was on a device, where it is read back to
   */
  record Part(long lengthInBytes, boolean onDevice) {
    /** Returns the part for a buffer, null for none. */
    static Part of(MemoryBuffer buffer) {
      return buffer == null ? null : new Part(buffer.lengthInBytes(), isOnDevice(buffer));
    }

    static boolean isOnDevice(MemoryBuffer buffer) {
      return buffer.tier() == MemoryTier.DEVICE;
    }

    /** Returns bytes that it takes in memory. */
    long memoryBytes() {
      return MemoryBuffer.padded(lengthInBytes);
    }
  }

  /** Returns the most bytes that {@link #write} writes. */
  static long maxBytes(ColumnVector column) {
    long bytes = padded(column.data()) + padded(column.validity());
    for (SharedBuffer heap : column.heaps()) {
      // Live characters, with repeated ones counted each time, are fewer than the capacities.
      bytes += heap.capacityInBytes();
    }
    for (ColumnVector child : column.children()) {
      bytes += maxBytes(child);
    }
    return bytes;
  }

  /**
   * Writes a column without its dictionary. Of heaps that are little used it writes only the live
   * characters, if the views are on the host.
   */
  static StoredColumn write(ColumnVector column, FrameWriter out) {
    Part data = Part.of(column.data());
    List<Part> heaps = new ArrayList<>();
    if (isOnHost(column) && HeapCompaction.pays(column)) {
      LiveCharacters live = new LiveCharacters(column, out);
      live.writeViews();
      data = new Part(live.viewBytes(), false);
      put(column.validity(), out);
      live.writeHeaps().forEach(length -> heaps.add(new Part(length, false)));
    } else {
      put(column.data(), out);
      put(column.validity(), out);
      for (SharedBuffer heap : column.heaps()) {
        put(heap.buffer(), out);
        heaps.add(Part.of(heap.buffer()));
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
        data,
        Part.of(column.validity()),
        List.copyOf(heaps),
        List.copyOf(children));
  }

  private static boolean isOnHost(ColumnVector column) {
    return allBuffers(column).noneMatch(Part::isOnDevice);
  }

  /** Returns whether any part of a column is on a device, its dictionary apart. */
  static boolean isAnyOnDevice(ColumnVector column) {
    return !isOnHost(column) || column.children().stream().anyMatch(StoredColumn::isAnyOnDevice);
  }

  private static Stream<MemoryBuffer> allBuffers(ColumnVector column) {
    return Stream.concat(
            Stream.of(column.data(), column.validity()),
            column.heaps().stream().map(SharedBuffer::buffer))
        .filter(Objects::nonNull);
  }

  private static void put(MemoryBuffer buffer, FrameWriter out) {
    if (buffer != null && buffer.lengthInBytes() > 0) {
      out.put(buffer, padded(buffer));
    }
  }

  private static long padded(MemoryBuffer buffer) {
    return buffer == null ? 0 : MemoryBuffer.padded(buffer.lengthInBytes());
  }

  /** Returns bytes that the buffers take in memory of a device, or of the host. */
  long memoryBytes(boolean onDevice) {
    long bytes =
        Stream.concat(Stream.of(data, validity), heaps.stream())
            .filter(part -> part != null && part.onDevice() == onDevice)
            .mapToLong(Part::memoryBytes)
            .sum();
    return bytes + children.stream().mapToLong(child -> child.memoryBytes(onDevice)).sum();
  }

  /**
   * Allocates the buffers into which {@link StoredParts#fill} reads the column back. The caller
   * takes pages afterwards, so that an eviction for the buffers may use all pages.
   *
   * @param memory the allocators
   * @return buffers owned by the caller
   */
  StoredParts allocate(PartMemory memory) {
    StoredParts parts = new StoredParts(this);
    try {
      parts.data = allocate(data, memory);
      parts.validity = allocate(validity, memory);
      for (Part heap : heaps) {
        parts.heaps.add(new SharedBuffer(allocate(heap, memory)));
      }
      for (StoredColumn child : children) {
        parts.children.add(child.allocate(memory));
      }
      return parts;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(parts);
      closer.suppressIn(e);
      throw e;
    }
  }

  private static MemoryBuffer allocate(Part part, PartMemory memory) {
    return part == null ? null : memory.of(part.onDevice()).allocate(part.lengthInBytes());
  }
}
