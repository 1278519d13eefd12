package io.ariadne.shuffle;

import io.ariadne.columnar.RecordBatch;

/**
 * The output of one attempt of a map task. One thread at a time.
 *
 * <p>Nothing is visible to readers before {@link #commit}; {@link #close} without it leaves nothing
 * behind.
 */
public interface PartitionWriter extends AutoCloseable {
  /**
   * Adds rows that all belong to one partition. May block while memory is short; batches are joined
   * before they travel, so small ones are welcome.
   *
   * @param partition from 0
   * @param batch owned by the writer from now on, also when this throws
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when neither memory nor the store below
   *     takes it
   */
  void write(int partition, RecordBatch batch);

  /**
   * Makes the output visible to readers.
   *
   * @return encoded bytes per partition, as Spark's MapStatus wants them; 0 exactly for partitions
   *     without rows
   */
  long[] commit();

  /** Returns rows written to a partition so far, exactly. */
  long rowCount(int partition);

  /** Frees what the writer holds; drops the output when it was not committed. Idempotent. */
  @Override
  void close();
}
