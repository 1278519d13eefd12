package io.ariadne.parquet.scan;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.DictionaryDecoder;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PhysicalType;
import java.util.ArrayList;
import java.util.List;

/**
 * Small batches of several files on their way to one batch. Rows are copied, characters are not:
 * strings stay views into the heaps of the batches they came in. In host memory; used by one
 * thread.
 *
 * <p>Columns that all batches have of one dictionary stay coded by it; other dictionary columns are
 * decoded. Decimals, as narrow as the bounds of each file allow, become as wide as the widest.
 * Nested columns are not combined, nor are others of different layouts.
 */
final class BatchCombination implements AutoCloseable {
  /** Rows from which on a batch is not copied to save what it costs to pass it on. */
  static final int LARGE_ROWS = 4096;

  /** Rows of a combined batch, about. */
  static final int FULL_ROWS = 16_384;

  /** Bytes that batches hold, heaps included, from which on no more are collected. */
  static final long FULL_BYTES = 16 << 20;

  private static final int HEAP_OFFSET = 8;
  private static final int INLINE_BYTES = 12;

  private final BufferAllocator allocator;
  private final DictionaryDecoder dictionaries;
  private final List<RecordBatch> batches = new ArrayList<>();
  private int rows;
  private long bytes;

  /**
   * Starts with nothing.
   *
   * @param allocator memory of combined columns
   */
  BatchCombination(BufferAllocator allocator) {
    this.allocator = allocator;
    this.dictionaries = new DictionaryDecoder(allocator);
  }

  /** Returns whether there is no batch. */
  boolean isEmpty() {
    return batches.isEmpty();
  }

  /** Returns whether there are as many rows, or bytes, as one batch should have. */
  boolean isFull() {
    return rows >= FULL_ROWS || bytes >= FULL_BYTES;
  }

  /** Returns whether a batch can be combined with those that are here. */
  boolean takes(RecordBatch batch) {
    if (batch.rowCount() >= LARGE_ROWS) {
      return false;
    }
    for (int i = 0; i < batch.columnCount(); i++) {
      if (!takes(batch.column(i), isEmpty() ? null : batches.get(0).column(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean takes(ColumnVector column, ColumnVector first) {
    PhysicalType layout = column.valueLayout();
    boolean isNested = layout == PhysicalType.OFFSETS || layout == PhysicalType.NONE;
    boolean fits =
        first == null || first.valueLayout() == layout || column.type() instanceof DecimalType;
    return !isNested && fits;
  }

  /** Adds a batch that this takes, owned by this from now on. */
  void add(RecordBatch batch) {
    batches.add(batch);
    rows += batch.rowCount();
    bytes += batch.sizeInBytes();
  }

  /**
   * Returns all rows, of at least one batch, in order; there are none here afterwards.
   *
   * @return a batch owned by the caller
   */
  RecordBatch take() {
    if (batches.size() == 1) {
      rows = 0;
      bytes = 0;
      return batches.remove(0);
    }
    List<ColumnVector> columns = new ArrayList<>();
    try {
      RecordBatch first = batches.get(0);
      for (int i = 0; i < first.columnCount(); i++) {
        columns.add(column(i));
      }
      RecordBatch combined = new RecordBatch(first.schema(), rows, columns, first.sequence());
      close();
      return combined;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      columns.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  private ColumnVector column(int index) {
    Dictionary shared = batches.get(0).column(index).dictionary();
    for (RecordBatch batch : batches) {
      shared = batch.column(index).dictionary() == shared ? shared : null;
    }
    List<ColumnVector> parts = new ArrayList<>();
    try (Decoded decoded = new Decoded(new ArrayList<>())) {
      for (RecordBatch batch : batches) {
        ColumnVector part = batch.column(index);
        boolean stays = part.dictionary() == null || shared != null;
        parts.add(stays ? part : decoded.add(dictionaries.decode(part)));
      }
      return joined(parts);
    }
  }

  private ColumnVector joined(List<ColumnVector> parts) {
    ColumnVector first = parts.get(0);
    PhysicalType layout = widest(parts);
    boolean hasNulls = parts.stream().anyMatch(ColumnVector::mayHaveNulls);
    MemoryBuffer data = null;
    MemoryBuffer validity = null;
    List<SharedBuffer> heaps = new ArrayList<>();
    try {
      long length = layout.dataLengthInBytes(rows);
      boolean hasBits = layout == PhysicalType.BOOL;
      data = hasBits ? allocator.allocateZeroed(length) : allocator.allocate(length);
      validity =
          hasNulls ? allocator.allocateZeroed(PhysicalType.BOOL.dataLengthInBytes(rows)) : null;
      int row = 0;
      for (ColumnVector part : parts) {
        copy(part, row, data, layout, heaps);
        copyValidity(part, row, validity);
        row += part.rowCount();
      }
      if (first.dictionary() != null) {
        return ColumnVector.ofDictionary(
            first.dictionary().retain(), rows, data, validity, ColumnVector.UNKNOWN_NULL_COUNT);
      }
      return new ColumnVector(
          first.type(),
          layout,
          rows,
          data,
          validity,
          ColumnVector.UNKNOWN_NULL_COUNT,
          heaps,
          List.of());
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(data);
      closer.close(validity);
      heaps.forEach(heap -> closer.close(heap::release));
      closer.suppressIn(e);
      throw e;
    }
  }

  private static PhysicalType widest(List<ColumnVector> parts) {
    PhysicalType widest = parts.get(0).physicalType();
    for (ColumnVector part : parts) {
      PhysicalType layout = part.physicalType();
      widest = layout.widthInBytes() > widest.widthInBytes() ? layout : widest;
    }
    return widest;
  }

  private static void copy(
      ColumnVector part,
      int row,
      MemoryBuffer data,
      PhysicalType layout,
      List<SharedBuffer> heaps) {
    if (layout == PhysicalType.BOOL) {
      Bitmaps.append(part.data().address(), data.address(), row, part.rowCount());
      return;
    }
    long to = data.address() + (long) row * layout.widthInBytes();
    if (part.physicalType() != layout) {
      widen(part, to, layout);
      return;
    }
    Memory.copy(part.data().address(), to, layout.dataLengthInBytes(part.rowCount()));
    if (layout == PhysicalType.VIEW16) {
      number(part, to, heaps.size());
      part.heaps().forEach(heap -> heaps.add(heap.retain()));
    }
  }

  /** Copies integers of 4 or 8 bytes as ones of 8 or 16. */
  private static void widen(ColumnVector part, long to, PhysicalType layout) {
    long from = part.data().address();
    boolean isInt = part.physicalType() == PhysicalType.I32;
    int width = layout.widthInBytes();
    for (int i = 0; i < part.rowCount(); i++) {
      long value = isInt ? Memory.getInt(from + i * 4L) : Memory.getLong(from + i * 8L);
      long target = to + (long) i * width;
      Memory.putLong(target, value);
      if (layout == PhysicalType.I128) {
        Memory.putLong(target + Long.BYTES, value >> (Long.SIZE - 1));
      }
    }
  }

  /** Makes copied views call their heaps by the numbers that they have in the combined column. */
  private static void number(ColumnVector part, long views, int firstHeap) {
    if (firstHeap == 0 || part.heaps().isEmpty()) {
      return;
    }
    for (int i = 0; i < part.rowCount(); i++) {
      long view = views + (long) i * PhysicalType.VIEW16.widthInBytes();
      if (!part.isNull(i) && Memory.getInt(view) > INLINE_BYTES) {
        Memory.putInt(view + HEAP_OFFSET, Memory.getInt(view + HEAP_OFFSET) + firstHeap);
      }
    }
  }

  private static void copyValidity(ColumnVector part, int row, MemoryBuffer validity) {
    if (validity == null) {
      return;
    }
    if (part.mayHaveNulls()) {
      Bitmaps.append(part.validity().address(), validity.address(), row, part.rowCount());
    } else {
      Bitmaps.setAll(validity.address(), row, part.rowCount());
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    batches.forEach(closer::close);
    batches.clear();
    rows = 0;
    bytes = 0;
    closer.rethrow();
  }

  /** Columns that are only needed until they are copied. */
  private record Decoded(List<ColumnVector> columns) implements AutoCloseable {
    ColumnVector add(ColumnVector column) {
      columns.add(column);
      return column;
    }

    @Override
    public void close() {
      Closer closer = new Closer();
      columns.forEach(closer::close);
      closer.rethrow();
    }
  }
}
