package io.ariadne.operator.aggregate.bridged;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SplitSource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The output of a bridged aggregation whose groups are in runs. Each split merges a range of
 * partitions and yields its groups. Only the objects of splits that are being driven are on the
 * JVM's heap.
 */
final class BridgedPartitions implements SplitSource {
  private final BridgedAggregateOperatorFactory plan;
  private final OperatorContext context;
  private final List<BridgedRun> runs;
  private final Queue<BridgedTable> idleTables = new ConcurrentLinkedQueue<>();
  private final int splits;
  private int nextSplit;

  /** Takes ownership of the runs. */
  BridgedPartitions(
      BridgedAggregateOperatorFactory plan, OperatorContext context, List<BridgedRun> runs) {
    this.plan = plan;
    this.context = context;
    this.runs = runs;
    this.splits = BridgedRange.divisions(plan, context, runs);
    runs.forEach(BridgedRun::prefetch);
  }

  @Override
  public Schema schema() {
    return plan.outputSchema();
  }

  @Override
  public BridgedPartition next() {
    if (nextSplit == splits) {
      return null;
    }
    int first = boundary(nextSplit++);
    return new BridgedPartition(this, new BridgedRange(runs, 0, first, boundary(nextSplit)));
  }

  private int boundary(int split) {
    return HashPartitions.COUNT * split / splits;
  }

  BridgedAggregateOperatorFactory plan() {
    return plan;
  }

  OperatorContext context() {
    return context;
  }

  /** Returns a table without groups, owned by the caller. Thread-safe. */
  BridgedTable takeTable() {
    BridgedTable idle = idleTables.poll();
    return idle == null ? new BridgedTable(plan, context) : idle;
  }

  /** Takes ownership of a table that is no longer used, also when this throws. Thread-safe. */
  void giveBack(BridgedTable table) {
    try {
      table.reset();
    } catch (Throwable e) { // Spark's code throws checked exceptions that no signature names
      Closer closer = new Closer();
      closer.close(table);
      closer.suppressIn(e);
      throw e;
    }
    idleTables.add(table); // from here on another thread may take it
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    runs.forEach(closer::close);
    idleTables.forEach(closer::close);
    idleTables.clear();
    closer.rethrow();
  }
}
