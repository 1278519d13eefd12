package io.ariadne.bridge.vector;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.PhysicalType;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Presents a column of host memory to Spark.
 *
 * <p>Owns the column unless it is a view (of a caller's column, or nested in another), and closes
 * it once; closing again does nothing. Getters copy nothing but binary values and wide decimals.
 * Strings and nested values point into the column, or its dictionary, and are valid until it is
 * closed. Row indices are checked, also after close. Under a null the getters of numbers return an
 * unspecified value and the others null, as Spark's own vectors do.
 */
public final class AriadneColumnVector extends org.apache.spark.sql.vectorized.ColumnVector {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Longer values are copied by the system's routine. */
  private static final int MAX_WORDWISE_BYTES = 64;

  private static final int MAX_INLINE_BYTES = 12;
  private static final int VIEW_SHIFT = 4;
  private static final int PREFIX_OFFSET = 4;
  private static final int HEAP_INDEX_OFFSET = 8;
  private static final int HEAP_OFFSET_OFFSET = 12;

  private final PhysicalType physicalType;
  private final AriadneColumnVector[] children;
  private final boolean isView;
  private final long data;
  private final long codes;
  private final long validity;
  private final long[] heaps;
  private ColumnVector column;
  private int rowCount;
  private int nullCount;

  /**
   * Takes ownership of a column.
   *
   * @param column the values, in host memory
   * @param sparkType their Spark type, which {@code SparkTypes} maps to {@code column.type()}
   */
  public AriadneColumnVector(ColumnVector column, DataType sparkType) {
    this(column, sparkType, false);
  }

  /**
   * Returns a view of a column that stays owned by the caller. Closing the view closes nothing; it
   * is valid while the column is open.
   *
   * @param column the values, in host memory
   * @param sparkType their Spark type
   */
  public static AriadneColumnVector viewOf(ColumnVector column, DataType sparkType) {
    return new AriadneColumnVector(column, sparkType, true);
  }

  private AriadneColumnVector(ColumnVector column, DataType sparkType, boolean isView) {
    super(sparkType);
    this.column = column;
    this.isView = isView;
    this.physicalType = column.valueLayout();
    this.rowCount = column.rowCount();
    this.nullCount = column.nullCount();
    boolean isCoded = column.dictionary() != null;
    ColumnVector values = isCoded ? column.dictionary().entries() : column;
    this.codes = isCoded ? column.data().address() : 0;
    this.data = values.data() == null ? 0 : values.data().address();
    this.validity = column.validity() == null ? 0 : column.validity().address();
    this.heaps = values.heaps().stream().mapToLong(SharedBuffer::address).toArray();
    this.children = children(column.children(), sparkType);
  }

  private static AriadneColumnVector[] children(List<ColumnVector> columns, DataType sparkType) {
    AriadneColumnVector[] children = new AriadneColumnVector[columns.size()];
    for (int i = 0; i < children.length; i++) {
      children[i] = new AriadneColumnVector(columns.get(i), childType(sparkType, i), true);
    }
    return children;
  }

  private static DataType childType(DataType type, int index) {
    if (type instanceof StructType struct) {
      return struct.fields()[index].dataType();
    }
    if (type instanceof MapType map) {
      return new StructType()
          .add("key", map.keyType(), false)
          .add("value", map.valueType(), map.valueContainsNull());
    }
    return ((ArrayType) type).elementType();
  }

  /**
   * Returns the column, still owned by this vector.
   *
   * @throws IllegalStateException after close or {@link #take}
   */
  public ColumnVector column() {
    if (column == null) {
      throw new IllegalStateException("the vector is closed or its column was taken");
    }
    return column;
  }

  /** Returns whether the column has been neither closed nor taken. */
  public boolean isOpen() {
    return column != null;
  }

  /**
   * Passes ownership of the column to the caller; the call closes this vector.
   *
   * @throws IllegalStateException after close, or when this is a view
   */
  public ColumnVector take() {
    if (isView) {
      throw new IllegalStateException("a view does not own its column");
    }
    ColumnVector taken = column();
    forget();
    return taken;
  }

  @Override
  public void close() {
    if (column != null && !isView) {
      ColumnVector closing = column;
      forget();
      closing.close();
    }
  }

  private void forget() {
    column = null;
    rowCount = 0;
    for (AriadneColumnVector child : children) {
      child.forget();
    }
  }

  @Override
  public boolean hasNull() {
    return numNulls() > 0;
  }

  @Override
  public int numNulls() {
    if (nullCount == ColumnVector.UNKNOWN_NULL_COUNT) {
      nullCount = countNulls();
    }
    return nullCount;
  }

  private int countNulls() {
    if (validity == 0) {
      return 0;
    }
    int valid = 0;
    int row = 0;
    for (; row + Long.SIZE <= rowCount; row += Long.SIZE) {
      valid += Long.bitCount(Memory.getLong(validity + (row >>> 3)));
    }
    for (; row < rowCount; row++) {
      valid += isNullAt(row) ? 0 : 1;
    }
    return rowCount - valid;
  }

  @Override
  public boolean isNullAt(int rowId) {
    int row = checked(rowId);
    return validity != 0 && (Memory.getByte(validity + (row >>> 3)) >>> (row & 7) & 1) == 0;
  }

  @Override
  public boolean getBoolean(int rowId) {
    int place = place(rowId);
    return (Memory.getByte(data + (place >>> 3)) >>> (place & 7) & 1) != 0;
  }

  @Override
  public byte getByte(int rowId) {
    return Memory.getByte(data + place(rowId));
  }

  @Override
  public short getShort(int rowId) {
    return Memory.getShort(data + ((long) place(rowId) << 1));
  }

  @Override
  public int getInt(int rowId) {
    return Memory.getInt(data + ((long) place(rowId) << 2));
  }

  @Override
  public long getLong(int rowId) {
    return Memory.getLong(data + ((long) place(rowId) << 3));
  }

  @Override
  public float getFloat(int rowId) {
    return Memory.getFloat(data + ((long) place(rowId) << 2));
  }

  @Override
  public double getDouble(int rowId) {
    return Memory.getDouble(data + ((long) place(rowId) << 3));
  }

  @Override
  public Decimal getDecimal(int rowId, int precision, int scale) {
    if (isNullAt(rowId)) {
      return null;
    }
    return switch (physicalType) {
      case I32 -> unscaled(getInt(rowId), precision, scale);
      case I64 -> unscaled(getLong(rowId), precision, scale);
      default -> wideDecimal(rowId, precision, scale);
    };
  }

  /** Returns the unscaled value of a decimal of at most 18 digits; unspecified under a null. */
  public long getUnscaled(int rowId) {
    return switch (physicalType) {
      case I32 -> getInt(rowId);
      case I64 -> getLong(rowId);
      default -> Memory.getLong(data + ((long) place(rowId) << 4));
    };
  }

  private Decimal wideDecimal(int rowId, int precision, int scale) {
    long address = data + ((long) place(rowId) << 4);
    long low = Memory.getLong(address);
    long high = Memory.getLong(address + Long.BYTES);
    if (high == low >> (Long.SIZE - 1)) {
      return unscaled(low, precision, scale);
    }
    byte[] bigEndian = new byte[2 * Long.BYTES];
    for (int i = 0; i < Long.BYTES; i++) {
      bigEndian[i] = (byte) (high >>> (Long.SIZE - Byte.SIZE * (i + 1)));
      bigEndian[Long.BYTES + i] = (byte) (low >>> (Long.SIZE - Byte.SIZE * (i + 1)));
    }
    return Decimal.apply(new BigDecimal(new BigInteger(bigEndian), scale), precision, scale);
  }

  private static Decimal unscaled(long value, int precision, int scale) {
    return precision <= Decimal.MAX_LONG_DIGITS()
        ? Decimal.createUnsafe(value, precision, scale)
        : Decimal.apply(BigDecimal.valueOf(value, scale), precision, scale);
  }

  @Override
  public UTF8String getUTF8String(int rowId) {
    if (isNullAt(rowId)) {
      return null;
    }
    long view = data + ((long) place(rowId) << VIEW_SHIFT);
    return UTF8String.fromAddress(null, bytesAddress(view), Memory.getInt(view));
  }

  @Override
  public byte[] getBinary(int rowId) {
    if (isNullAt(rowId)) {
      return null;
    }
    long view = data + ((long) place(rowId) << VIEW_SHIFT);
    byte[] bytes = new byte[Memory.getInt(view)];
    Memory.copy(bytesAddress(view), bytes, 0, bytes.length);
    return bytes;
  }

  /** Returns the bytes of a string or binary value that is not null. */
  public int byteCount(int rowId) {
    return Memory.getInt(data + ((long) place(rowId) << VIEW_SHIFT));
  }

  /**
   * Copies a string or binary value that is not null.
   *
   * @param rowId the row
   * @param target zeroed, with space for {@link #byteCount} bytes in whole words
   * @param offset position of the first byte
   */
  public void copyBytes(int rowId, byte[] target, int offset) {
    long view = data + ((long) place(rowId) << VIEW_SHIFT);
    int length = Memory.getInt(view);
    if (length <= MAX_INLINE_BYTES) {
      copyInline(view, length, target, offset);
    } else if (length <= MAX_WORDWISE_BYTES) {
      copyWords(bytesAddress(view), length, target, offset);
    } else {
      Memory.copy(bytesAddress(view), target, offset, length);
    }
  }

  private static void copyInline(long view, int length, byte[] target, int offset) {
    if (length > Long.BYTES) {
      LONGS.set(target, offset, Memory.getLong(view + PREFIX_OFFSET));
      long rest = Memory.getInt(view + PREFIX_OFFSET + Long.BYTES);
      LONGS.set(target, offset + Long.BYTES, first(rest, length - Long.BYTES));
    } else if (length > 0) {
      LONGS.set(target, offset, first(Memory.getLong(view + PREFIX_OFFSET), length));
    }
  }

  /** Returns the first one to eight bytes at an address as a word, padded with zeros. */
  private static long first(long word, int count) {
    int others = (Long.BYTES - count) * Byte.SIZE;
    return word << others >>> others;
  }

  /** Copies more than eight bytes, without reading beyond them. */
  private static void copyWords(long address, int length, byte[] target, int offset) {
    int last = (length - 1) & -Long.BYTES;
    for (int at = 0; at < last; at += Long.BYTES) {
      LONGS.set(target, offset + at, Memory.getLong(address + at));
    }
    int others = (last + Long.BYTES - length) * Byte.SIZE;
    long end = Memory.getLong(address + length - Long.BYTES);
    LONGS.set(target, offset + last, end >>> others);
  }

  private long bytesAddress(long view) {
    return Memory.getInt(view) <= MAX_INLINE_BYTES
        ? view + PREFIX_OFFSET
        : heaps[Memory.getInt(view + HEAP_INDEX_OFFSET)] + Memory.getInt(view + HEAP_OFFSET_OFFSET);
  }

  @Override
  public ColumnarArray getArray(int rowId) {
    if (isNullAt(rowId)) {
      return null;
    }
    int start = offset(rowId);
    return new ColumnarArray(children[0], start, offset(rowId + 1) - start);
  }

  @Override
  public ColumnarMap getMap(int rowId) {
    if (isNullAt(rowId)) {
      return null;
    }
    int start = offset(rowId);
    AriadneColumnVector entries = children[0];
    return new ColumnarMap(
        entries.children[0], entries.children[1], start, offset(rowId + 1) - start);
  }

  private int offset(int index) {
    return Memory.getInt(data + ((long) index << 2));
  }

  @Override
  public org.apache.spark.sql.vectorized.ColumnVector getChild(int ordinal) {
    return children[ordinal];
  }

  /** Returns the position of a row's value: the row itself, or the row's dictionary code. */
  private int place(int row) {
    checked(row);
    return codes == 0 ? row : Memory.getInt(codes + ((long) row << 2));
  }

  private int checked(int row) {
    return Objects.checkIndex(row, rowCount);
  }
}
