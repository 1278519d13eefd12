package io.ariadne.parquet.page;

/** What one thread of work has read and decompressed. Not thread-safe. */
public final class ReadStatistics {
  /** Bytes read from files. */
  public long bytesRead;

  /** Bytes that decompression has written. */
  public long bytesDecompressed;

  /** Nanoseconds in reads. */
  public long readNanos;

  /** Nanoseconds in decompression and checksums. */
  public long decompressNanos;

  /** Data pages that were skipped without being decompressed. */
  public long pagesSkipped;

  /** Values and levels decoded only to get to those behind them. */
  public long valuesPassed;

  /** Bytes of strings that were put together because pages do not have them in one piece. */
  public long textBytes;

  /** Sets everything to zero. */
  public void clear() {
    bytesRead = 0;
    bytesDecompressed = 0;
    readNanos = 0;
    decompressNanos = 0;
    pagesSkipped = 0;
    valuesPassed = 0;
    textBytes = 0;
  }
}
