package io.ariadne.spill.disk;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.ViewBuilder;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a column of strings whose heaps are little used: first views with their new positions,
 * then the characters that they point to, one after the other. Equivalent to {@code
 * HeapCompaction}, but needs no memory for the compacted heap.
 */
final class LiveCharacters {
  /** A heap holds fewer bytes than this unless one string is longer; offsets have 31 bits. */
  private static final int MAX_HEAP_BYTES = 1 << 30;

  private static final int VIEW_BYTES = 16;
  private static final int HEAP_INDEX_OFFSET = 8;
  private static final int HEAP_OFFSET_OFFSET = 12;

  private final ColumnVector column;
  private final ColumnReader reader;
  private final FrameWriter out;
  private final List<Long> heaps = new ArrayList<>();

  LiveCharacters(ColumnVector column, FrameWriter out) {
    this.column = column;
    this.reader = new ColumnReader(column);
    this.out = out;
  }

  /** Returns the length of the views. */
  long viewBytes() {
    return (long) column.rowCount() * VIEW_BYTES;
  }

  /** Writes the views, with zeros under nulls, and computes the lengths of the heaps. */
  void writeViews() {
    long used = 0;
    for (int row = 0; row < column.rowCount(); row++) {
      long view = out.reserve(VIEW_BYTES);
      if (reader.isNull(row)) {
        Memory.fill(view, VIEW_BYTES, (byte) 0);
        continue;
      }
      int length = reader.getByteLength(row);
      Memory.copy(column.data().address() + (long) row * VIEW_BYTES, view, VIEW_BYTES);
      if (length > ViewBuilder.MAX_INLINE_BYTES) {
        if (used > 0 && used + length > MAX_HEAP_BYTES) {
          heaps.add(used);
          used = 0;
        }
        Memory.putInt(view + HEAP_INDEX_OFFSET, heaps.size());
        Memory.putInt(view + HEAP_OFFSET_OFFSET, (int) used);
        used += length;
      }
    }
    pad(viewBytes());
    if (used > 0) {
      heaps.add(used);
    }
  }

  /** Writes the characters; returns the lengths of the heaps. */
  List<Long> writeHeaps() {
    int heap = 0;
    long used = 0;
    for (int row = 0; row < column.rowCount(); row++) {
      int length = reader.isNull(row) ? 0 : reader.getByteLength(row);
      if (length > ViewBuilder.MAX_INLINE_BYTES) {
        out.append(reader.getBytesAddress(row), length);
        used += length;
        if (used == heaps.get(heap)) {
          pad(used);
          heap++;
          used = 0;
        }
      }
    }
    return heaps;
  }

  private void pad(long lengthInBytes) {
    int zeros = (int) (MemoryBuffer.padded(lengthInBytes) - lengthInBytes);
    if (zeros > 0) {
      Memory.fill(out.reserve(zeros), zeros, (byte) 0);
    }
  }
}
