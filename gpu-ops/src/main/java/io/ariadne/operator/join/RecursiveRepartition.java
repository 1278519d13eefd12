package io.ariadne.operator.join;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.OperatorContext;
import io.ariadne.spill.SpillableBatch;
import java.util.Deque;
import java.util.List;

/**
 * Partitions a pair of spilled partitions again, by further bits of the hashes. Used by one thread
 * at a time.
 */
final class RecursiveRepartition implements AutoCloseable {
  private final SpilledPartitionPair pair;
  private final SpilledPartitionPairs others;
  private final HashPartitioner build;
  private final HashPartitioner probe;

  /**
   * Prepares.
   *
   * @param pair its batches are taken out one by one
   * @param others takes the pairs into which it is partitioned
   */
  RecursiveRepartition(
      HashJoin join,
      SpilledPartitionPair pair,
      SpilledPartitionPairs others,
      OperatorContext context) {
    this.pair = pair;
    this.others = others;
    int level = pair.build().dividingLevel(); // bits of earlier levels are equal in all rows
    long together = join.limits(context).partitionedBytes();
    this.build = new HashPartitioner(join.buildSide(), level, together, context);
    try {
      this.probe = new HashPartitioner(join.probeSide(), level, together, context);
    } catch (RuntimeException | Error e) {
      build.close();
      throw e;
    }
  }

  /** Partitions the next batch; returns whether there was one. */
  boolean next() {
    if (divideNext(pair.build().batches(), build) || divideNext(pair.probe().batches(), probe)) {
      return true;
    }
    MemoryRefusal.retryWithReserve(build::spillPending);
    MemoryRefusal.retryWithReserve(probe::spillPending);
    List<SpilledPartition> buildRows = SpilledPartition.partitions();
    List<SpilledPartition> probeRows = SpilledPartition.partitions();
    build.moveTo(buildRows);
    probe.moveTo(probeRows);
    for (int i = 0; i < HashPartitioner.PARTITIONS; i++) {
      others.addPair(new SpilledPartitionPair(buildRows.get(i), probeRows.get(i)));
    }
    return false;
  }

  private boolean divideNext(Deque<SpillableBatch> batches, HashPartitioner target) {
    if (batches.isEmpty()) {
      return false;
    }
    MemoryRefusal.retryWithReserve(
        () -> {
          target.spillPendingIfLarge();
          target.addFirst(batches, batch -> {});
        });
    return true;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(probe);
    closer.close(build);
    closer.rethrow();
  }
}
