package io.ariadne.bridge.imports;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PrimitiveType;
import java.util.List;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Imports strings and binary values as 16-byte views.
 *
 * <p>Values that lie close together in Spark's vector are copied to a heap together. The entries of
 * a dictionary are copied once per batch, a constant once per vector.
 */
final class ViewImport extends ColumnImport {
  /**
   * Largest ratio of a range of bytes to the wanted bytes in it at which one copy of the range pays
   * off.
   */
  private static final int MAX_COPY_RATIO = 2;

  private final HeapWriter heap;
  private final ViewDictionary dictionary;

  ViewImport(DataType type, BufferAllocator allocator) {
    super(type, allocator);
    this.heap = new HeapWriter(allocator);
    this.dictionary = new ViewDictionary(heap);
  }

  @Override
  void appendValues(ColumnVector source, int start, int count, long target) {
    if (ValidityImport.isAllNull(source)) {
      Memory.fill(target, (long) count * HeapWriter.VIEW_BYTES, (byte) 0);
    } else if (source instanceof WritableColumnVector vector && vector.hasDictionary()) {
      dictionary.decode(vector, start, count, target);
    } else if (source instanceof OnHeapColumnVector vector) {
      copy(vector, start, count, target);
    } else if (source instanceof OffHeapColumnVector vector) {
      copy(vector, start, count, target);
    } else if (source instanceof ConstantColumnVector) {
      fill(source, count, target);
    } else if (!ArrowVectors.copyViews(source, heap, start, count, target)) {
      for (int i = 0; i < count; i++) {
        appendRow(source, start + i, target + (long) i * HeapWriter.VIEW_BYTES);
      }
    }
  }

  private void copy(OnHeapColumnVector source, int start, int count, long target) {
    byte[] nulls = source.hasNull() ? VectorFields.nulls(source) : null;
    int[] lengths = VectorFields.lengths(source);
    int[] offsets = VectorFields.offsets(source);
    byte[] bytes = VectorFields.bytes((OnHeapColumnVector) source.getChild(0));
    long wanted = 0;
    int low = Integer.MAX_VALUE;
    int high = 0;
    for (int row = start; row < start + count; row++) {
      if (lengths[row] > HeapWriter.MAX_INLINE_BYTES && (nulls == null || nulls[row] == 0)) {
        wanted += lengths[row];
        low = Math.min(low, offsets[row]);
        high = Math.max(high, offsets[row] + lengths[row]);
      }
    }
    boolean atOnce = wanted > 0 && high - low <= MAX_COPY_RATIO * wanted;
    long place = 0;
    if (atOnce) {
      place = heap.take(high - low) - ((long) low << Integer.SIZE);
      Memory.copy(bytes, low, heap.address(place + ((long) low << Integer.SIZE)), high - low);
    }
    for (int i = 0; i < count; i++) {
      int row = start + i;
      long view = target + (long) i * HeapWriter.VIEW_BYTES;
      if (nulls != null && nulls[row] != 0) {
        putEmpty(view);
      } else if (atOnce) {
        long at = place + ((long) offsets[row] << Integer.SIZE);
        heap.putView(view, bytes, offsets[row], lengths[row], at);
      } else {
        heap.append(view, bytes, offsets[row], lengths[row]);
      }
    }
  }

  private void copy(OffHeapColumnVector source, int start, int count, long target) {
    boolean hasNull = source.hasNull();
    long lengths = VectorFields.lengths(source);
    long offsets = VectorFields.offsets(source);
    long bytes = ((OffHeapColumnVector) source.getChild(0)).valuesNativeAddress();
    for (int i = 0; i < count; i++) {
      int row = start + i;
      long view = target + (long) i * HeapWriter.VIEW_BYTES;
      if (hasNull && source.isNullAt(row)) {
        putEmpty(view);
      } else {
        int offset = Memory.getInt(offsets + ((long) row << 2));
        heap.append(view, bytes + offset, Memory.getInt(lengths + ((long) row << 2)));
      }
    }
  }

  private void fill(ColumnVector source, int count, long target) {
    appendRow(source, 0, target);
    long first = Memory.getLong(target);
    long second = Memory.getLong(target + Long.BYTES);
    for (int i = 1; i < count; i++) {
      long view = target + (long) i * HeapWriter.VIEW_BYTES;
      Memory.putLong(view, first);
      Memory.putLong(view + Long.BYTES, second);
    }
  }

  private void appendRow(ColumnVector source, int row, long view) {
    if (source.isNullAt(row)) {
      putEmpty(view);
    } else if (type() == PrimitiveType.BINARY) {
      byte[] value = source.getBinary(row);
      heap.append(view, value, 0, value.length);
    } else {
      UTF8String value = source.getUTF8String(row);
      if (value.getBaseObject() instanceof byte[] array) {
        int offset = (int) (value.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET);
        heap.append(view, array, offset, value.numBytes());
      } else if (value.getBaseObject() == null) {
        heap.append(view, value.getBaseOffset(), value.numBytes());
      } else {
        heap.append(view, value.getBytes(), 0, value.numBytes());
      }
    }
  }

  static void putEmpty(long view) {
    Memory.putLong(view, 0);
    Memory.putLong(view + Long.BYTES, 0);
  }

  @Override
  long variableBytes() {
    return heap.totalBytes();
  }

  @Override
  List<SharedBuffer> takeHeaps() {
    dictionary.forget();
    return heap.takeHeaps();
  }

  @Override
  public void close() {
    super.close();
    dictionary.forget();
    heap.close();
  }
}
