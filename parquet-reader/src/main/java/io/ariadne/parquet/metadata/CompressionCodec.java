package io.ariadne.parquet.metadata;

/** How the pages of a column chunk are compressed, in the order of the format's numbers. */
public enum CompressionCodec {
  /** Not at all. */
  UNCOMPRESSED,
  /** Snappy blocks without a frame. */
  SNAPPY,
  /** Gzip members. */
  GZIP,
  /** LZO; no reader has it. */
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

  /** Returns the codec of a number of the format, null when there is none. */
  static CompressionCodec of(int number) {
    return number >= 0 && number < VALUES.length ? VALUES[number] : null;
  }
}
