package io.ariadne.columnar.builder;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.StructType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Builds one column row by row in host memory.
 *
 * <p>A validity bitmap exists only when a null was appended. The data under a null is zero. After
 * {@link #build} the builder is empty and may be used again; {@link #close} frees what was not
 * built. An append that fails for lack of memory leaves the rows unchanged. Not thread-safe.
 */
public abstract class ColumnBuilder implements AutoCloseable {
  private final DataType type;
  private final PhysicalType physicalType;
  private final BufferAllocator allocator;
  private final GrowableBuffer validity;
  private int rowCount;
  private int nullCount;

  ColumnBuilder(DataType type, PhysicalType physicalType, BufferAllocator allocator) {
    this.type = Objects.requireNonNull(type, "type is null");
    this.physicalType = physicalType;
    this.allocator = allocator;
    this.validity = new GrowableBuffer(allocator, true);
    if (allocator.tier() != MemoryTier.HOST && allocator.tier() != MemoryTier.PINNED) {
      throw new IllegalArgumentException("builders need host memory, not " + allocator.tier());
    }
  }

  /**
   * Creates a builder of a type's default layout.
   *
   * @param type the column's type
   * @param allocator where buffers come from; HOST or PINNED
   */
  public static ColumnBuilder create(DataType type, BufferAllocator allocator) {
    return create(type, type.defaultPhysicalType(), allocator);
  }

  /**
   * Creates a builder of a given layout.
   *
   * @param type the column's type
   * @param physicalType the layout: the type's default, or for decimals any of I32, I64 and I128
   *     that holds the precision
   * @param allocator where buffers come from; HOST or PINNED
   */
  public static ColumnBuilder create(
      DataType type, PhysicalType physicalType, BufferAllocator allocator) {
    checkLayout(type, physicalType);
    return switch (physicalType) {
      case BOOL -> new BooleanBuilder(type, allocator);
      case I8 -> new ByteBuilder(type, allocator);
      case I16 -> new ShortBuilder(type, allocator);
      case I32 -> new IntBuilder(type, allocator);
      case I64 -> new LongBuilder(type, allocator);
      case I128 -> new Int128Builder(type, allocator);
      case F32 -> new FloatBuilder(type, allocator);
      case F64 -> new DoubleBuilder(type, allocator);
      case VIEW16 -> new ViewBuilder(type, allocator);
      case OFFSETS -> new ListBuilder(type, allocator);
      case NONE ->
          type instanceof StructType struct
              ? new StructBuilder(struct, allocator)
              : new NullBuilder(allocator);
      case DICTIONARY32 -> throw new IllegalArgumentException("builders make no codes");
    };
  }

  private static void checkLayout(DataType type, PhysicalType physicalType) {
    boolean allowed = physicalType == type.defaultPhysicalType();
    if (type instanceof DecimalType decimal) {
      PhysicalType narrowest = decimal.narrowestPhysicalType();
      allowed =
          physicalType == PhysicalType.I128
              || (physicalType == PhysicalType.I64 && narrowest != PhysicalType.I128)
              || physicalType == narrowest;
    }
    if (!allowed) {
      throw new IllegalArgumentException(type + " cannot be laid out as " + physicalType);
    }
  }

  /** Returns the column's type. */
  public final DataType type() {
    return type;
  }

  /** Returns the layout. */
  public final PhysicalType physicalType() {
    return physicalType;
  }

  /** Returns rows appended since the last build. */
  public final int rowCount() {
    return rowCount;
  }

  /** Returns nulls among them. */
  public final int nullCount() {
    return nullCount;
  }

  /** Reserves memory for further rows, so that appends do not move the data. */
  public final void reserve(int rows) {
    ensureRows(Math.addExact(rowCount, rows));
  }

  /** Appends a null. */
  public final void appendNull() {
    int rows = Math.addExact(rowCount, 1);
    if (nullCount == 0) {
      startValidity(rows);
    } else {
      validity.ensure(PhysicalType.BOOL.dataLengthInBytes(rows));
    }
    prepareNull(rows);
    rowCount = rows;
    nullCount++;
  }

  /**
   * Appends a value given as an object; null appends a null. Slow: for tests and constants.
   *
   * @param value Boolean; Byte, Short, Integer or Long as the layout has it; Float; Double;
   *     BigInteger (the unscaled value) for decimals; {@code byte[]} for strings (UTF-8) and
   *     binary; a List of elements for lists, of members for structs, and of two-element lists
   *     (key, value) for maps
   */
  public final void appendValue(Object value) {
    if (value == null) {
      appendNull();
    } else {
      appendObject(value);
    }
  }

  /**
   * Returns the column. Columns without rows need memory, too. When memory runs out, the rows are
   * lost, and the builder must be closed.
   *
   * @return the column, owned by the caller
   */
  public final ColumnVector build() {
    List<ColumnVector> nested = takeChildren();
    MemoryBuffer data;
    try {
      data = physicalType == PhysicalType.NONE ? null : takeData(rowCount);
    } catch (RuntimeException | Error e) {
      nested.forEach(ColumnVector::close);
      throw e;
    }
    MemoryBuffer bits =
        nullCount == 0 ? null : validity.take(PhysicalType.BOOL.dataLengthInBytes(rowCount));
    ColumnVector column =
        new ColumnVector(type, physicalType, rowCount, data, bits, nullCount, takeHeaps(), nested);
    rowCount = 0;
    nullCount = 0;
    return column;
  }

  /** Builds several columns; when one fails, those before it are closed. */
  static List<ColumnVector> buildAll(List<ColumnBuilder> builders) {
    List<ColumnVector> built = new ArrayList<>(builders.size());
    try {
      for (ColumnBuilder builder : builders) {
        built.add(builder.build());
      }
      return built;
    } catch (RuntimeException | Error e) {
      built.forEach(ColumnVector::close);
      throw e;
    }
  }

  /** Frees the rows that were not built. */
  @Override
  public void close() {
    validity.close();
    rowCount = 0;
    nullCount = 0;
  }

  final BufferAllocator allocator() {
    return allocator;
  }

  /** Counts a row whose value has been written. */
  final void endValue() {
    int row = rowCount;
    if (nullCount > 0) {
      validity.ensure(PhysicalType.BOOL.dataLengthInBytes(row + 1));
      setBit(validity.address(), row);
    }
    rowCount = row + 1;
  }

  /** Drops rows from the end, until {@code rows} are left; does nothing when there are fewer. */
  final void truncate(int rows) {
    if (rows >= rowCount) {
      return;
    }
    if (nullCount > 0) {
      nullCount -= rowCount - rows - clearBits(validity.address(), rows, rowCount);
    }
    int before = rowCount;
    rowCount = rows;
    dropRows(rows, before);
  }

  /** Clears bits; returns how many were set. */
  static int clearBits(long address, int first, int end) {
    int cleared = 0;
    for (int row = first; row < end; row++) {
      long at = address + (row >>> 3);
      int mask = 1 << (row & 7);
      byte bits = Memory.getByte(at);
      cleared += (bits & mask) == 0 ? 0 : 1;
      Memory.putByte(at, (byte) (bits & ~mask));
    }
    return cleared;
  }

  static void setBit(long address, int row) {
    long at = address + (row >>> 3);
    Memory.putByte(at, (byte) (Memory.getByte(at) | (1 << (row & 7))));
  }

  /** Sets the validity bit of every earlier row. */
  private void startValidity(int rows) {
    validity.ensure(PhysicalType.BOOL.dataLengthInBytes(rows));
    int fullBytes = rowCount >>> 3;
    Memory.fill(validity.address(), fullBytes, (byte) -1);
    for (int row = fullBytes << 3; row < rowCount; row++) {
      setBit(validity.address(), row);
    }
  }

  /** Ensures memory for this many rows of data. */
  abstract void ensureRows(int rows);

  /** Ensures memory for a null in row {@code rows - 1} and writes the value under it. */
  abstract void prepareNull(int rows);

  /** Appends a value given as an object that is not null. */
  abstract void appendObject(Object value);

  /** Removes what rows from {@code rows} to {@code before} wrote to bits and nested columns. */
  void dropRows(int rows, int before) {}

  /** Passes the data buffer to the caller; not called for {@link PhysicalType#NONE}. */
  abstract MemoryBuffer takeData(int rows);

  /** Passes the heaps to the caller, one reference each. */
  List<SharedBuffer> takeHeaps() {
    return List.of();
  }

  /** Passes the nested columns to the caller. */
  List<ColumnVector> takeChildren() {
    return List.of();
  }
}
