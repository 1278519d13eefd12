package io.ariadne.shuffle.rows;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes one column of rows of several, whose values are laid out alike; dictionary columns may
 * stand beside others. Used by one thread.
 *
 * @param allocator host memory
 */
record SliceConcatenator(BufferAllocator allocator) {
  private static final int CODE_SHIFT = 2;

  /**
   * Copies rows behind one another.
   *
   * @param slices at least one
   * @return a column owned by the caller
   */
  ColumnVector join(List<ColumnSlice> slices) {
    return join(slices, true);
  }

  private ColumnVector join(List<ColumnSlice> slices, boolean mayBeCoded) {
    PhysicalType layout = ColumnSlice.layout(slices);
    DataType type = slices.get(0).column().type();
    int rows = ColumnSlice.rows(slices);
    MemoryBuffer validity = null;
    MemoryBuffer data = null;
    List<ColumnVector> children = new ArrayList<>();
    try {
      validity = validity(slices, rows);
      DictionaryConcatenator codes = mayBeCoded ? DictionaryConcatenator.of(slices, rows) : null;
      if (codes != null) {
        return codes.join(slices, rows, validity, allocator);
      }
      if (layout == PhysicalType.VIEW16) {
        return new StringConcatenator(slices, rows, allocator).join(type, validity);
      }
      data = data(slices, layout, rows);
      int nested = slices.get(0).column().children().size();
      for (int i = 0; i < nested; i++) {
        children.add(join(ColumnSlice.children(slices, i), false));
      }
      return new ColumnVector(
          type, layout, rows, data, validity, ColumnVector.UNKNOWN_NULL_COUNT, List.of(), children);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(validity);
      closer.close(data);
      children.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  private MemoryBuffer validity(List<ColumnSlice> slices, int rows) {
    if (slices.stream().noneMatch(slice -> slice.column().mayHaveNulls())) {
      return null;
    }
    MemoryBuffer bits = allocator.allocateZeroed(PhysicalType.BOOL.dataLengthInBytes(rows));
    long at = 0;
    for (ColumnSlice slice : slices) {
      if (slice.count() > 0 && slice.column().mayHaveNulls()) {
        long from = slice.column().validity().address();
        BitRanges.append(from, slice.first(), bits.address(), at, slice.count());
      } else if (slice.count() > 0) {
        Bitmaps.setAll(bits.address(), at, slice.count());
      }
      at += slice.count();
    }
    return bits;
  }

  private MemoryBuffer data(List<ColumnSlice> slices, PhysicalType layout, int rows) {
    if (layout == PhysicalType.NONE) {
      return null;
    }
    MemoryBuffer data = allocator.allocate(layout.dataLengthInBytes(rows));
    try {
      switch (layout) {
        case BOOL -> copyBits(slices, data);
        case OFFSETS -> copyOffsets(slices, data);
        default -> ValueRanges.copy(slices, data.address(), layout.widthInBytes());
      }
      return data;
    } catch (RuntimeException | Error e) {
      data.close();
      throw e;
    }
  }

  private static void copyBits(List<ColumnSlice> slices, MemoryBuffer target) {
    target.fillZero();
    long at = 0;
    for (ColumnSlice slice : slices) {
      ColumnVector column = slice.column();
      if (slice.count() > 0 && column.dictionary() == null) {
        long from = column.data().address();
        BitRanges.append(from, slice.first(), target.address(), at, slice.count());
      } else if (slice.count() > 0) {
        long bits = column.dictionary().entries().data().address();
        for (int i = 0; i < slice.count(); i++) {
          if (Bitmaps.isSet(bits, ValueRanges.code(column, slice.first() + i))) {
            Bitmaps.set(target.address(), at + i);
          }
        }
      }
      at += slice.count();
    }
  }

  private static void copyOffsets(List<ColumnSlice> slices, MemoryBuffer target) {
    long at = target.address();
    long end = 0;
    Memory.putInt(at, 0);
    for (ColumnSlice slice : slices) {
      if (slice.count() == 0) {
        continue;
      }
      long from = slice.column().data().address() + ((long) slice.first() << CODE_SHIFT);
      long shift = end - Memory.getInt(from);
      for (int i = 1; i <= slice.count(); i++) {
        end = Memory.getInt(from + ((long) i << CODE_SHIFT)) + shift;
        at += Integer.BYTES;
        Memory.putInt(at, (int) end);
      }
      if (end > Integer.MAX_VALUE) {
        throw new EngineException(
            ErrorCode.OUT_OF_MEMORY, "more than 2^31 entries in the lists of one batch");
      }
    }
  }
}
