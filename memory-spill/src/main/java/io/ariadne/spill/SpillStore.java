package io.ariadne.spill;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;

/**
 * The tier below memory: keeps batches as bytes outside of it. Thread-safe.
 *
 * <p>Everything in a store is private to one process and worthless after it; a store that starts
 * deletes what a dead process of its kind left behind. Contents are checked when they are read:
 * damaged bytes are an error, never a wrong result.
 */
public interface SpillStore extends AutoCloseable {
  /**
   * A batch in the store.
   *
   * @param number the store's name for it, never used twice
   * @param storedBytes bytes it takes in the store
   * @param memoryBytes bytes its buffers take when it is read back
   * @param rowCount its rows
   */
  record Block(long number, long storedBytes, long memoryBytes, int rowCount) {}

  /**
   * Writes a batch. Blocks until the bytes are handed to the operating system; durability is not
   * promised. Only the live part of string heaps is written.
   *
   * @param batch in HOST or PINNED memory; stays owned by the caller
   * @return the block, to be {@link #delete deleted} once
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when the store is full: nothing is
   *     stored; INTERNAL when writing fails, with the place and the system's message
   */
  Block write(RecordBatch batch);

  /**
   * Reads a batch back. Blocks. The block stays in the store.
   *
   * @param block a block of this store that is not deleted
   * @param allocator where the buffers come from; HOST or PINNED
   * @return a batch owned by the caller, equal in schema, sequence and every bit of its values
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when the allocator refuses; CORRUPT_DATA
   *     when the bytes are damaged, with place and offset
   */
  RecordBatch read(Block block, BufferAllocator allocator);

  /**
   * Forgets a block and lets its bytes be used again.
   *
   * @param block a block of this store
   * @throws IllegalStateException when it was deleted before
   */
  void delete(Block block);

  /** Returns bytes of blocks that are not deleted. */
  long storedBytes();

  /** Returns bytes the store may hold at most. */
  long limitInBytes();

  /** Deletes everything. Idempotent. */
  @Override
  void close();
}
