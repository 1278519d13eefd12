package io.ariadne.parquet.scan;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.parquet.schema.RebaseMode;

/**
 * A file holds a date or timestamp on which the calendars differ, does not say which calendar it
 * means, and the mode is {@link RebaseMode#EXCEPTION}.
 */
public final class AncientDateException extends ScanException {
  private static final long serialVersionUID = 1L;

  AncientDateException(ScanSite site, EngineException cause) {
    super(ErrorCode.USER, cause.getMessage(), site, cause);
  }
}
