package io.ariadne.spill;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;

/**
 * A batch at rest between two pipelines, in whichever tier it is.
 *
 * <p>Owned by the holder it lies in. Thread-safe: the consumer takes it while others may try to
 * move it; whoever comes second waits for a move to end or finds the batch gone. A batch's rows,
 * their order and every bit of their values are the same after any number of moves.
 */
public interface SpillableBatch extends AutoCloseable {
  /** What may be done with a batch now. */
  enum State {
    /** At rest: may be moved or taken. */
    IDLE,
    /** Being moved to another tier; a consumer waits. */
    MOVING,
    /** Given to its consumer or closed: nothing is left to free. */
    GONE
  }

  /** Returns what may be done now; a snapshot. */
  State state();

  /** Returns where the bytes are; during a move, where they were before it. */
  MemoryTier tier();

  /**
   * Returns bytes of its tier that moving the batch away would free. String heaps that other
   * batches hold as well count for nothing.
   */
  long freeableBytes();

  /** Returns the number of rows. */
  int rowCount();

  /**
   * Returns how long the batch will not be needed: 0 for the input of a running task, larger the
   * further its consumer is from running. Only comparisons within one process have a meaning. May
   * change over time.
   */
  int distanceToUse();

  /**
   * Moves the batch out of memory if it is idle. Blocks while bytes are written.
   *
   * @param store where it goes
   * @return bytes freed, 0 when the batch was not idle or is in the store already
   * @throws io.ariadne.error.EngineException when the store fails; the batch stays where it was,
   *     intact and idle
   */
  long moveTo(SpillStore store);

  /**
   * Hands the batch to its consumer, read back if need be. Blocks while bytes are read.
   *
   * @param allocator where the buffers come from when it must be read back; HOST or PINNED
   * @return the batch, owned by the caller
   * @throws IllegalStateException when it is gone
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when the allocator refuses: the batch
   *     stays where it was; CORRUPT_DATA when the store's bytes are damaged
   */
  RecordBatch take(BufferAllocator allocator);

  /** Frees the batch wherever it is. Idempotent. */
  @Override
  void close();
}
