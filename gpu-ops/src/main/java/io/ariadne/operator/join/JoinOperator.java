package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import java.util.concurrent.CompletableFuture;

/**
 * Joins the batches of the probe side with a complete build side. Rows are joined with the table in
 * memory as they arrive. When build rows are spilled, probe rows of the same partitions are spilled
 * as well and joined after the last input batch. When there is no table, each batch is joined in
 * passes over the build rows.
 */
final class JoinOperator implements Operator {
  private final HashJoin join;
  private final JoinBuild build;
  private final OperatorContext context;
  private final SpilledPartitionPairs spilled; // null when the table holds all build rows
  private final OrderedMultiPassJoin passes; // null unless there is no table
  private TableProbe table;
  private HashPartitioner partitioner; // spills rows of spilled partitions; null as the field above
  private SpilledPartitionPairs.Share share; // of the current pair; null for none
  private PartitionPairJoin pair; // the current one; null for none
  private RecordBatch refused;
  private boolean finishing;
  private boolean arePairsOver;

  /** Creates an operator over a build side that stays open as long as this operator. */
  JoinOperator(HashJoin join, JoinBuild build, OperatorContext context) {
    this.join = join;
    this.build = build;
    this.context = context;
    this.spilled = build.spilled();
    this.arePairsOver = spilled == null;
    this.passes =
        build.rows() == null ? null : new OrderedMultiPassJoin(join, build.rows(), context);
    try {
      if (spilled != null) {
        long together = join.limits(context).partitionedBytes();
        partitioner = new HashPartitioner(join.probeSide(), 0, together, context);
      }
      // Registers this driver with the table, so nothing that takes memory may follow.
      table = new TableProbe(join, build.table(), TableProbe.Part.ALL, build.isEmpty(), context);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
    if (spilled != null) {
      spilled.begin();
    }
  }

  @Override
  public Schema outputSchema() {
    return join.spec().output();
  }

  @Override
  public boolean needsInput() {
    return !finishing && !isBusy() && !build.yieldsNothing();
  }

  private boolean isBusy() {
    return table.isBusy() || (passes != null && passes.isBusy());
  }

  @Override
  public void addInput(RecordBatch batch) {
    if (!needsInput()) {
      batch.close();
      throw new IllegalStateException("the operator does not need input");
    }
    if (batch.rowCount() == 0) {
      batch.close();
      return;
    }
    if (passes != null) {
      joinInPasses(batch);
      return;
    }
    RecordBatch rows = spilled == null ? batch : withoutSpilled(batch);
    if (rows != null) {
      probe(rows);
    }
  }

  private void joinInPasses(RecordBatch batch) {
    refused = batch; // until the batch is taken
    refused = context.transfer().moveToHost(batch);
    passes.add(refused);
    refused = null;
  }

  /** Spills rows whose partitions are spilled; returns the others, owned by the caller. */
  private RecordBatch withoutSpilled(RecordBatch batch) {
    refused = batch; // until the batch has had an effect
    RecordBatch rows = context.transfer().moveToHost(batch);
    refused = rows;
    partitioner.spillPendingIfLarge();
    RecordBatch others = partitioner.add(rows, spilled.partitions());
    refused = null;
    if (others != rows) {
      rows.close();
    }
    return others;
  }

  private void probe(RecordBatch rows) {
    ProbeBatch added = new ProbeBatch(rows, context);
    try {
      table.add(added);
    } finally {
      if (!table.isBusy()) {
        refused = added.takeBatch();
      }
    }
  }

  /** Returns the rows that had no effect; rows that were spilled are not among them. */
  @Override
  public RecordBatch takeUnprocessed() {
    RecordBatch taken = refused;
    refused = null;
    return taken;
  }

  @Override
  public RecordBatch getOutput() {
    if (table.isBusy()) {
      return table.next();
    }
    if (passes != null && passes.isBusy()) {
      return passes.next();
    }
    if (!finishing) {
      return null;
    }
    RecordBatch marked = table.nextMarked();
    return marked == null && !arePairsOver ? nextOfPairs() : marked;
  }

  /**
   * Returns the next batch of pairs of partitions, perhaps without rows; null when there is none
   * now, or no more.
   */
  private RecordBatch nextOfPairs() {
    while (pair != null || takePair()) {
      RecordBatch batch = pair.next();
      if (batch != null) {
        return batch;
      }
      closePair();
    }
    return null;
  }

  /** Begins the next pair; a share whose pair could not be begun is kept for the next call. */
  private boolean takePair() {
    if (share == null) {
      share = spilled.take();
    }
    if (share == null) {
      arePairsOver = spilled.isOver();
      return false;
    }
    pair = new PartitionPairJoin(join, share.pair(), spilled, build.isEmpty(), context);
    return true;
  }

  /** Closes the pair, then returns its share of the memory account. */
  private void closePair() {
    PartitionPairJoin over = pair;
    SpilledPartitionPairs.Share free = share;
    pair = null;
    share = null;
    Closer closer = new Closer();
    closer.close(over);
    if (free != null) {
      closer.close(over == null ? free.pair() : null);
      closer.close(() -> spilled.back(free));
    }
    closer.rethrow();
  }

  @Override
  public void finish() {
    if (finishing) {
      return;
    }
    if (spilled != null) {
      MemoryRefusal.retryWithReserve(partitioner::spillPending);
    }
    table.finish();
    finishing = true; // what follows takes no memory
    if (spilled != null) {
      spilled.end(partitioner::moveTo);
    }
  }

  /**
   * Returns true: rows are moved, and positions advance, only when all memory of a step is there.
   */
  @Override
  public boolean mayRepeat() {
    return true;
  }

  @Override
  public CompletableFuture<Void> isBlocked() {
    boolean isWaiting = finishing && !arePairsOver && !isBusy() && table.isMarkedOver();
    return isWaiting && share == null ? spilled.more() : NOT_BLOCKED;
  }

  @Override
  public boolean isFinished() {
    return !isBusy()
        && (build.yieldsNothing() || (finishing && table.isMarkedOver() && arePairsOver));
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(refused);
    closer.close(passes);
    closer.close(this::closePair);
    closer.close(partitioner);
    closer.close(table);
    closer.rethrow();
  }
}
