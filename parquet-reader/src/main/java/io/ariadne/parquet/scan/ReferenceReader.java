package io.ariadne.parquet.scan;

/**
 * The reader whose results and errors a scan must have, as it is asked about a slice that this
 * reader has given up on. Thread-safe.
 */
@FunctionalInterface
public interface ReferenceReader {
  /** For scans that follow no other reader: nothing is known. */
  ReferenceReader NONE = slice -> null;

  /**
   * How the reference reader fails.
   *
   * @param cause what it throws
   * @param isInFirstBatch whether while it reads the first rows of the slice
   * @param isPassedOver whether a scan that ignores corrupt files leaves the rest of the file out
   */
  record Failure(Throwable cause, boolean isInFirstBatch, boolean isPassedOver) {}

  /**
   * Reads a slice until it fails. Takes as long as the reference reader takes.
   *
   * @param slice what this reader could not read
   * @return null when all of it can be read, or when that is not known
   */
  Failure failure(FileSlice slice);
}
