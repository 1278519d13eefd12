package io.ariadne.spill;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;
import java.util.List;

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
   * @param number identifies the block in the store, never used twice
   * @param storedBytes bytes it takes in the store
   * @param memoryBytes bytes its buffers take when it is read back
   * @param rowCount number of rows
   */
  record Block(long number, long storedBytes, long memoryBytes, int rowCount) {}

  /**
   * Writes batches together, which costs less than one by one when they are small. Blocks until the
   * tier has accepted the bytes; durability is not promised. Of string heaps that are little used
   * only the live part is written. An interrupt does not end the call and stays pending.
   *
   * @param batches in memory of the tier above; stay owned by the caller
   * @return a block for each batch, which the caller {@link #delete deletes} once
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when the store is full or no directory
   *     accepts the bytes, with the directories and the system's messages: nothing is stored
   */
  List<Block> write(List<RecordBatch> batches);

  /**
   * Writes batches as {@link #write(List)} does, for a tier that may move them to the next one.
   *
   * @param origins placement and work of each batch
   */
  default List<Block> write(List<RecordBatch> batches, List<SpillOrigin> origins) {
    return write(batches);
  }

  /**
   * Reads a batch back. Blocks. The block stays in the store.
   *
   * @param block a block of this store that is not deleted
   * @param allocator where the buffers come from, of the tier that the batch was in. A caller whose
   *     allocator may wait reserves the bytes first, as {@link SpillableBatch} does, because a
   *     dictionary is locked while it is read
   * @return a batch owned by the caller, equal in schema, sequence and every bit of its values
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when the allocator refuses; CORRUPT_DATA
   *     when the bytes are damaged, with place and offset
   */
  RecordBatch read(Block block, BufferAllocator allocator);

  /**
   * Returns whether a block can be read back without a wait for another tier, and without moving
   * other batches; otherwise asks for the block to be brought nearer, if that is possible. Waits
   * for no memory, move or disk.
   *
   * @param block a block of this store; may be deleted meanwhile
   * @param whenNear is run when the block is nearer, perhaps by this call. Any thread runs it,
   *     which may hold locks of the store, so it returns at once
   */
  default boolean bringNearer(Block block, Runnable whenNear) {
    return true;
  }

  /**
   * Deletes a block and frees its bytes.
   *
   * @param block a block of this store
   * @throws IllegalStateException when it was deleted before
   */
  void delete(Block block);

  /** Returns where blocks are. */
  MemoryTier tier();

  /** Returns bytes of blocks that are not deleted. */
  long storedBytes();

  /** Returns bytes the store may hold at most. */
  long limitInBytes();

  /** Deletes everything. Idempotent. */
  @Override
  void close();
}
