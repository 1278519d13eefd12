package io.ariadne.parquet.scan;

/**
 * How much a scan decodes at once.
 *
 * @param rows most rows of a window
 * @param bytes most decompressed bytes of all columns in a window of rows, on average
 */
record WindowLimits(int rows, long bytes) {
  /** The bytes where the host decodes. */
  static final long HOST_BYTES = 32L << 20;

  /** Returns the limits of a scan that the host decodes in batches of so many rows. */
  static WindowLimits ofHost(int batchRows) {
    return new WindowLimits(Math.min(batchRows, WindowSize.MAX_ROWS), HOST_BYTES);
  }
}
