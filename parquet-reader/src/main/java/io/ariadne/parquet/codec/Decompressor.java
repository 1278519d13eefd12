package io.ariadne.parquet.codec;

import java.io.IOException;

/** Undoes one codec, from host memory to host memory. Used by one thread at a time. */
public interface Decompressor extends AutoCloseable {
  /**
   * Decompresses all of a page body.
   *
   * @param source address of the compressed bytes
   * @param sourceLength their number
   * @param target address of the room for the result
   * @param targetLength bytes that the result must have; nothing is written behind them
   * @throws IOException when the input is damaged or its result has another length
   */
  void decompress(long source, int sourceLength, long target, int targetLength) throws IOException;

  /**
   * Returns the most bytes that so many compressed ones can stand for: a header that declares more
   * lies.
   *
   * @param sourceLength compressed bytes, at least 0
   */
  long maxDecompressedLength(int sourceLength);

  @Override
  default void close() {}
}
