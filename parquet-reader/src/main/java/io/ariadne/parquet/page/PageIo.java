package io.ariadne.parquet.page;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.parquet.codec.Decompressors;

/**
 * What reading pages needs besides the file. Used by one thread of work.
 *
 * @param allocator host memory for read windows and decompressed pages
 * @param decompressors the codecs' state
 * @param figures counts what is done
 * @param windowBytes bytes read at once
 * @param verifyChecksums whether pages with a checksum are checked (parquet-mr's {@code
 *     parquet.page.verify-checksum.enabled}, off by default there)
 */
public record PageIo(
    BufferAllocator allocator,
    Decompressors decompressors,
    ReadStatistics figures,
    int windowBytes,
    boolean verifyChecksums) {
  /** Bytes read at once unless somebody says otherwise. */
  public static final int DEFAULT_WINDOW_BYTES = 1 << 20;
}
