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
   * @param pair ownership passes to this object, also when this throws
   * @param others takes the pairs into which this one is partitioned
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
      boolean isPartitioned = isPartitioned(join, pair, context);
      this.repartition =
          isPartitioned ? new RecursiveRepartition(join, pair, others, context) : null;
      this.passes = isPartitioned ? null : new MultiPassHashJoin(join, pair, context);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(pair);
      closer.suppressIn(e);
      throw e;
    }
  }

  /** Rows of one key have equal hashes, which no bits divide: they are joined in several passes. */
  private static boolean isPartitioned(
      HashJoin join, SpilledPartitionPair pair, OperatorContext context) {
    SpilledPartition build = pair.build();
    return join.isTooLargeForPair(build.rowCount(), build.bytes(), context)
        && build.dividingLevel() <= HashPartitioner.LAST_LEVEL
        && pair.probe().rowCount() > 0;
  }

  /** Returns the next batch, perhaps without rows, owned by the caller; null at the end. */
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
