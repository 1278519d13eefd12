package io.ariadne.parquet.scan;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;

/**
 * A failure that concerns one file: it is damaged, missing, unreadable or of another shape than the
 * scan expects. The cause is a {@link java.io.FileNotFoundException} when it is missing.
 */
public class ScanException extends EngineException {
  private static final long serialVersionUID = 1L;

  private final String file;

  /**
   * Creates an exception.
   *
   * @param code who has to react
   * @param message what happened, naming the file
   * @param file the file as {@link FileSlice#path()} has it
   * @param cause the failure underneath, may be null
   */
  public ScanException(ErrorCode code, String message, String file, Throwable cause) {
    super(code, message, cause);
    this.file = file;
  }

  /** Returns the file. */
  public String file() {
    return file;
  }
}
