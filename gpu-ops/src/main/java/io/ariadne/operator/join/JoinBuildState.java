package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.error.EngineException;
import io.ariadne.kernel.hash.DenseGroups;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.UnprocessedBatch;
import io.ariadne.operator.key.KeyColumns;
import io.ariadne.spill.Revocable;
import io.ariadne.spill.SpillPlacement;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The rows of the build side that one pipeline driver has taken in: spillable batches as they came
 * or, when the rows of all drivers are too many for one hash table, partitions by the hashes of
 * their keys. Rows that are copied for the partitions are revocable memory.
 */
final class JoinBuildState implements SinkState {
  private static final SpillPlacement PLACEMENT = SpillPlacement.at(2 * SpillPlacement.NEAR, true);

  private final HashJoin join;
  private final BuildSize size;
  private final OperatorContext context;
  private final Deque<BuildBatch> batches = new ArrayDeque<>();
  private long unpartitionedBytes;
  private HashPartitioner partitioner; // null until rows are partitioned
  private Revocable memory; // the partitioner's pending rows; null as long as that
  private KeyColumns keys; // null until it is needed
  private boolean hasNullKey;
  private boolean isFinishing;
  private final UnprocessedBatch refused = new UnprocessedBatch();

  /**
   * Creates a state without rows.
   *
   * @param size counts the rows of all drivers
   */
  JoinBuildState(HashJoin join, BuildSize size, OperatorContext context) {
    this.join = join;
    this.size = size;
    this.context = context;
  }

  @Override
  public void addInput(RecordBatch batch) {
    if (batch.rowCount() == 0) {
      batch.close();
      return;
    }
    RecordBatch host = batch;
    try {
      host = context.transfer().moveToHost(batch);
      size.add(host, keyRange(host));
    } catch (RuntimeException | Error e) {
      refused.keepOrClose(host, e);
      throw e;
    }
    unpartitionedBytes += host.ownSizeInBytes();
    batches.add(new BuildBatch(host.sequence(), context.spill().add(host, PLACEMENT)));
    if (unpartitionedBytes >= join.limits(context).partitionedBytes() && size.isTooLarge()) {
      partitionIfMemoryAllows();
    }
  }

  @Override
  public RecordBatch takeUnprocessed() {
    return refused.take();
  }

  private void partitionIfMemoryAllows() {
    try {
      partitionNext();
    } catch (EngineException e) {
      // The rows are spillable: a later call partitions them, at the latest finish().
      if (!EngineException.isOutOfMemory(e)) {
        throw e;
      }
    }
  }

  /** Returns the range of the keys if it matters that they may be numbered by their values. */
  private DenseGroups.Range keyRange(RecordBatch batch) {
    if (!size.mayHaveParts() || !DenseGroups.suit(KeyHashes.layouts(join.buildSide().keys()))) {
      return DenseGroups.Range.NONE;
    }
    if (keys == null) {
      keys = new KeyColumns(join.buildSide().keys(), context);
    }
    DenseGroups.Range[] range = new DenseGroups.Range[1];
    keys.use(
        batch,
        columns ->
            range[0] =
                DenseGroups.Range.of(context.backend(), context.kernelAllocator(), columns.get(0)));
    return range[0];
  }

  /** Partitions the next batches that are not partitioned yet, when there are too many rows. */
  @Override
  public boolean finish() {
    if (!size.isPartitioned()) {
      return true;
    }
    if (!isFinishing) {
      isFinishing = true;
      batches.forEach(batch -> batch.rows().prefetch());
    }
    if (!batches.isEmpty()) {
      MemoryRefusal.retryWithReserve(this::partitionNext);
      return false;
    }
    if (partitioner != null) {
      MemoryRefusal.retryWithReserve(this::spillPending);
    }
    return true;
  }

  /** Returns true: batches that {@link #finish} could not partition are unchanged. */
  @Override
  public boolean mayRepeat() {
    return true;
  }

  private void spillPending() {
    memory.begin();
    try {
      partitioner.spillPending();
    } finally {
      memory.end(partitioner.pendingBytes());
    }
  }

  /**
   * Partitions about as many rows as are partitioned together. When it throws, batches that are not
   * partitioned yet are unchanged.
   */
  private void partitionNext() {
    long bytes = join.limits(context).partitionedBytes();
    if (partitioner == null) {
      partitioner = new HashPartitioner(join.buildSide(), 0, bytes, context);
      memory = context.spill().revocable(PLACEMENT, partitioner::spillPending);
    }
    memory.begin();
    try {
      partition(bytes);
    } finally {
      memory.end(partitioner.pendingBytes());
    }
  }

  private void partition(long bytes) {
    long left = bytes;
    while (left > 0 && !batches.isEmpty()) {
      SpillableBatch spilled = batches.element().rows();
      RecordBatch batch = spilled.read(context.allocator());
      long batchBytes = batch.ownSizeInBytes();
      try {
        if (join.mustKnowNulls() && !hasNullKey) {
          hasNullKey = partitioner.hasNullKey(batch);
        }
        partitioner.add(batch, HashPartitioner.ALL);
      } finally {
        spilled.unread();
      }
      left -= batchBytes;
      unpartitionedBytes -= batchBytes;
      batches.remove().rows().close();
    }
    partitioner.spillPendingIfLarge();
  }

  /**
   * Hands the rows to the caller; the state takes no more.
   *
   * @param target takes batches that are not partitioned, owned by the caller
   * @param partitions take the rows that are partitioned
   * @return whether a key in the partitioned rows is null; only known where that matters
   */
  boolean takeRows(List<BuildBatch> target, List<SpilledPartition> partitions) {
    target.addAll(batches);
    batches.clear();
    if (partitioner != null) {
      memory.close();
      partitioner.moveTo(partitions);
    }
    return hasNullKey;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    batches.forEach(batch -> closer.close(batch.rows()));
    batches.clear();
    closer.close(refused);
    closer.close(memory);
    closer.close(partitioner);
    closer.close(keys);
    closer.rethrow();
  }
}
