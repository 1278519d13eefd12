package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.error.EngineException;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Makes one hash table of all rows of a build side. When memory is refused, it divides the rows
 * into partitions instead, which are joined one after the other. Yields no rows.
 */
final class WholeTableSplit implements Split {
  private final HashJoin join;
  private final Deque<SpillableBatch> batches;
  private final Target target;
  private final OperatorContext context;
  private boolean hasNullKey;

  /** Null until memory is refused for the table. */
  private HashPartitioner partitioner;

  /** Takes the result. */
  interface Target {
    /** Takes the table, owned by the target from then on. */
    void complete(JoinTable table);

    /**
     * Takes the rows by partition: there is no table.
     *
     * @param rows moves them into partitions of the target
     * @param hasNullKey whether a key is null; only known where that matters
     */
    void complete(HashPartitioner rows, boolean hasNullKey);
  }

  /**
   * Prepares.
   *
   * @param batches the rows, which are taken out; owned by the caller until then
   */
  WholeTableSplit(
      HashJoin join, Deque<SpillableBatch> batches, Target target, OperatorContext context) {
    this.join = join;
    this.batches = batches;
    this.target = target;
    this.context = context;
  }

  @Override
  public RecordBatch next() {
    if (partitioner != null) {
      return partitionNext()
          ? NullColumns.emptyBatch(join.spec().build(), context.allocator())
          : null;
    }
    JoinTable table = join.mayPartition() ? tableOrNull() : table();
    if (table != null) {
      target.complete(table);
      return null;
    }
    long bytes = join.limits(context).partitionedBytes();
    MemoryRefusal.retryWithReserve(
        () -> partitioner = new HashPartitioner(join.buildSide(), 0, bytes, context));
    return NullColumns.emptyBatch(join.spec().build(), context.allocator());
  }

  /** Makes the table; fails when memory is refused. */
  private JoinTable table() {
    try (BuildColumns columns = takeColumns()) {
      return JoinTable.of(join, columns.toBatch(), context);
    }
  }

  /** Makes the table; returns null, with all rows among the batches, when memory is refused. */
  private JoinTable tableOrNull() {
    BuildColumns columns = null;
    Throwable failure = null;
    try {
      columns = takeColumns();
      return JoinTable.of(join, columns.toBatch(), context);
    } catch (RuntimeException | Error e) {
      failure = e;
      if (!EngineException.isOutOfMemory(e)) {
        throw e;
      }
      return null;
    } finally {
      end(columns, failure);
    }
  }

  /** Restores the rows when memory was refused; frees what is left. */
  private void end(BuildColumns columns, Throwable failure) {
    if (columns == null) {
      return;
    }
    try (columns) {
      if (EngineException.isOutOfMemory(failure)) {
        MemoryRefusal.withReserve(() -> columns.restore(this::putBack));
      }
    }
  }

  /** Takes all rows; when it throws, they are among the batches again. */
  private BuildColumns takeColumns() {
    BuildColumns.checkedRowCount(batches.stream().mapToLong(SpillableBatch::rowCount).sum());
    List<RecordBatch> rows = new ArrayList<>();
    try {
      while (!batches.isEmpty()) {
        rows.add(batches.element().take(context.allocator()));
        batches.remove();
      }
      return new BuildColumns(join.spec().build(), rows, context);
    } catch (RuntimeException | Error e) {
      rows.forEach(this::putBack);
      throw e;
    }
  }

  private void putBack(RecordBatch batch) {
    batches.add(context.spill().add(batch, HashPartitioner.PLACEMENT));
  }

  /** Divides the next batch; returns whether there is more to do. */
  private boolean partitionNext() {
    if (!batches.isEmpty()) {
      MemoryRefusal.retryWithReserve(this::partitionFirst);
      return true;
    }
    MemoryRefusal.retryWithReserve(partitioner::spillPending);
    target.complete(partitioner, hasNullKey);
    return false;
  }

  private void partitionFirst() {
    partitioner.spillPendingIfLarge();
    partitioner.addFirst(
        batches,
        batch ->
            hasNullKey = hasNullKey || (join.mustKnowNulls() && partitioner.hasNullKey(batch)));
  }

  @Override
  public void close() {
    if (partitioner != null) {
      partitioner.close();
    }
  }
}
