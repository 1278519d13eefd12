package io.ariadne.parquet.scan;

import io.ariadne.error.ErrorCode;
import io.ariadne.parquet.schema.RebaseMode;

/**
 * A file holds a date or timestamp on which the calendars differ, does not say which calendar it
 * means, and the mode is {@link RebaseMode#EXCEPTION}.
 */
public final class AncientDateException extends ScanException {
  private static final long serialVersionUID = 1L;

  private final boolean isInt96;

  /**
   * Creates an exception.
   *
   * @param message what happened, naming the file
   * @param file the file
   * @param isInt96 whether the value is an INT96 timestamp, which has a mode of its own
   * @param cause the failure underneath, may be null
   */
  public AncientDateException(String message, String file, boolean isInt96, Throwable cause) {
    super(ErrorCode.USER, message, file, cause);
    this.isInt96 = isInt96;
  }

  /** Returns whether the value is an INT96 timestamp. */
  public boolean isInt96() {
    return isInt96;
  }
}
