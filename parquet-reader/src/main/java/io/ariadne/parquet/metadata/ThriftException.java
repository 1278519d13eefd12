package io.ariadne.parquet.metadata;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;

/**
 * Signals bytes that are not the expected Thrift structure. Does not know the file they come from.
 */
final class ThriftException extends EngineException {
  private static final long serialVersionUID = 1L;

  private final long offset;
  private final boolean truncated;

  /**
   * Creates an exception.
   *
   * @param offset byte offset from the start of the parsed bytes
   * @param problem what is wrong
   * @param truncated whether more bytes might have helped
   */
  ThriftException(long offset, String problem, boolean truncated) {
    super(ErrorCode.CORRUPT_DATA, problem);
    this.offset = offset;
    this.truncated = truncated;
  }

  long offset() {
    return offset;
  }

  boolean isTruncated() {
    return truncated;
  }
}
