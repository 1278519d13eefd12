package io.ariadne.parquet.page;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;

/**
 * Names the place in a file, for messages about damaged pages.
 *
 * @param file the file's name
 * @param column the column's path, joined by dots
 * @param rowGroup index of the row group
 */
public record PageSite(String file, String column, int rowGroup) {
  /**
   * Returns the error for a damaged page.
   *
   * @param offset byte offset in the file
   * @param problem what is wrong
   */
  public EngineException corrupt(long offset, String problem) {
    return corrupt(offset, problem, null);
  }

  /**
   * Returns the error for a damaged page.
   *
   * @param offset byte offset in the file
   * @param problem what is wrong
   * @param cause the underlying exception, may be null
   */
  public EngineException corrupt(long offset, String problem, Throwable cause) {
    return new EngineException(
        ErrorCode.CORRUPT_DATA, problem + ", in page at byte " + offset + " of " + this, cause);
  }

  /** Returns the error for a feature that this reader does not support. */
  public EngineException unsupported(String what) {
    return new EngineException(ErrorCode.UNSUPPORTED, what + ", in " + this);
  }

  @Override
  public String toString() {
    return "column " + column + ", row group " + rowGroup + " of " + file;
  }
}
