package io.ariadne.spill.host;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.buffer.SharedBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Which parts of a column are in device memory: a batch may have parts there and on the host, and
 * each part is read back to where it was. Immutable.
 *
 * @param data whether the values or codes are in device memory
 * @param validity whether the bitmap is
 * @param heaps whether any string heap is
 * @param dictionary whether any part of the dictionary's entries is
 * @param children places of nested columns
 */
record ColumnPlaces(
    boolean data,
    boolean validity,
    boolean heaps,
    boolean dictionary,
    List<ColumnPlaces> children) {
  /** Copies or retains parts of a column. */
  interface Parts {
    /** Returns a copy of a buffer, owned by the caller. */
    MemoryBuffer buffer(MemoryBuffer source, boolean onDevice);

    /** Returns a heap; the caller owns one reference. */
    SharedBuffer heap(SharedBuffer source, boolean onDevice);

    /** Returns a dictionary; the caller owns one reference. */
    Dictionary dictionary(Dictionary source, boolean onDevice);
  }

  /** Returns where the parts of a column are now. */
  static ColumnPlaces of(ColumnVector column) {
    return new ColumnPlaces(
        isOnDevice(column.data()),
        isOnDevice(column.validity()),
        column.heaps().stream().anyMatch(heap -> isOnDevice(heap.buffer())),
        column.dictionary() != null && of(column.dictionary().entries()).any(),
        column.children().stream().map(ColumnPlaces::of).toList());
  }

  static boolean isOnDevice(MemoryBuffer buffer) {
    return buffer != null && buffer.tier() == MemoryTier.DEVICE;
  }

  /** Returns whether any part is in device memory. */
  boolean any() {
    return data || validity || heaps || dictionary || children.stream().anyMatch(ColumnPlaces::any);
  }

  /**
   * Returns bytes of the parts in device memory, without dictionaries, as unshared buffers.
   *
   * @param column a column with these places, or a copy of it in other memory
   */
  long deviceBytes(ColumnVector column) {
    long bytes = data ? padded(column.data()) : 0;
    bytes += validity ? padded(column.validity()) : 0;
    if (heaps) {
      for (SharedBuffer heap : column.heaps()) {
        bytes += padded(heap.buffer());
      }
    }
    for (int i = 0; i < children.size(); i++) {
      bytes += children.get(i).deviceBytes(column.children().get(i));
    }
    return bytes;
  }

  private static long padded(MemoryBuffer buffer) {
    return MemoryBuffer.padded(buffer.lengthInBytes());
  }

  /**
   * Copies a column part by part; frees the copied parts on failure.
   *
   * @param column a column with these places, or a copy of it in other memory; the caller keeps
   *     ownership
   * @param parts copies or retains each part
   * @return a column owned by the caller
   */
  ColumnVector copy(ColumnVector column, Parts parts) {
    List<AutoCloseable> made = new ArrayList<>();
    try {
      MemoryBuffer newData = copy(column.data(), data, parts, made);
      MemoryBuffer newValidity = copy(column.validity(), validity, parts, made);
      if (column.dictionary() != null) {
        return ColumnVector.ofDictionary(
            parts.dictionary(column.dictionary(), dictionary),
            column.rowCount(),
            newData,
            newValidity,
            column.nullCount());
      }
      List<SharedBuffer> newHeaps = new ArrayList<>();
      for (SharedBuffer heap : column.heaps()) {
        SharedBuffer held = parts.heap(heap, heaps);
        newHeaps.add(held);
        made.add(held::release);
      }
      List<ColumnVector> nested = new ArrayList<>();
      for (int i = 0; i < children.size(); i++) {
        ColumnVector child = children.get(i).copy(column.children().get(i), parts);
        nested.add(child);
        made.add(child);
      }
      return new ColumnVector(
          column.type(),
          column.physicalType(),
          column.rowCount(),
          newData,
          newValidity,
          column.nullCount(),
          newHeaps,
          nested);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      made.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  private static MemoryBuffer copy(
      MemoryBuffer source, boolean onDevice, Parts parts, List<AutoCloseable> made) {
    if (source == null) {
      return null;
    }
    MemoryBuffer copy = parts.buffer(source, onDevice);
    made.add(copy);
    return copy;
  }
}
