package io.ariadne.parquet.scan;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.parquet.schema.RebaseMode;

/**
 * Signals a date or timestamp on which the calendars differ, in a file that does not state its
 * calendar, when the mode is {@link RebaseMode#EXCEPTION}.
 */
public final class AncientDateException extends ScanException {
  private static final long serialVersionUID = 1L;

  AncientDateException(ScanSite site, EngineException cause) {
    super(ErrorCode.USER, cause.getMessage(), site, cause);
  }
}
