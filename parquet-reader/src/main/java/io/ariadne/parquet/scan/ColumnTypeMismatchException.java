package io.ariadne.parquet.scan;

import io.ariadne.error.ErrorCode;
import io.ariadne.parquet.schema.TypeMismatchException;

/**
 * Signals a column of a file whose type Spark cannot read as the requested one (Spark: {@code
 * SchemaColumnConvertNotSupportedException}, or the error that it raises where one type is a group
 * and the other is not).
 */
public final class ColumnTypeMismatchException extends ScanException {
  private static final long serialVersionUID = 1L;

  ColumnTypeMismatchException(ScanSite site, TypeMismatchException cause) {
    super(ErrorCode.USER, cause.getMessage(), site, cause);
  }
}
