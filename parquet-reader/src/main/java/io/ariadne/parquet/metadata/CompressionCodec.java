package io.ariadne.parquet.metadata;

/** The compression codec of a column chunk's pages, in the order of the format's numbers. */
public enum CompressionCodec {
  /** No compression. */
  UNCOMPRESSED,
  /** Snappy blocks without a frame. */
  SNAPPY,
  /** Gzip members. */
  GZIP,
  /** LZO; not supported. */
  LZO,
  /** Brotli. */
  BROTLI,
  /** LZ4 in Hadoop's frame, deprecated. */
  LZ4,
  /** Zstandard frames. */
  ZSTD,
  /** LZ4 blocks without a frame. */
  LZ4_RAW;

  private static final CompressionCodec[] VALUES = values();

  /** Returns the codec with a number of the format, null when there is none. */
  static CompressionCodec of(int number) {
    return number >= 0 && number < VALUES.length ? VALUES[number] : null;
  }
}
