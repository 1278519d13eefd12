package io.ariadne.columnar.builder;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.MapType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.StructType;
import java.util.List;

/**
 * Builds columns of lists, or of maps as lists of (key, value) structs: append the elements of a
 * row to {@link #element()}, then call {@link #append()}.
 */
public final class ListBuilder extends ColumnBuilder {
  private final GrowableBuffer offsets;
  private final ColumnBuilder element;

  ListBuilder(DataType type, BufferAllocator allocator) {
    super(type, PhysicalType.OFFSETS, allocator);
    this.offsets = new GrowableBuffer(allocator, true);
    this.element = create(elementType(type), allocator);
  }

  /** Returns the type of the nested column of a list or map. */
  public static DataType elementType(DataType type) {
    if (type instanceof MapType map) {
      return new StructType(
          List.of(
              new Field("key", map.key(), false),
              new Field("value", map.value(), map.valueContainsNull())));
    }
    return ((ListType) type).element();
  }

  /** Returns the builder of the elements, for maps a {@link StructBuilder}; owned by this one. */
  public ColumnBuilder element() {
    return element;
  }

  /** Ends a row: its elements are those appended since the last row ended. */
  public void append() {
    endRow(rowCount() + 1);
    endValue();
  }

  private void endRow(int rows) {
    ensureRows(rows);
    Memory.putInt(offsets.address() + (long) rows * Integer.BYTES, element.rowCount());
  }

  @Override
  void ensureRows(int rows) {
    offsets.ensure(physicalType().dataLengthInBytes(rows));
  }

  @Override
  void prepareNull(int rows) {
    endRow(rows);
  }

  @Override
  void appendObject(Object value) {
    int elements = element.rowCount();
    try {
      for (Object one : (List<?>) value) {
        element.appendValue(one);
      }
      append();
    } catch (RuntimeException | Error e) {
      element.truncate(elements);
      throw e;
    }
  }

  @Override
  void dropRows(int rows, int before) {
    element.truncate(Memory.getInt(offsets.address() + (long) rows * Integer.BYTES));
  }

  @Override
  MemoryBuffer takeData(int rows) {
    return offsets.take(physicalType().dataLengthInBytes(rows));
  }

  @Override
  List<ColumnVector> takeChildren() {
    return List.of(element.build());
  }

  @Override
  public void close() {
    super.close();
    offsets.close();
    element.close();
  }
}
