package io.ariadne.columnar.arrow;

import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.builder.ViewBuilder;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;

/** Creates views over the characters of one Arrow string or binary vector; buffers become heaps. */
final class StringImport {
  private static final int VIEW_BYTES = 16;

  private final FieldVector vector;
  private final List<ArrowBuf> buffers;
  private final int rows;
  private final MemoryBuffer validity;
  private final BufferAllocator allocator;

  /**
   * Prepares an import.
   *
   * @param vector strings or binary values of 32-bit or 64-bit offsets, or views
   * @param rows values to import
   * @param validity their validity, or null; stays owned by the caller
   * @param allocator where views come from
   */
  StringImport(FieldVector vector, int rows, MemoryBuffer validity, BufferAllocator allocator) {
    this.vector = vector;
    this.buffers = vector.getFieldBuffers();
    this.rows = rows;
    this.validity = validity;
    this.allocator = allocator;
  }

  /** Sets data and heaps, which the caller owns also when this throws. */
  void into(ArrowImporter.Parts parts) {
    parts.data = allocator.allocateZeroed(PhysicalType.VIEW16.dataLengthInBytes(rows));
    if (rows == 0) {
      return;
    }
    switch (vector.getField().getType().getTypeID()) {
      case Utf8, Binary -> viewsOfOffsets(parts, Integer.BYTES);
      case LargeUtf8, LargeBinary -> viewsOfOffsets(parts, Long.BYTES);
      default -> viewsOfViews(parts);
    }
  }

  private void viewsOfOffsets(ArrowImporter.Parts parts, int offsetWidth) {
    ArrowBuf offsets = buffers.get(1);
    ArrowBuf characters = buffers.get(2);
    ArrowImporter.checkCapacity(vector, offsets, (rows + 1L) * offsetWidth);
    long end = offset(offsets, rows, offsetWidth);
    if (end < 0 || end > characters.capacity()) {
      throw ArrowImporter.corrupt(vector, "strings end at " + end);
    }
    if (end > Integer.MAX_VALUE) {
      throw new EngineException(
          ErrorCode.OUT_OF_MEMORY,
          "Arrow vector " + vector.getField() + " has " + end + " bytes of strings: split it");
    }
    boolean heapUsed = false;
    long start = offset(offsets, 0, offsetWidth);
    for (int row = 0; row < rows; row++) {
      long next = offset(offsets, row + 1, offsetWidth);
      if (start < 0 || next < start || next > end) {
        throw ArrowImporter.corrupt(vector, "row " + row + " goes from " + start + " to " + next);
      }
      if (isValid(row)) {
        int length = (int) (next - start);
        heapUsed |= length > ViewBuilder.MAX_INLINE_BYTES;
        putView(parts, row, characters.memoryAddress(), (int) start, length);
      }
      start = next;
    }
    if (heapUsed) {
      parts.heaps.add(heap(characters, end));
    }
  }

  private static long offset(ArrowBuf offsets, int index, int width) {
    long at = offsets.memoryAddress() + (long) index * width;
    return width == Integer.BYTES ? Memory.getInt(at) : Memory.getLong(at);
  }

  private void putView(ArrowImporter.Parts parts, int row, long characters, int start, int length) {
    long view = parts.data.address() + (long) row * VIEW_BYTES;
    Memory.putInt(view, length);
    if (length <= ViewBuilder.MAX_INLINE_BYTES) {
      Memory.copy(characters + start, view + Integer.BYTES, length);
    } else {
      Memory.putInt(view + Integer.BYTES, Memory.getInt(characters + start));
      Memory.putInt(view + 3 * Integer.BYTES, start);
    }
  }

  /** Copies checked views and shares their heaps; buffers are validity, views, then the heaps. */
  private void viewsOfViews(ArrowImporter.Parts parts) {
    ArrowBuf views = buffers.get(1);
    ArrowImporter.checkCapacity(vector, views, (long) rows * VIEW_BYTES);
    for (int row = 0; row < rows; row++) {
      if (isValid(row)) {
        long view = views.memoryAddress() + (long) row * VIEW_BYTES;
        checkView(row, view);
        copyView(view, parts.data.address() + (long) row * VIEW_BYTES);
      }
    }
    for (ArrowBuf characters : buffers.subList(2, buffers.size())) {
      parts.heaps.add(heap(characters, characters.capacity()));
    }
  }

  /** Copies a checked view; sets the zeros after a short string and the prefix of a long one. */
  private void copyView(long view, long target) {
    int length = Memory.getInt(view);
    if (length <= ViewBuilder.MAX_INLINE_BYTES) {
      Memory.copy(view, target, Integer.BYTES + length);
    } else {
      Memory.copy(view, target, VIEW_BYTES);
      ArrowBuf heap = buffers.get(2 + Memory.getInt(view + 2 * Integer.BYTES));
      long characters = heap.memoryAddress() + Memory.getInt(view + 3 * Integer.BYTES);
      Memory.putInt(target + Integer.BYTES, Memory.getInt(characters));
    }
  }

  private void checkView(int row, long view) {
    int length = Memory.getInt(view);
    if (length > ViewBuilder.MAX_INLINE_BYTES) {
      int heap = Memory.getInt(view + 2 * Integer.BYTES);
      long offset = Memory.getInt(view + 3 * Integer.BYTES);
      boolean inside =
          heap >= 0
              && heap < buffers.size() - 2
              && offset >= 0
              && offset + length <= buffers.get(heap + 2).capacity();
      if (!inside) {
        throw ArrowImporter.corrupt(vector, "row " + row + " leads outside heap " + heap);
      }
    } else if (length < 0) {
      throw ArrowImporter.corrupt(vector, "row " + row + " has length " + length);
    }
  }

  private SharedBuffer heap(ArrowBuf characters, long length) {
    return new SharedBuffer(ArrowImporter.share(vector, characters, length, allocator));
  }

  private boolean isValid(int row) {
    return validity == null || Bitmaps.isSet(validity.address(), row);
  }
}
