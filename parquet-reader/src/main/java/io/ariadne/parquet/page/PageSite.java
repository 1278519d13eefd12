package io.ariadne.parquet.page;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;

/**
 * Where in a file pages are read: what messages about damaged files name.
 *
 * @param file the file's name
 * @param column the column's path, joined by dots
 * @param rowGroup number of the row group
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
   * @param cause the failure underneath, may be null
   */
  public EngineException corrupt(long offset, String problem, Throwable cause) {
    return new EngineException(
        ErrorCode.CORRUPT_DATA, problem + ", in page at byte " + offset + " of " + this, cause);
  }

  /** Returns the error for something this reader has no code for. */
  public EngineException unsupported(String what) {
    return new EngineException(ErrorCode.UNSUPPORTED, what + ", in " + this);
  }

  @Override
  public String toString() {
    return "column " + column + ", row group " + rowGroup + " of " + file;
  }
}
