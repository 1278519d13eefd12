package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.OperatorContext;
import io.ariadne.spill.SpillableBatch;
import java.util.Deque;
import java.util.List;

/** Divides a pair of partitions by further bits of the hashes. Used by one thread at a time. */
final class PairDivision implements AutoCloseable {
  private final SpilledPair pair;
  private final SpilledPairs others;
  private final OperatorContext context;
  private final DividedRows build;
  private final DividedRows probe;

  /**
   * Prepares.
   *
   * @param pair its rows are taken out one after the other
   * @param others takes what it is divided into
   */
  PairDivision(HashJoin join, SpilledPair pair, SpilledPairs others, OperatorContext context) {
    this.pair = pair;
    this.others = others;
    this.context = context;
    int level = pair.build().dividingLevel(); // beyond the pair's: others are the same in all
    long together = join.limits(context).dividedBytes();
    this.build = new DividedRows(join.buildSide(), level, together, context);
    try {
      this.probe = new DividedRows(join.probeSide(), level, together, context);
    } catch (RuntimeException | Error e) {
      build.close();
      throw e;
    }
  }

  /** Divides the next rows; returns whether there were any. */
  boolean next() {
    if (divideNext(pair.build().batches(), build) || divideNext(pair.probe().batches(), probe)) {
      return true;
    }
    build.rest();
    probe.rest();
    List<RestingRows> buildRows = RestingRows.partitions();
    List<RestingRows> probeRows = RestingRows.partitions();
    build.moveTo(buildRows);
    probe.moveTo(probeRows);
    for (int i = 0; i < DividedRows.PARTITIONS; i++) {
      others.addPair(new SpilledPair(buildRows.get(i), probeRows.get(i)));
    }
    return false;
  }

  private boolean divideNext(Deque<SpillableBatch> batches, DividedRows target) {
    SpillableBatch resting = batches.peek();
    if (resting == null) {
      return false;
    }
    RecordBatch batch = resting.read(context.allocator());
    try {
      target.add(batch, DividedRows.ALL);
    } finally {
      resting.unread();
    }
    batches.remove().close();
    target.restIfMany();
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
