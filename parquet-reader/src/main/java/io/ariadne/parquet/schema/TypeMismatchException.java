package io.ariadne.parquet.schema;

import io.ariadne.columnar.type.DataType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.parquet.metadata.SchemaNode;

/** Signals that a file's column cannot be read as the requested type. */
public final class TypeMismatchException extends EngineException {
  private static final long serialVersionUID = 1L;

  private final boolean isOfShape;

  /**
   * Creates an exception.
   *
   * @param file the file's name
   * @param node the file's field
   * @param wanted the requested type
   * @param isOfShape see {@link #isOfShape()}
   */
  TypeMismatchException(String file, SchemaNode node, DataType wanted, boolean isOfShape) {
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
    this.isOfShape = isOfShape;
  }

  /**
   * Returns whether the schemas differ in their groups. Spark reports such a difference when it
   * opens the file, and values of a type that it does not convert when it reads the first rows.
   */
  public boolean isOfShape() {
    return isOfShape;
  }
}
