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
  private final transient ScanSite site;

  /**
   * Creates an exception.
   *
   * @param code who has to react
   * @param message what happened, naming the file
   * @param site the file
   * @param cause the failure underneath, may be null
   */
  ScanException(ErrorCode code, String message, ScanSite site, Throwable cause) {
    super(code, message, cause);
    this.file = site.file();
    this.site = site;
  }

  /** Returns the file as {@link FileSlice#path()} has it. */
  public String file() {
    return file;
  }

  /**
   * Has the reference reader read the slice unless it has, and returns how it fails.
   *
   * @return null when it reads all of it or that is not known, as in a copy of this exception
   */
  public ReferenceReader.Failure referenceFailure() {
    return site == null ? null : site.referenceFailure();
  }
}
