package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.error.EngineException;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Makes one hash table of all rows of a build side. When memory is refused, the rows become batches
 * again, which may leave memory. Then they are divided into partitions, which are joined one after
 * the other. Where they must not be partitioned, later calls try again, and after several refusals
 * the rows stay batches, which are joined in passes. Yields no rows.
 */
final class WholeTableSplit implements Split {
  /** Refusals after which there is no table, of rows that must not be partitioned. */
  private static final int PATIENCE = 4;

  private final HashJoin join;
  private final Deque<SpillableBatch> batches;
  private final Target target;
  private final OperatorContext context;
  private boolean hasNullKey;

  /** The rows while the table is made, or until all are batches again; else null. */
  private BuildColumns columns;

  /** Whether memory was refused for the table, so that the rows are partitioned. */
  private boolean isPartitioned;

  private int refusals;

  /** Whether there is no table although rows must not be partitioned. */
  private boolean isInPasses;

  /** Batches whose keys were searched for nulls. */
  private int searched;

  /** Null until rows are partitioned. */
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

    /**
     * Takes the rows, which are in the split's batches: there is no table.
     *
     * @param hasNullKey whether a key is null; only known where that matters
     */
    void completeInPasses(boolean hasNullKey);
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
    restore();
    if (isInPasses) {
      return searchNext() ? emptyBatch() : null;
    }
    if (!isPartitioned) {
      JoinTable table = tableOrNull();
      if (table != null) {
        target.complete(table);
        return null;
      }
      return emptyBatch();
    }
    if (partitioner == null) {
      long bytes = join.limits(context).partitionedBytes();
      MemoryRefusal.retryWithReserve(
          () -> partitioner = new HashPartitioner(join.buildSide(), 0, bytes, context));
    }
    return partitionNext() ? emptyBatch() : null;
  }

  /** Returns true: a call that was refused memory leaves all rows here. */
  @Override
  public boolean mayRepeat() {
    return true;
  }

  private RecordBatch emptyBatch() {
    return NullColumns.emptyBatch(join.spec().build(), context.allocator());
  }

  /**
   * Makes the table. When memory is refused, the rows become batches again, and this returns null
   * if they are partitioned or joined in passes instead.
   */
  private JoinTable tableOrNull() {
    try {
      columns = takeColumns();
      JoinTable table = JoinTable.of(join, columns.toBatch(), context);
      closeColumns();
      return table;
    } catch (EngineException e) {
      if (!EngineException.isOutOfMemory(e)) {
        throw e;
      }
      refusals++;
      isPartitioned = join.mayPartition();
      isInPasses = !isPartitioned && refusals > PATIENCE && join.mayJoinInPasses();
      restore();
      if (!isPartitioned && !isInPasses) {
        throw e;
      }
      return null;
    }
  }

  /** Searches the next batch for a null key, where that matters; returns whether there is more. */
  private boolean searchNext() {
    if (!join.mustKnowNulls() || hasNullKey || searched == batches.size()) {
      target.completeInPasses(hasNullKey);
      return false;
    }
    SpillableBatch batch = batches.element();
    RecordBatch rows = batch.read(context.allocator());
    try (KeyHashes hashes = new KeyHashes(join.buildSide().keys(), context)) {
      hasNullKey = hashes.hasNullKey(rows);
    } finally {
      batch.unread();
    }
    batches.add(batches.remove()); // the order is the first one again after the last batch
    searched++;
    return true;
  }

  /** Turns columns that have become no table back into batches; the next call continues. */
  private void restore() {
    if (columns != null) {
      MemoryRefusal.withReserve(() -> columns.restore(this::putBack));
      closeColumns();
    }
  }

  private void closeColumns() {
    BuildColumns closed = columns;
    columns = null;
    closed.close();
  }

  /** Takes all rows; when it throws, they are among the batches again, in their order. */
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
      for (int i = rows.size() - 1; i >= 0; i--) {
        batches.addFirst(spillable(rows.get(i)));
      }
      throw e;
    }
  }

  private void putBack(RecordBatch batch) {
    batches.add(spillable(batch));
  }

  private SpillableBatch spillable(RecordBatch batch) {
    return context.spill().add(batch, HashPartitioner.PLACEMENT);
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
    Closer closer = new Closer();
    closer.close(columns);
    closer.close(partitioner);
    closer.rethrow();
  }
}
