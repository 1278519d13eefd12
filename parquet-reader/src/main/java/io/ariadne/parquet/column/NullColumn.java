package io.ariadne.parquet.column;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.ListBuilder;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.StructType;
import java.util.ArrayList;
import java.util.List;

/** Makes columns of nulls, for members that a file does not have. */
final class NullColumn {
  private NullColumn() {}

  /**
   * Makes a column of nulls with zeroed data in the type's default layout.
   *
   * @param type any type
   * @param rowCount number of rows
   * @param context allocates memory
   * @return the column, owned by the caller
   */
  static ColumnVector of(DataType type, int rowCount, DecodeContext context) {
    PhysicalType layout = type.defaultPhysicalType();
    MemoryBuffer data = null;
    MemoryBuffer validity = null;
    List<ColumnVector> children = new ArrayList<>();
    try {
      data =
          layout == PhysicalType.NONE
              ? null
              : context.allocateCleared(layout.dataLengthInBytes(rowCount));
      validity = context.allocateCleared(PhysicalType.BOOL.dataLengthInBytes(rowCount));
      if (type instanceof StructType struct) {
        for (Field field : struct.fields()) {
          children.add(of(field.type(), rowCount, context));
        }
      } else if (layout == PhysicalType.OFFSETS) {
        children.add(of(ListBuilder.elementType(type), 0, context));
      }
      return new ColumnVector(
          type, layout, rowCount, data, validity, rowCount, List.of(), children);
    } catch (RuntimeException | Error e) {
      NestedParts.closeAfter(e, data, validity, children);
      throw e;
    }
  }
}
