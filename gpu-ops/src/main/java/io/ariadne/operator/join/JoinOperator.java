package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import java.util.concurrent.CompletableFuture;

/**
 * Joins the batches of the probe side with a complete build side. Rows are joined with the table in
 * memory as they arrive. When build rows are spilled, probe rows of the same partitions are spilled
 * as well and joined after the last input batch.
 */
final class JoinOperator implements Operator {
  private final HashJoin join;
  private final JoinBuild build;
  private final OperatorContext context;
  private final SpilledPartitionPairs spilled; // null when the table holds all build rows
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
    this.table = new TableProbe(join, build.table(), TableProbe.Part.ALL, build.isEmpty(), context);
    try {
      if (spilled != null) {
        long together = join.limits(context).partitionedBytes();
        partitioner = new HashPartitioner(join.probeSide(), 0, together, context);
        spilled.begin();
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  @Override
  public Schema outputSchema() {
    return join.spec().output();
  }

  @Override
  public boolean needsInput() {
    return !finishing && !table.isBusy() && !build.yieldsNothing();
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
    RecordBatch rows = spilled == null ? batch : withoutSpilled(batch);
    if (rows != null) {
      probe(rows);
    }
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
    if (context.backend().tier() != MemoryTier.HOST) {
      return null; // the pipeline driver would continue with kernels that do not see the table
    }
    RecordBatch taken = refused;
    refused = null;
    return taken;
  }

  @Override
  public RecordBatch getOutput() {
    if (table.isBusy()) {
      return table.next();
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

  private boolean takePair() {
    share = spilled.take();
    if (share == null) {
      arePairsOver = spilled.isOver();
      return false;
    }
    pair = new PartitionPairJoin(join, share.pair(), spilled, context);
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
      closer.close(() -> spilled.back(free));
    }
    closer.rethrow();
  }

  @Override
  public void finish() {
    if (finishing) {
      return;
    }
    finishing = true;
    table.finish();
    if (spilled != null) {
      MemoryRefusal.retryWithReserve(partitioner::spillPending);
      spilled.end(partitioner::moveTo);
    }
  }

  @Override
  public CompletableFuture<Void> isBlocked() {
    boolean isWaiting = finishing && !arePairsOver && !table.isBusy() && table.isMarkedOver();
    return isWaiting && pair == null ? spilled.more() : NOT_BLOCKED;
  }

  @Override
  public boolean isFinished() {
    return !table.isBusy()
        && (build.yieldsNothing() || (finishing && table.isMarkedOver() && arePairsOver));
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(refused);
    closer.close(this::closePair);
    closer.close(partitioner);
    closer.close(table);
    closer.rethrow();
  }
}
