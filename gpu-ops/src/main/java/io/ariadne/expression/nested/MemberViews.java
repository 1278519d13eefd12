package io.ariadne.expression.nested;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import java.util.ArrayList;
import java.util.List;

/**
 * Views of struct members as columns, which share the struct's buffers. Only where both struct and
 * member have nulls, a bitmap is made, which this object owns.
 */
public final class MemberViews implements AutoCloseable {
  private final BufferAllocator allocator;
  private final List<MemoryBuffer> bitmaps = new ArrayList<>();

  /**
   * Creates an empty collection.
   *
   * @param allocator where bitmaps come from, in host memory
   */
  public MemberViews(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /**
   * Returns a member as a column.
   *
   * @param struct a column of structs in host memory
   * @param ordinals position of a member, then of a member of that member, and so on
   * @return a view that is never closed, valid while the struct and this object are open
   */
  public ColumnVector view(ColumnVector struct, List<Integer> ordinals) {
    ColumnVector column = struct;
    MemoryBuffer validity = struct.validity();
    for (int ordinal : ordinals) {
      column = column.children().get(ordinal);
      validity = both(validity, column.validity(), column.rowCount());
    }
    if (column.dictionary() != null) {
      throw new IllegalStateException("a struct has a dictionary column for a member");
    }
    return new ColumnVector(
        column.type(),
        column.physicalType(),
        column.rowCount(),
        column.data(),
        validity,
        ColumnVector.UNKNOWN_NULL_COUNT,
        column.heaps(),
        column.children());
  }

  /** Returns the conjunction of two bitmaps; null is a bitmap of ones. */
  private MemoryBuffer both(MemoryBuffer a, MemoryBuffer b, int rowCount) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    MemoryBuffer bits = allocator.allocate(PhysicalType.BOOL.dataLengthInBytes(rowCount));
    bitmaps.add(bits);
    // Buffers may be read, and ours written, up to the next multiple of 64 bytes.
    for (long at = 0; at < bits.lengthInBytes(); at += Long.BYTES) {
      long word = Memory.getLong(a.address() + at) & Memory.getLong(b.address() + at);
      Memory.putLong(bits.address() + at, word);
    }
    return bits;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    bitmaps.forEach(closer::close);
    bitmaps.clear();
    closer.rethrow();
  }
}
