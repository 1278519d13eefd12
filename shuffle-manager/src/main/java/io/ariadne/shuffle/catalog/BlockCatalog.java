package io.ariadne.shuffle.catalog;

import io.ariadne.shuffle.BlockId;
import io.ariadne.spill.SpillableBatch;
import java.util.List;

/**
 * The map outputs of one process. Thread-safe; owns the batches it knows.
 *
 * <p>A block may be read many times, by repeated reduce tasks and by several readers of a reused
 * exchange, until its shuffle is dropped.
 */
public interface BlockCatalog extends AutoCloseable {
  /**
   * Makes all blocks of a map output known at once.
   *
   * @param blocks ids of one shuffle and one map attempt
   * @param contents the batches of each block in order, owned by the catalog from now on, also when
   *     this throws
   * @throws IllegalStateException when the map attempt is known already or its shuffle was dropped
   */
  void register(List<BlockId> blocks, List<List<SpillableBatch>> contents);

  /**
   * Opens a block's batches for reading; they cannot be dropped meanwhile.
   *
   * @param block what is wanted
   * @return the batches, to be closed by the caller, or null when the block is not known
   */
  Lease open(BlockId block);

  /** Batches of a block kept for one reader. */
  interface Lease extends AutoCloseable {
    /** Returns the batches in order; owned by the catalog. */
    List<SpillableBatch> batches();

    /** Lets go of the batches. Idempotent. */
    @Override
    void close();
  }

  /**
   * Forgets a shuffle; its batches are freed with the last lease.
   *
   * @param shuffleId the shuffle; need not be known
   */
  void drop(int shuffleId);

  /** Drops every shuffle. Idempotent. */
  @Override
  void close();
}
