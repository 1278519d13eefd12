package io.ariadne.shuffle.transport;

import io.ariadne.columnar.buffer.MemoryBuffer;

/** Serves this executor's blocks. Thread-safe. */
public interface BlockServer extends AutoCloseable {
  /** Supplies encoded blocks. Called by transport threads. */
  interface Source {
    /**
     * Opens a block.
     *
     * @param block the wanted block
     * @return its bytes, which the server closes, or null when the block is not known
     */
    Content open(BlockId block);
  }

  /** The bytes of one block. */
  interface Content extends AutoCloseable {
    /** Returns the block's length in bytes. */
    long lengthInBytes();

    /**
     * Returns the next piece, or null at the end. May block while bytes are read or encoded.
     *
     * @return HOST or PINNED memory, owned by the caller
     */
    MemoryBuffer next();

    /** Ends the use of the block. Idempotent. */
    @Override
    void close();
  }

  /** Returns the port the server listens on. */
  int port();

  /** Stops serving. Running transfers fail at the receiver. Idempotent. */
  @Override
  void close();
}
