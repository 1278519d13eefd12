package io.ariadne.parquet.scan;

import io.ariadne.error.ErrorCode;
import io.ariadne.parquet.schema.TypeMismatchException;

/**
 * A column of a file is stored in a type that Spark does not read as the wanted one (Spark: {@code
 * SchemaColumnConvertNotSupportedException}, or what it raises where one is a group and the other
 * is not).
 */
public final class ColumnTypeMismatchException extends ScanException {
  private static final long serialVersionUID = 1L;

  ColumnTypeMismatchException(ScanSite site, TypeMismatchException cause) {
    super(ErrorCode.USER, cause.getMessage(), site, cause);
  }
}
