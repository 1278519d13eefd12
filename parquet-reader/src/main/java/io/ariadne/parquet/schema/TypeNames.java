package io.ariadne.parquet.schema;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.MapType;
import io.ariadne.columnar.type.StructType;
import io.ariadne.expression.TypeKind;
import java.util.stream.Collectors;

/** Names types as Spark's messages do ({@code DataType.catalogString}). */
final class TypeNames {
  private TypeNames() {}

  static String name(DataType type) {
    if (type instanceof DecimalType decimal) {
      return "decimal(" + decimal.precision() + "," + decimal.scale() + ")";
    }
    if (type instanceof ListType list) {
      return "array<" + name(list.element()) + ">";
    }
    if (type instanceof MapType map) {
      return "map<" + name(map.key()) + "," + name(map.value()) + ">";
    }
    if (type instanceof StructType struct) {
      return struct.fields().stream()
          .map(field -> field.name() + ":" + name(field.type()))
          .collect(Collectors.joining(",", "struct<", ">"));
    }
    return TypeKind.of(type).sqlName();
  }
}
