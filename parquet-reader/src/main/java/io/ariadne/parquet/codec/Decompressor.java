package io.ariadne.parquet.codec;

import java.io.IOException;
import java.util.List;

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
   * Decompresses several page bodies, which some codecs do faster together.
   *
   * @param blocks the bodies, at most as many as a launch takes
   * @throws DamagedBlockException when one is damaged or its result has another length; what was
   *     written for all of them is then unspecified
   */
  default void decompress(List<Block> blocks) throws DamagedBlockException {
    for (int i = 0; i < blocks.size(); i++) {
      Block block = blocks.get(i);
      try {
        decompress(block.source(), block.sourceLength(), block.target(), block.targetLength());
      } catch (IOException e) {
        throw new DamagedBlockException(i, e.getMessage(), e);
      }
    }
  }

  /** Returns whether two page bodies together take clearly less time than one after the other. */
  default boolean isFasterInPairs() {
    return false;
  }

  /**
   * A page body and the room for its result.
   *
   * @param source address of the compressed bytes
   * @param sourceLength their number
   * @param target address of the room for the result
   * @param targetLength bytes that the result must have; nothing is written behind them
   */
  record Block(long source, int sourceLength, long target, int targetLength) {}

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
