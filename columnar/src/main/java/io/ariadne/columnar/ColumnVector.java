package io.ariadne.columnar;

import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import java.util.List;

/**
 * One column of a batch, owning its buffers: data, optional validity bitmap, string heaps,
 * children.
 *
 * <p>A cleared validity bit means null; the data under a null is defined but meaningless. A column
 * without a validity buffer has no nulls. Not thread-safe; closed once by its owner.
 */
public final class ColumnVector implements AutoCloseable {
  /** Value of {@link #nullCount()} when nobody has counted. */
  public static final int UNKNOWN_NULL_COUNT = -1;

  private final DataType type;
  private final PhysicalType physicalType;
  private final int rowCount;
  private final MemoryBuffer data;
  private final MemoryBuffer validity;
  private final int nullCount;
  private final List<SharedBuffer> heaps;
  private final List<ColumnVector> children;

  /**
   * Takes ownership of all parts.
   *
   * @param type logical type
   * @param physicalType layout of {@code data}
   * @param rowCount rows
   * @param data values, null only for {@link PhysicalType#NONE}
   * @param validity one bit per row, or null when there are no nulls
   * @param nullCount nulls, or {@link #UNKNOWN_NULL_COUNT}
   * @param heaps string heaps, one hold on each is taken over
   * @param children nested columns
   */
  public ColumnVector(
      DataType type,
      PhysicalType physicalType,
      int rowCount,
      MemoryBuffer data,
      MemoryBuffer validity,
      int nullCount,
      List<SharedBuffer> heaps,
      List<ColumnVector> children) {
    this.type = type;
    this.physicalType = physicalType;
    this.rowCount = rowCount;
    this.data = data;
    this.validity = validity;
    this.nullCount = validity == null ? 0 : nullCount;
    this.heaps = List.copyOf(heaps);
    this.children = List.copyOf(children);
  }

  /** Creates a flat column without heaps; arguments as in the full constructor. */
  public static ColumnVector flat(
      DataType type,
      PhysicalType physicalType,
      int rowCount,
      MemoryBuffer data,
      MemoryBuffer validity) {
    return new ColumnVector(
        type, physicalType, rowCount, data, validity, UNKNOWN_NULL_COUNT, List.of(), List.of());
  }

  /** Returns the logical type. */
  public DataType type() {
    return type;
  }

  /** Returns the layout of {@link #data()}. */
  public PhysicalType physicalType() {
    return physicalType;
  }

  /** Returns the number of rows. */
  public int rowCount() {
    return rowCount;
  }

  /** Returns the values, still owned by this column. */
  public MemoryBuffer data() {
    return data;
  }

  /** Returns the validity bitmap, still owned by this column, or null when there are no nulls. */
  public MemoryBuffer validity() {
    return validity;
  }

  /** Returns whether nulls may occur. */
  public boolean mayHaveNulls() {
    return validity != null;
  }

  /** Returns the number of nulls, or {@link #UNKNOWN_NULL_COUNT}. */
  public int nullCount() {
    return nullCount;
  }

  /** Returns the number of nulls, counted now if nobody has; host memory only. */
  public int countNulls() {
    if (nullCount != UNKNOWN_NULL_COUNT) {
      return nullCount;
    }
    return rowCount - (int) Bitmaps.countSet(validity.address(), rowCount);
  }

  /** Returns the heaps that views of this column index; this column keeps its holds. */
  public List<SharedBuffer> heaps() {
    return heaps;
  }

  /** Returns the nested columns. */
  public List<ColumnVector> children() {
    return children;
  }

  /** Returns whether row {@code row} is null. */
  public boolean isNull(int row) {
    return validity != null && (validity.getByte(row >>> 3) >>> (row & 7) & 1) == 0;
  }

  /** Returns bytes held, padding included; heaps count fully for each holder. */
  public long sizeInBytes() {
    long bytes = data == null ? 0 : data.capacityInBytes();
    bytes += validity == null ? 0 : validity.capacityInBytes();
    for (SharedBuffer heap : heaps) {
      bytes += heap.capacityInBytes();
    }
    for (ColumnVector child : children) {
      bytes += child.sizeInBytes();
    }
    return bytes;
  }

  /** Frees the buffers and lets go of the heaps, all of them also when one fails. */
  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(data);
    closer.close(validity);
    heaps.forEach(heap -> closer.close(heap::release));
    children.forEach(closer::close);
    closer.rethrow();
  }
}
