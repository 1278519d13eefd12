package io.ariadne.columnar;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.StructType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Reads a column of host memory row by row.
 *
 * <p>A view: owns nothing and is valid while the column is open. Fails on rows outside the column,
 * codes outside the dictionary, and heap numbers and offsets outside their heaps. Each getter reads
 * one layout of values ({@link #valueLayout}), in the column or in its dictionary. It ignores the
 * validity bitmap; its result under a null is meaningless. Not thread-safe against close.
 */
public final class ColumnReader {
  private static final int MAX_INLINE_BYTES = 12;
  private static final int VIEW_BYTES = 16;
  private static final int PREFIX_OFFSET = 4;
  private static final int HEAP_INDEX_OFFSET = 8;
  private static final int HEAP_OFFSET_OFFSET = 12;

  private final ColumnVector column;
  private final ColumnVector values;
  private final MemoryBuffer data;
  private final MemoryBuffer codes;
  private final int rowCount;
  private final List<ColumnReader> children;

  /**
   * Creates a reader.
   *
   * @param column stays owned by the caller
   */
  public ColumnReader(ColumnVector column) {
    this.column = column;
    boolean isEncoded = column.dictionary() != null;
    this.values = isEncoded ? column.dictionary().entries() : column;
    this.data = values.data();
    this.codes = isEncoded ? column.data() : null;
    this.rowCount = column.rowCount();
    this.children = column.children().stream().map(ColumnReader::new).toList();
  }

  /** Returns the column. */
  public ColumnVector column() {
    return column;
  }

  /** Returns the layout that getters read: that of the entries for dictionary columns. */
  public PhysicalType valueLayout() {
    return values.physicalType();
  }

  /** Returns the number of rows. */
  public int rowCount() {
    return rowCount;
  }

  /** Returns the reader of a nested column. */
  public ColumnReader child(int index) {
    return children.get(index);
  }

  /** Returns whether the row is null. */
  public boolean isNull(int row) {
    return column.isNull(checked(row));
  }

  /** Returns the value of a BOOL row. */
  public boolean getBoolean(int row) {
    int at = index(row);
    return ((data.getByte(at >>> 3) >>> (at & 7)) & 1) != 0;
  }

  /** Returns the value of an I8 row. */
  public byte getByte(int row) {
    return data.getByte(index(row));
  }

  /** Returns the value of an I16 row. */
  public short getShort(int row) {
    return data.getShort((long) index(row) * Short.BYTES);
  }

  /** Returns the value of an I32 row. */
  public int getInt(int row) {
    return data.getInt((long) index(row) * Integer.BYTES);
  }

  /** Returns the value of an I64 row. */
  public long getLong(int row) {
    return data.getLong((long) index(row) * Long.BYTES);
  }

  /** Returns the value of an F32 row. */
  public float getFloat(int row) {
    return data.getFloat((long) index(row) * Float.BYTES);
  }

  /** Returns the value of an F64 row. */
  public double getDouble(int row) {
    return data.getDouble((long) index(row) * Double.BYTES);
  }

  /** Returns the upper half of an I128 row, with the sign. */
  public long getHigh(int row) {
    return data.getLong((long) index(row) * (2 * Long.BYTES) + Long.BYTES);
  }

  /** Returns the lower half of an I128 row. */
  public long getLow(int row) {
    return data.getLong((long) index(row) * (2 * Long.BYTES));
  }

  /** Returns the integer of an I8, I16, I32, I64 or I128 row: for decimals the unscaled value. */
  public BigInteger getUnscaled(int row) {
    return values.physicalType() == PhysicalType.I128
        ? toBigInteger(getHigh(row), getLow(row))
        : BigInteger.valueOf(getIntegral(row));
  }

  /** Returns the integer of an I8, I16, I32 or I64 row: for decimals the unscaled value. */
  public long getIntegral(int row) {
    return switch (values.physicalType()) {
      case I8 -> getByte(row);
      case I16 -> getShort(row);
      case I32 -> getInt(row);
      case I64 -> getLong(row);
      default -> throw new IllegalStateException(values.physicalType() + " is not an integer");
    };
  }

  /** Returns the value of a row of a decimal column, with the type's scale. */
  public BigDecimal getDecimal(int row) {
    return new BigDecimal(getUnscaled(row), ((DecimalType) column.type()).scale());
  }

  /** Returns the length in bytes of a VIEW16 row. */
  public int getByteLength(int row) {
    return data.getInt(view(row));
  }

  /** Returns a copy of the bytes of a VIEW16 row. */
  public byte[] getBytes(int row) {
    int length = getByteLength(row);
    byte[] bytes = new byte[checkedLength(length, row)];
    long view = view(row);
    if (length <= MAX_INLINE_BYTES) {
      data.getBytes(view + PREFIX_OFFSET, bytes, 0, length);
    } else {
      heap(view).getBytes(heapOffset(view), bytes, 0, length);
    }
    return bytes;
  }

  /**
   * Returns the address of the first byte of a VIEW16 row, valid while the column is open. The
   * {@link #getByteLength} bytes that follow it lie inside the view or its heap.
   */
  public long getBytesAddress(int row) {
    int length = checkedLength(getByteLength(row), row);
    long view = view(row);
    if (length <= MAX_INLINE_BYTES) {
      return data.address() + view + PREFIX_OFFSET;
    }
    MemoryBuffer heap = heap(view);
    long offset = heapOffset(view);
    Objects.checkFromIndexSize(offset, length, heap.lengthInBytes());
    return heap.address() + offset;
  }

  /** Returns the text of a VIEW16 row. */
  public String getString(int row) {
    return new String(getBytes(row), StandardCharsets.UTF_8);
  }

  /** Returns the first child row of a list or map row. */
  public int getStart(int row) {
    return data.getInt((long) checked(row) * Integer.BYTES);
  }

  /** Returns the child row after the last of a list or map row. */
  public int getEnd(int row) {
    return data.getInt((checked(row) + 1L) * Integer.BYTES);
  }

  /**
   * Returns the value of any row as an object. Slow: for tests and messages.
   *
   * @return null, or Boolean; Byte, Short, Integer, Long by layout; Float; Double; BigInteger (the
   *     unscaled value) for decimals; String for STRING; {@code byte[]} for BINARY; a List of
   *     elements for lists, of members for structs, of two-element lists (key, value) for maps
   */
  public Object getValue(int row) {
    if (isNull(row)) {
      return null;
    }
    if (column.type() instanceof DecimalType) {
      return getUnscaled(row);
    }
    return switch (values.physicalType()) {
      case BOOL -> (Object) getBoolean(row);
      case I8 -> getByte(row);
      case I16 -> getShort(row);
      case I32 -> getInt(row);
      case I64 -> getLong(row);
      case I128 -> getUnscaled(row);
      case F32 -> getFloat(row);
      case F64 -> getDouble(row);
      case VIEW16 -> column.type() == PrimitiveType.STRING ? getString(row) : getBytes(row);
      case OFFSETS -> elements(row);
      case NONE -> members(row);
      case DICTIONARY32 -> throw new IllegalStateException("a dictionary of codes");
    };
  }

  private List<Object> elements(int row) {
    ColumnReader child = child(0);
    List<Object> values = new ArrayList<>();
    for (int i = getStart(row); i < getEnd(row); i++) {
      values.add(child.getValue(i));
    }
    return values;
  }

  private List<Object> members(int row) {
    if (!(column.type() instanceof StructType)) {
      throw new IllegalStateException("a column of type " + column.type() + " has no values");
    }
    List<Object> values = new ArrayList<>();
    for (ColumnReader child : children) {
      values.add(child.getValue(row));
    }
    return values;
  }

  private static BigInteger toBigInteger(long high, long low) {
    if (high == low >> (Long.SIZE - 1)) {
      return BigInteger.valueOf(low);
    }
    BigInteger upper = BigInteger.valueOf(high).shiftLeft(Long.SIZE);
    BigInteger lower = BigInteger.valueOf(low);
    return upper.add(low < 0 ? lower.add(BigInteger.ONE.shiftLeft(Long.SIZE)) : lower);
  }

  private MemoryBuffer heap(long view) {
    int index = data.getInt(view + HEAP_INDEX_OFFSET);
    return values.heaps().get(Objects.checkIndex(index, values.heaps().size())).buffer();
  }

  private long heapOffset(long view) {
    return data.getInt(view + HEAP_OFFSET_OFFSET);
  }

  private int checkedLength(int length, int row) {
    if (length < 0) {
      throw new IllegalStateException("row " + row + " has a string of length " + length);
    }
    return length;
  }

  private int checked(int row) {
    return Objects.checkIndex(row, rowCount);
  }

  /** Returns the index of a row's value, in the column or in its dictionary. */
  private int index(int row) {
    checked(row);
    return codes == null
        ? row
        : Objects.checkIndex(codes.getInt((long) row * Integer.BYTES), values.rowCount());
  }

  private long view(int row) {
    return (long) index(row) * VIEW_BYTES;
  }
}
