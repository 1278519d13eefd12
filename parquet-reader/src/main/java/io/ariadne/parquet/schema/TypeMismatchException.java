package io.ariadne.parquet.schema;

import io.ariadne.columnar.type.DataType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.parquet.metadata.SchemaNode;

/**
 * A file's column is not of a type that can be read as the wanted one: what Spark reports as {@code
 * SchemaColumnConvertNotSupportedException}.
 */
public final class TypeMismatchException extends EngineException {
  private static final long serialVersionUID = 1L;

  private final String column;
  private final String physicalType;
  private final String logicalType;

  /**
   * Creates an exception.
   *
   * @param file the file's name
   * @param node the file's field
   * @param wanted the wanted type
   */
  TypeMismatchException(String file, SchemaNode node, DataType wanted) {
    super(
        ErrorCode.USER,
        "column "
            + node.path()
            + " is "
            + node
            + " and cannot be read as "
            + TypeNames.name(wanted)
            + ", in "
            + file);
    this.column = "[" + node.path().replace(".", ", ") + "]";
    this.physicalType = TypeNames.physical(node);
    this.logicalType = TypeNames.name(wanted);
  }

  /** Returns the column's path as Spark writes it: {@code [a, b]}. */
  public String column() {
    return column;
  }

  /** Returns the file's type as Spark writes it. */
  public String physicalType() {
    return physicalType;
  }

  /** Returns the wanted type as Spark writes it. */
  public String logicalType() {
    return logicalType;
  }
}
