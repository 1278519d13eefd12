package io.ariadne.columnar;

import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.PhysicalType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Consecutive rows of a column or batch, copied out of host memory.
 *
 * <p>Fixed-width data, bits, offsets and nested columns are copied; string heaps and dictionaries
 * are shared and referenced by both.
 *
 * @param first first row
 * @param count rows
 */
public record RowRange(int first, int count) {
  /** Checks that neither is negative. */
  public RowRange {
    if (first < 0 || count < 0 || first > Integer.MAX_VALUE - count) {
      throw new IllegalArgumentException(count + " rows from row " + first);
    }
  }

  /**
   * Copies these rows of every column.
   *
   * @param batch in HOST or PINNED memory; stays owned by the caller
   * @param allocator where the copy's buffers come from
   * @param sequence the copy's place in its stream
   * @return a batch owned by the caller
   * @throws IndexOutOfBoundsException when the batch has fewer rows
   */
  public RecordBatch copyOf(RecordBatch batch, BufferAllocator allocator, long sequence) {
    return RecordBatch.of(batch.schema(), count, sequence, i -> copyOf(batch.column(i), allocator));
  }

  /**
   * Copies these rows of a column.
   *
   * @param column in HOST or PINNED memory; stays owned by the caller
   * @param allocator where the copy's buffers come from
   * @return a column owned by the caller, without validity when these rows have no nulls
   * @throws IndexOutOfBoundsException when the column has fewer rows
   */
  public ColumnVector copyOf(ColumnVector column, BufferAllocator allocator) {
    Objects.checkFromIndexSize(first, count, column.rowCount());
    MemoryBuffer data = null;
    MemoryBuffer validity = null;
    List<ColumnVector> children = new ArrayList<>();
    List<SharedBuffer> heaps = new ArrayList<>();
    try {
      validity = copyValidity(column, allocator);
      data = copyData(column, allocator);
      int nulls = validity == null ? 0 : ColumnVector.UNKNOWN_NULL_COUNT;
      if (column.dictionary() != null) {
        Dictionary dictionary = column.dictionary().retain();
        return ColumnVector.ofDictionary(dictionary, count, data, validity, nulls);
      }
      for (ColumnVector child : column.children()) {
        children.add(childRange(column).copyOf(child, allocator));
      }
      column.heaps().forEach(heap -> heaps.add(heap.retain()));
      return new ColumnVector(
          column.type(), column.physicalType(), count, data, validity, nulls, heaps, children);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(data);
      closer.close(validity);
      children.forEach(closer::close);
      heaps.forEach(heap -> closer.close(heap::release));
      closer.suppressIn(e);
      throw e;
    }
  }

  private MemoryBuffer copyValidity(ColumnVector column, BufferAllocator allocator) {
    if (column.validity() == null || count == 0) {
      return null;
    }
    MemoryBuffer copy = copyBits(column.validity(), allocator);
    if (Bitmaps.countSet(copy.address(), count) < count) {
      return copy;
    }
    copy.close();
    return null;
  }

  private MemoryBuffer copyData(ColumnVector column, BufferAllocator allocator) {
    return switch (column.physicalType()) {
      case NONE -> null;
      case BOOL -> copyBits(column.data(), allocator);
      case OFFSETS -> copyOffsets(column.data(), allocator);
      default -> copyValues(column, allocator);
    };
  }

  private MemoryBuffer copyBits(MemoryBuffer source, BufferAllocator allocator) {
    MemoryBuffer copy = allocator.allocate(PhysicalType.BOOL.dataLengthInBytes(count));
    if (count > 0) {
      Bitmaps.copy(source.address(), first, copy.address(), count);
    }
    return copy;
  }

  private MemoryBuffer copyValues(ColumnVector column, BufferAllocator allocator) {
    PhysicalType layout = column.physicalType();
    long length = layout.dataLengthInBytes(count);
    MemoryBuffer copy = allocator.allocate(length);
    if (count > 0) {
      long from = column.data().address() + layout.dataLengthInBytes(first);
      Memory.copy(from, copy.address(), length);
    }
    return copy;
  }

  /** Copies offsets so that they start at 0; fails before allocating when the source is short. */
  private MemoryBuffer copyOffsets(MemoryBuffer source, BufferAllocator allocator) {
    long length = PhysicalType.OFFSETS.dataLengthInBytes(count);
    long from = (long) first * Integer.BYTES;
    Objects.checkFromIndexSize(from, length, source.lengthInBytes());
    MemoryBuffer copy = allocator.allocate(length);
    int start = source.getInt(from);
    for (long at = 0; at < length; at += Integer.BYTES) {
      copy.putInt(at, source.getInt(from + at) - start);
    }
    return copy;
  }

  /** Returns which rows of the nested columns belong to these rows. */
  private RowRange childRange(ColumnVector column) {
    if (column.physicalType() != PhysicalType.OFFSETS) {
      return this;
    }
    int start = column.data().getInt((long) first * Integer.BYTES);
    int end = column.data().getInt(((long) first + count) * Integer.BYTES);
    return new RowRange(start, end - start);
  }
}
