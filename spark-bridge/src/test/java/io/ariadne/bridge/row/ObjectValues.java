package io.ariadne.bridge.row;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.type.PrimitiveType;
import java.util.ArrayList;
import java.util.List;

/** Values of columns as builders take them, for tests that need a second copy of a batch. */
public final class ObjectValues {
  private ObjectValues() {}

  /** Returns an equal batch, owned by the caller. */
  public static RecordBatch copyOf(RecordBatch batch, BufferAllocator allocator) {
    try (BatchBuilder builder = new BatchBuilder(batch.schema(), allocator)) {
      for (int i = 0; i < batch.columnCount(); i++) {
        ColumnReader reader = new ColumnReader(batch.column(i));
        for (int row = 0; row < batch.rowCount(); row++) {
          builder.column(i).appendValue(of(reader, row));
        }
      }
      return builder.build(batch.sequence());
    }
  }

  /** Returns the value of a row for {@code ColumnBuilder.appendValue}. */
  public static Object of(ColumnReader reader, int row) {
    if (reader.column().type() == PrimitiveType.NULL || reader.isNull(row)) {
      return null;
    }
    return switch (reader.valueLayout()) {
      case VIEW16 -> reader.getBytes(row);
      case OFFSETS -> {
        List<Object> elements = new ArrayList<>();
        for (int i = reader.getStart(row); i < reader.getEnd(row); i++) {
          elements.add(of(reader.child(0), i));
        }
        yield elements;
      }
      case NONE -> {
        List<Object> members = new ArrayList<>();
        for (int i = 0; i < reader.column().children().size(); i++) {
          members.add(of(reader.child(i), row));
        }
        yield members;
      }
      default -> reader.getValue(row);
    };
  }
}
