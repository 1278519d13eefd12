package io.ariadne.parquet.schema;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.MapType;
import io.ariadne.columnar.type.StructType;

/**
 * Tells for which requested types Spark requires a group in the file when it opens the file, in
 * order to drop members: structs, and lists and maps of nested types. Source: {@code
 * ParquetReadSupport.clipParquetType}.
 */
final class ClippedTypes {
  private ClippedTypes() {}

  static boolean contain(DataType wanted) {
    return wanted instanceof StructType
        || (wanted instanceof ListType list && isNested(list.element()))
        || (wanted instanceof MapType map && (isNested(map.key()) || isNested(map.value())));
  }

  private static boolean isNested(DataType type) {
    return type instanceof StructType || type instanceof ListType || type instanceof MapType;
  }
}
