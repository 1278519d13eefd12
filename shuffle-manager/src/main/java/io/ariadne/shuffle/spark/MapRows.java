package io.ariadne.shuffle.spark;

/**
 * The value of a record that a map task writes: rows that become what the shuffle's writer asks
 * for. Spark's writers ask for the key or for {@link #block}; then the rows are encoded as blocks
 * of one partition each. Ariadne's writer asks for the batch.
 *
 * <p>Valid until the writer asks for the next record, or whether there is one; afterwards all
 * methods, and the record's key, throw an {@link IllegalStateException}. Used by the task thread.
 */
interface MapRows {
  /** Returns a block of the record's partition. */
  BlockBytes block();

  /**
   * Returns a batch; the next record has the rows behind it. A writer that takes a batch asks for
   * no block of the same task.
   *
   * @return rows of all partitions; the caller owns the batch
   * @throws IllegalStateException when the rows are encoded as blocks already
   */
  PartitionedBatch takeBatch();
}
