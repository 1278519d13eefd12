package io.ariadne.columnar.builder;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.StructType;
import java.util.List;

/**
 * Builds columns of structs: append one value to every {@link #field}, then call {@link #append()}.
 * A null struct has null members.
 */
public final class StructBuilder extends ColumnBuilder {
  private final List<ColumnBuilder> fields;

  StructBuilder(StructType type, BufferAllocator allocator) {
    super(type, PhysicalType.NONE, allocator);
    this.fields = type.fields().stream().map(field -> create(field.type(), allocator)).toList();
  }

  /** Returns the builder of a member; owned by this one. */
  public ColumnBuilder field(int index) {
    return fields.get(index);
  }

  /**
   * Ends a row.
   *
   * @throws IllegalStateException when a member has not been appended exactly once
   */
  public void append() {
    for (ColumnBuilder field : fields) {
      if (field.rowCount() != rowCount() + 1) {
        throw new IllegalStateException(
            "member "
                + field.type()
                + " has "
                + field.rowCount()
                + " rows after row "
                + rowCount());
      }
    }
    endValue();
  }

  @Override
  void ensureRows(int rows) {
    fields.forEach(field -> field.ensureRows(rows));
  }

  @Override
  void prepareNull(int rows) {
    try {
      for (ColumnBuilder field : fields) {
        if (field.rowCount() < rows) {
          field.appendNull();
        }
      }
    } catch (RuntimeException | Error e) {
      dropRows(rows - 1, rows);
      throw e;
    }
  }

  @Override
  void appendObject(Object value) {
    List<?> members = (List<?>) value;
    if (members.size() != fields.size()) {
      throw new IllegalArgumentException(
          members.size() + " members for a struct of " + fields.size());
    }
    try {
      for (int i = 0; i < members.size(); i++) {
        fields.get(i).appendValue(members.get(i));
      }
      append();
    } catch (RuntimeException | Error e) {
      dropRows(rowCount(), rowCount() + 1);
      throw e;
    }
  }

  @Override
  void dropRows(int rows, int before) {
    fields.forEach(field -> field.truncate(rows));
  }

  @Override
  MemoryBuffer takeData(int rows) {
    throw new IllegalStateException("structs have no data of their own");
  }

  @Override
  List<ColumnVector> takeChildren() {
    return buildAll(fields);
  }

  @Override
  public void close() {
    super.close();
    fields.forEach(ColumnBuilder::close);
  }
}
