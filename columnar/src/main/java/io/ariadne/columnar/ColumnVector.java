package io.ariadne.columnar;

import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import java.util.List;
import java.util.function.ObjLongConsumer;

/**
 * One column of a batch. Owns its data buffer, an optional validity bitmap and children, and
 * references to string heaps and to a dictionary.
 *
 * <p>A cleared validity bit means null; the data under a null is defined but meaningless. A column
 * without a validity buffer has no nulls. Not thread-safe; closed once by its owner.
 *
 * <p>A dictionary column ({@link PhysicalType#DICTIONARY32}) has codes as data; its type is that of
 * the values. Columns of a batch may be dictionary columns, nested columns may not.
 */
public final class ColumnVector implements AutoCloseable {
  /** Value of {@link #nullCount()} when the nulls were not counted. */
  public static final int UNKNOWN_NULL_COUNT = -1;

  private final DataType type;
  private final PhysicalType physicalType;
  private final int rowCount;
  private final MemoryBuffer data;
  private final MemoryBuffer validity;
  private final int nullCount;
  private final List<SharedBuffer> heaps;
  private final List<ColumnVector> children;
  private final Dictionary dictionary;

  /**
   * Takes ownership of all parts.
   *
   * @param type logical type
   * @param physicalType layout of {@code data}, not {@link PhysicalType#DICTIONARY32}: see {@link
   *     #ofDictionary}
   * @param rowCount rows
   * @param data values, null only for {@link PhysicalType#NONE}
   * @param validity one bit per row, or null when there are no nulls
   * @param nullCount nulls, or {@link #UNKNOWN_NULL_COUNT}
   * @param heaps string heaps; ownership of one reference to each passes to the column
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
    if (physicalType == PhysicalType.DICTIONARY32) {
      throw new IllegalArgumentException("a dictionary column needs a dictionary");
    }
    this.type = type;
    this.physicalType = physicalType;
    this.rowCount = rowCount;
    this.data = data;
    this.validity = validity;
    this.nullCount = validity == null ? 0 : nullCount;
    this.heaps = List.copyOf(heaps);
    this.children = List.copyOf(children);
    this.dictionary = null;
  }

  private ColumnVector(
      Dictionary dictionary,
      int rowCount,
      MemoryBuffer codes,
      MemoryBuffer validity,
      int nullCount) {
    this.type = dictionary.type();
    this.physicalType = PhysicalType.DICTIONARY32;
    this.rowCount = rowCount;
    this.data = codes;
    this.validity = validity;
    this.nullCount = validity == null ? 0 : nullCount;
    this.heaps = List.of();
    this.children = List.of();
    this.dictionary = dictionary;
  }

  /**
   * Creates a dictionary column, which takes ownership of all parts.
   *
   * @param dictionary the values; ownership of one reference passes to the column
   * @param rowCount rows
   * @param codes one unsigned 32-bit code per row, each below the number of entries, also under
   *     nulls; code that reads them from a file checks them
   * @param validity one bit per row, or null when there are no nulls
   * @param nullCount nulls, or {@link #UNKNOWN_NULL_COUNT}
   */
  public static ColumnVector ofDictionary(
      Dictionary dictionary,
      int rowCount,
      MemoryBuffer codes,
      MemoryBuffer validity,
      int nullCount) {
    return new ColumnVector(dictionary, rowCount, codes, validity, nullCount);
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

  /** Returns the layout of the values: that of the entries for dictionary columns. */
  public PhysicalType valueLayout() {
    return dictionary == null ? physicalType : dictionary.valueLayout();
  }

  /** Returns the dictionary, whose reference this column keeps; null for other columns. */
  public Dictionary dictionary() {
    return dictionary;
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

  /** Returns the number of nulls, counted now if unknown; host memory only. */
  public int countNulls() {
    if (nullCount != UNKNOWN_NULL_COUNT) {
      return nullCount;
    }
    return rowCount - (int) Bitmaps.countSet(validity.address(), rowCount);
  }

  /**
   * Returns the heaps that views of this column index; this column keeps its references. The heaps
   * of a dictionary belong to its entries.
   */
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

  /** Returns bytes held, padding included; heaps and dictionaries count fully for each owner. */
  public long sizeInBytes() {
    long bytes = data == null ? 0 : data.capacityInBytes();
    bytes += validity == null ? 0 : validity.capacityInBytes();
    for (SharedBuffer heap : heaps) {
      bytes += heap.capacityInBytes();
    }
    for (ColumnVector child : children) {
      bytes += child.sizeInBytes();
    }
    bytes += dictionary == null ? 0 : dictionary.sizeInBytes();
    return bytes;
  }

  /** Returns bytes that only this column owns, padding included: without heaps and dictionaries. */
  public long ownSizeInBytes() {
    long bytes = data == null ? 0 : data.capacityInBytes();
    bytes += validity == null ? 0 : validity.capacityInBytes();
    for (ColumnVector child : children) {
      bytes += child.ownSizeInBytes();
    }
    return bytes;
  }

  /**
   * Visits everything that other columns may reference, too, with its bytes, padding included: a
   * heap once for each reference, a dictionary without its heaps, and then the dictionary's heaps.
   *
   * @param visitor gets {@link SharedBuffer}s and {@link Dictionary}s, to be compared by identity
   */
  public void visitShared(ObjLongConsumer<Object> visitor) {
    for (SharedBuffer heap : heaps) {
      visitor.accept(heap, heap.capacityInBytes());
    }
    for (ColumnVector child : children) {
      child.visitShared(visitor);
    }
    if (dictionary != null) {
      visitor.accept(dictionary, dictionary.entries().ownSizeInBytes());
      dictionary.entries().visitShared(visitor);
    }
  }

  /** Does what {@link RecordBatch#leaveWork} does for the column's own buffers. */
  void leaveWork() {
    if (data != null) {
      data.leaveWork();
    }
    if (validity != null) {
      validity.leaveWork();
    }
    children.forEach(ColumnVector::leaveWork);
  }

  /** Frees the buffers and releases heaps and dictionary, all of them even if one fails. */
  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(data);
    closer.close(validity);
    heaps.forEach(heap -> closer.close(heap::release));
    children.forEach(closer::close);
    if (dictionary != null) {
      closer.close(dictionary::release);
    }
    closer.rethrow();
  }
}
