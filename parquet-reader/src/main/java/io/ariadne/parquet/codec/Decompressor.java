package io.ariadne.parquet.codec;

import java.io.IOException;
import java.util.List;

/** Decompresses page bodies of one codec, from host memory to host memory. Not thread-safe. */
public interface Decompressor extends AutoCloseable {
  /**
   * Decompresses one whole page body.
   *
   * @param source address of the compressed bytes
   * @param sourceLength number of compressed bytes
   * @param target address of the memory that receives the result
   * @param targetLength bytes that the result must have; nothing is written beyond them
   * @throws IOException when the input is damaged or its result has another length
   */
  void decompress(long source, int sourceLength, long target, int targetLength) throws IOException;

  /**
   * Decompresses several page bodies. Some codecs do this faster than one body after another.
   *
   * @param blocks the bodies, at most as many as one launch takes
   * @throws DamagedBlockException when a body is damaged or its result has another length; the
   *     contents of all targets are then unspecified
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

  /**
   * Returns whether decompressing two page bodies together takes clearly less time than one after
   * the other.
   */
  default boolean isFasterInPairs() {
    return false;
  }

  /**
   * A page body and the memory for its result.
   *
   * @param source address of the compressed bytes
   * @param sourceLength number of compressed bytes
   * @param target address of the memory that receives the result
   * @param targetLength bytes that the result must have; nothing is written beyond them
   */
  record Block(long source, int sourceLength, long target, int targetLength) {}

  /**
   * Returns the largest number of bytes that an input of this length can decompress to. A page
   * header that declares more is damaged.
   *
   * @param sourceLength compressed bytes, at least 0
   */
  long maxDecompressedLength(int sourceLength);

  @Override
  default void close() {}
}
