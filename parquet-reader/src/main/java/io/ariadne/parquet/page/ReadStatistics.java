package io.ariadne.parquet.page;

/** Counts what one scan worker has read and decompressed. Not thread-safe. */
public final class ReadStatistics {
  /** Bytes read from files. */
  public long bytesRead;

  /** Bytes that decompression has produced. */
  public long bytesDecompressed;

  /** Nanoseconds spent in reads. */
  public long readNanos;

  /** Nanoseconds spent in decompression and checksums. */
  public long decompressNanos;

  /** Data pages skipped without decompression. */
  public long pagesSkipped;

  /** Values and levels that were decoded only to reach later ones. */
  public long valuesPassed;

  /** Bytes of strings that had to be assembled because pages do not store them contiguously. */
  public long textBytes;

  /** Resets all counters to zero. */
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
