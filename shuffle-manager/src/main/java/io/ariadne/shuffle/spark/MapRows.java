package io.ariadne.shuffle.spark;

/**
 * Rows of a map task on their way to whoever writes them, who decides what they become: blocks of
 * one partition each, which are made when somebody asks for the record's key or for {@link #block},
 * or batches as they are. Valid until the next record is asked for, or whether there is one; all of
 * its methods, and the record's key, throw an {@link IllegalStateException} after that. Used by the
 * task's thread.
 */
public interface MapRows {
  /** Returns a block of the record's partition. */
  BlockBytes block();

  /**
   * Returns a batch instead: the next record has what comes behind it. Whoever asks for one asks
   * for no block of the same task.
   *
   * @return rows of all partitions; the batch is owned by the caller
   * @throws IllegalStateException when the rows have become blocks already
   */
  PartitionedBatch takeBatch();
}
