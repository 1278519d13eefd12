package io.ariadne.parquet.scan;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;

/**
 * Signals a failure that concerns one file: it is damaged, missing, unreadable or has another
 * schema than the scan expects. The cause is a {@link java.io.FileNotFoundException} when it is
 * missing.
 */
public class ScanException extends EngineException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final transient ScanSite site;

  /**
   * Creates an exception.
   *
   * @param code classifies the failure
   * @param message what happened, naming the file
   * @param site the file
   * @param cause the underlying exception, may be null
   */
  ScanException(ErrorCode code, String message, ScanSite site, Throwable cause) {
    super(code, message, cause);
    this.file = site.file();
    this.site = site;
  }

  /** Returns the file as {@link FileSlice#path()} names it. */
  public String file() {
    return file;
  }

  /**
   * Returns how the reference reader fails on the slice. The first call lets it read the slice.
   *
   * @return null when it reads all of it or that is not known, as in a copy of this exception
   */
  public ReferenceReader.Failure referenceFailure() {
    return site == null ? null : site.referenceFailure();
  }
}
