package io.ariadne.parquet.page;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.parquet.codec.Decompressors;

/**
 * What reading pages needs besides the file. Not thread-safe.
 *
 * @param allocator host memory for read windows and decompressed pages
 * @param decompressors decompressors with their state
 * @param statistics counts reads and decompression
 * @param windowBytes bytes to read at once
 * @param verifyChecksums whether checksums of pages are verified (parquet-mr's {@code
 *     parquet.page.verify-checksum.enabled}, off by default there)
 */
public record PageIo(
    BufferAllocator allocator,
    Decompressors decompressors,
    ReadStatistics statistics,
    int windowBytes,
    boolean verifyChecksums) {
  /** Default number of bytes to read at once. */
  public static final int DEFAULT_WINDOW_BYTES = 1 << 20;
}
