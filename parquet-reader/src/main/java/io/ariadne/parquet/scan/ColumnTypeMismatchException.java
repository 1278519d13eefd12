package io.ariadne.parquet.scan;

import io.ariadne.error.ErrorCode;

/**
 * A column of a file is stored in a type that Spark does not read as the wanted one (Spark: {@code
 * SchemaColumnConvertNotSupportedException}).
 */
public final class ColumnTypeMismatchException extends ScanException {
  private static final long serialVersionUID = 1L;

  private final String column;
  private final String physicalType;
  private final String logicalType;

  /**
   * Creates an exception.
   *
   * @param file the file
   * @param column the column's path
   * @param physicalType the file's type, as parquet-mr prints it
   * @param logicalType the wanted type
   * @param cause the failure underneath, may be null
   */
  public ColumnTypeMismatchException(
      String file, String column, String physicalType, String logicalType, Throwable cause) {
    super(
        ErrorCode.USER,
        "column " + column + " of " + file + " is " + physicalType + ", not " + logicalType,
        file,
        cause);
    this.column = column;
    this.physicalType = physicalType;
    this.logicalType = logicalType;
  }

  /** Returns the column's path. */
  public String column() {
    return column;
  }

  /** Returns the file's type, as parquet-mr prints it. */
  public String physicalType() {
    return physicalType;
  }

  /** Returns the wanted type. */
  public String logicalType() {
    return logicalType;
  }
}
