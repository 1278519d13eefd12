package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.OperatorContext;

/**
 * Joins one pair of spilled partitions, or partitions it again into pairs that any driver may join.
 * Used by one thread at a time.
 */
final class PartitionPairJoin implements AutoCloseable {
  private final JoinSpec spec;
  private final OperatorContext context;
  private final SpilledPartitionPair pair;
  private final RecursiveRepartition repartition; // null when the pair is joined here
  private final MultiPassHashJoin passes; // null when the pair is partitioned again

  /**
   * Prepares.
   *
   * @param pair ownership passes to this object, unless this throws: the pair is then unchanged
   * @param others takes the pairs into which this one is partitioned
   * @param isBuildEmpty whether the build side of the whole join has no rows
   */
  PartitionPairJoin(
      HashJoin join,
      SpilledPartitionPair pair,
      SpilledPartitionPairs others,
      boolean isBuildEmpty,
      OperatorContext context) {
    this.spec = join.spec();
    this.context = context;
    this.pair = pair;
    boolean isPartitioned = isPartitioned(join, pair, context);
    this.repartition = isPartitioned ? new RecursiveRepartition(join, pair, others, context) : null;
    this.passes = isPartitioned ? null : new MultiPassHashJoin(join, pair, isBuildEmpty, context);
  }

  /** Rows of one key have equal hashes, which no bits divide: they are joined in several passes. */
  private static boolean isPartitioned(
      HashJoin join, SpilledPartitionPair pair, OperatorContext context) {
    SpilledPartition build = pair.build();
    return join.isTooLargeForPair(build.rowCount(), build.bytes(), context)
        && build.dividingLevel() <= HashPartitioner.LAST_LEVEL
        && pair.probe().rowCount() > 0;
  }

  /**
   * Returns the next batch, perhaps without rows, owned by the caller; null at the end. A call that
   * was refused memory may be repeated.
   */
  RecordBatch next() {
    boolean isOver = repartition != null ? !repartition.next() : passes.isOver();
    if (isOver) {
      return null;
    }
    RecordBatch batch = repartition != null ? null : passes.next();
    return batch == null ? NullColumns.emptyBatch(spec.output(), context.allocator()) : batch;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(repartition);
    closer.close(passes);
    closer.close(pair);
    closer.rethrow();
  }
}
