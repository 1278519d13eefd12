package io.ariadne.expression.nested;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.DictionaryDecoder;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.StructType;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes structs of the arguments, one member for each; never null.
 *
 * @param resultType the structs' type
 */
public record StructOf(StructType resultType) implements NestedFunction {
  private static final long serialVersionUID = 1L;

  @Override
  public String description() {
    return "struct";
  }

  @Override
  public ColumnVector apply(RecordBatch arguments, BufferAllocator allocator) {
    RowRange all = new RowRange(0, arguments.rowCount());
    DictionaryDecoder decoder = new DictionaryDecoder(allocator);
    List<ColumnVector> members = new ArrayList<>();
    try {
      for (int i = 0; i < arguments.columnCount(); i++) {
        ColumnVector column = arguments.column(i);
        boolean isCoded = column.dictionary() != null;
        members.add(isCoded ? decoder.decode(column) : all.copyOf(column, allocator));
      }
      return new ColumnVector(
          resultType, PhysicalType.NONE, arguments.rowCount(), null, null, 0, List.of(), members);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      members.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }
}
