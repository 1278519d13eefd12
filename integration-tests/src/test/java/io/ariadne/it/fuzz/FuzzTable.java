package io.ariadne.it.fuzz;

import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/**
 * A table of random columns and values.
 *
 * @param name of the view
 * @param format of its files, as Spark calls it
 * @param isReadByV2 whether it is read through Spark's data source API of version 2
 * @param isCached whether it is cached when it is first read
 * @param rowCount how many rows it has
 * @param isMild whether values are small, so that few operations overflow
 * @param schema names and types of columns, some of which its files may not have; {@code id} is
 *     unique and never null
 */
record FuzzTable(
    String name,
    String format,
    boolean isReadByV2,
    boolean isCached,
    int rowCount,
    boolean isMild,
    StructType schema) {
  /**
   * Returns the columns as a query refers to them.
   *
   * @param alias of the table in the query
   */
  List<Column> columns(String alias) {
    return List.of(schema.fieldNames()).stream()
        .map(field -> new Column(alias + "." + field, kindOf(field)))
        .toList();
  }

  /** Returns the kind of a column: the first letter of its name says so. */
  static Kind kindOf(String column) {
    return switch (column) {
      case "id" -> Kind.LONG;
      case "g" -> Kind.INT;
      default ->
          List.of(Kind.values()).stream()
              .filter(kind -> column.startsWith(kind.prefix()))
              .findFirst()
              .orElseThrow();
    };
  }

  DataType typeOf(String column) {
    return schema.apply(column).dataType();
  }
}
