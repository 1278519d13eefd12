package io.ariadne.bridge.imports;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * Accumulates one column from Spark's vectors of any class, in the type's default layout.
 *
 * <p>Copies its input. After {@link #build} it is empty and can be used again. Not thread-safe.
 */
abstract class ColumnImport implements AutoCloseable {
  private final DataType type;
  private final PhysicalType physicalType;
  private final BufferAllocator allocator;
  private final ValidityImport validity;
  private MemoryBuffer data;

  ColumnImport(DataType type, BufferAllocator allocator) {
    this.type = type;
    this.physicalType = type.defaultPhysicalType();
    this.allocator = allocator;
    this.validity = new ValidityImport(allocator);
  }

  /**
   * Creates the import of a type.
   *
   * @param type a type {@code SparkTypes} maps to
   * @param allocator where buffers come from
   */
  static ColumnImport create(DataType type, BufferAllocator allocator) {
    return switch (type.defaultPhysicalType()) {
      case BOOL -> new BooleanImport(type, allocator);
      case I128 -> new WideDecimalImport(type, allocator);
      case VIEW16 -> new ViewImport(type, allocator);
      case OFFSETS, NONE -> new NestedImport(type, allocator);
      default -> new FixedWidthImport(type, allocator);
    };
  }

  final DataType type() {
    return type;
  }

  final PhysicalType physicalType() {
    return physicalType;
  }

  final BufferAllocator allocator() {
    return allocator;
  }

  /** Returns the number of rows accumulated since the last build. */
  int rowCount() {
    return validity.rowCount();
  }

  /** Ensures capacity for {@code rows} rows in total. */
  void ensure(int rows) {
    validity.ensure(rows);
    data = ensure(data, physicalType.dataLengthInBytes(rows));
  }

  private MemoryBuffer ensure(MemoryBuffer buffer, long lengthInBytes) {
    if (buffer != null && lengthInBytes <= buffer.capacityInBytes()) {
      return buffer;
    }
    MemoryBuffer larger = allocator.allocate(lengthInBytes);
    if (buffer != null) {
      Memory.copy(buffer.address(), larger.address(), usedBytes());
      buffer.close();
    }
    return larger;
  }

  private long usedBytes() {
    return (long) rowCount() * physicalType.widthInBytes();
  }

  /**
   * Appends rows of a vector. The caller must have ensured the capacity.
   *
   * @param source a vector of this column's Spark type
   * @param start first row
   * @param count number of rows, at least 1
   */
  void append(ColumnVector source, int start, int count) {
    appendValues(source, start, count, data == null ? 0 : data.address() + usedBytes());
    validity.append(source, start, count);
  }

  /**
   * Writes the values of rows to an address. Under nulls it writes zeros or the vector's content.
   */
  abstract void appendValues(ColumnVector source, int start, int count, long target);

  /**
   * Returns the approximate bytes of strings and other values of variable length, which limit the
   * size of a batch.
   */
  long variableBytes() {
    return 0;
  }

  /** Passes the heaps to the caller, one reference each. */
  List<SharedBuffer> takeHeaps() {
    return List.of();
  }

  /**
   * Completes the column.
   *
   * @return the column, owned by the caller
   */
  io.ariadne.columnar.ColumnVector build() {
    int rows = rowCount();
    int nulls = validity.nullCount();
    long length = physicalType.dataLengthInBytes(rows);
    MemoryBuffer values = data == null ? allocator.allocate(length) : data.withLength(length);
    data = null;
    return new io.ariadne.columnar.ColumnVector(
        type, physicalType, rows, values, validity.take(), nulls, takeHeaps(), List.of());
  }

  @Override
  public void close() {
    validity.close();
    if (data != null) {
      data.close();
      data = null;
    }
  }
}
