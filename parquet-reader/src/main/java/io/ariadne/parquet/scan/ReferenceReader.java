package io.ariadne.parquet.scan;

/**
 * The reader whose results and errors a scan must reproduce. It is consulted about a slice that
 * this reader could not read. Thread-safe.
 */
@FunctionalInterface
public interface ReferenceReader {
  /** For scans without a reference: nothing is known. */
  ReferenceReader NONE = slice -> null;

  /**
   * How the reference reader fails.
   *
   * @param cause the exception that it throws
   * @param isInFirstBatch whether it fails while reading the first rows of the slice
   * @param isPassedOver whether a scan that ignores corrupt files skips the rest of the file
   */
  record Failure(Throwable cause, boolean isInFirstBatch, boolean isPassedOver) {}

  /**
   * Reads a slice until the reference reader fails. Takes as long as the reference reader does.
   *
   * @param slice what this reader could not read
   * @return null when the reference reader reads all of it, or when that is not known
   */
  Failure failure(FileSlice slice);
}
