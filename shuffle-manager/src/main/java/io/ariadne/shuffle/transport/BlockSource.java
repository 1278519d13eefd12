package io.ariadne.shuffle.transport;

import io.ariadne.columnar.buffer.MemoryBuffer;

/** The blocks that this process has for its peers. Thread-safe. */
public interface BlockSource {
  /**
   * Opens the rows of a range.
   *
   * @param range the wanted rows; not trusted
   * @param maxBytes no block has more bytes, unless it has one row
   * @return the blocks, closed by the caller; null when this process does not have the rows
   */
  Blocks open(BlockRange range, long maxBytes);

  /** The blocks of a range. Used by one thread. */
  interface Blocks extends AutoCloseable {
    /**
     * Moves to the next block, of rows that fit in what is left of a reply as far as they can be
     * divided.
     *
     * @param bytesLeft bytes that the reply may still have
     * @return its number of bytes; 0 when there is none; more than {@code bytesLeft} when a block
     *     that fits would have no row or be a small part of a reply, and then there may be no
     *     current block
     * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when there is no memory for rows on
     *     disk; CORRUPT_DATA when these are damaged
     */
    long next(long bytesLeft);

    /** Returns the number of rows of the current block. */
    int rows();

    /**
     * Returns the current block.
     *
     * @return bytes in host memory, owned by the caller
     * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when there is no memory for it
     */
    MemoryBuffer encode();

    /** Returns the bytes that were read back from disk for the blocks so far. */
    default long readBackBytes() {
      return 0;
    }

    @Override
    void close();
  }
}
