package io.ariadne.expression.nested;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.PhysicalType;
import java.util.List;

/**
 * Returns a member of every struct in an array, or the keys or values of a map, as an array; null
 * where the argument is null.
 *
 * @param resultType the arrays' type
 * @param ordinal position of the member; 0 for keys, 1 for values
 */
public record ListParts(ListType resultType, int ordinal) implements NestedFunction {
  private static final long serialVersionUID = 1L;

  @Override
  public String description() {
    return "member " + ordinal + " of every entry";
  }

  @Override
  public boolean dependsOnItsRowOnly() {
    return true;
  }

  @Override
  public ColumnVector apply(RecordBatch arguments, BufferAllocator allocator) {
    ColumnVector lists = arguments.column(0);
    try (MemberViews views = new MemberViews(allocator)) {
      ColumnVector part = views.view(lists.children().get(0), List.of(ordinal));
      // not closed: its parts belong to the argument
      ColumnVector view =
          new ColumnVector(
              resultType,
              PhysicalType.OFFSETS,
              lists.rowCount(),
              lists.data(),
              lists.validity(),
              lists.nullCount(),
              List.of(),
              List.of(part));
      return new RowRange(0, lists.rowCount()).copyOf(view, allocator);
    }
  }
}
