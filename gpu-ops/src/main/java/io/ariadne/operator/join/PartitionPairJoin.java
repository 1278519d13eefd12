package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.OperatorContext;

/**
 * Joins the rows of one pair of partitions, or divides them into pairs that others may join. Used
 * by one thread at a time.
 */
final class PartitionPairJoin implements AutoCloseable {
  private final JoinSpec spec;
  private final OperatorContext context;
  private final SpilledPartitionPair pair;
  private final RecursiveRepartition division; // null when the rows are joined here
  private final MultiPassHashJoin chunks; // null when they are divided

  /**
   * Prepares.
   *
   * @param pair owned by this from now on, also when this throws
   * @param others takes the pairs into which this one is divided
   */
  PartitionPairJoin(
      HashJoin join,
      SpilledPartitionPair pair,
      SpilledPartitionPairs others,
      OperatorContext context) {
    this.spec = join.spec();
    this.context = context;
    this.pair = pair;
    try {
      boolean isDivided = isDivided(join, pair, context);
      this.division = isDivided ? new RecursiveRepartition(join, pair, others, context) : null;
      this.chunks = isDivided ? null : new MultiPassHashJoin(join, pair, context);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(pair);
      closer.suppressIn(e);
      throw e;
    }
  }

  /** Rows of one key are not divided by any bits: they are joined part by part. */
  private static boolean isDivided(
      HashJoin join, SpilledPartitionPair pair, OperatorContext context) {
    SpilledPartition build = pair.build();
    return join.isTooLargeForPair(build.rowCount(), build.bytes(), context)
        && build.dividingLevel() <= HashPartitioner.LAST_LEVEL
        && pair.probe().rowCount() > 0;
  }

  /** Returns the next batch, perhaps without rows, owned by the caller; null at the end. */
  RecordBatch next() {
    boolean isOver = division != null ? !division.next() : chunks.isOver();
    if (isOver) {
      return null;
    }
    RecordBatch batch = division != null ? null : chunks.next();
    return batch == null ? NullColumns.emptyBatch(spec.output(), context.allocator()) : batch;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(division);
    closer.close(chunks);
    closer.close(pair);
    closer.rethrow();
  }
}
