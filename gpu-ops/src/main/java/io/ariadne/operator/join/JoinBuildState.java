package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.kernel.hash.DenseGroups;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.UnprocessedBatch;
import io.ariadne.operator.key.KeyColumns;
import io.ariadne.spill.SpillPlacement;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The rows of the build side that one thread of work has taken in: batches as they came, or, when
 * those of all threads are too many for a table, divided by the hashes of their keys.
 */
final class JoinBuildState implements SinkState {
  private static final SpillPlacement WAITING = SpillPlacement.at(2 * SpillPlacement.NEAR, true);

  private final HashJoin join;
  private final BuildSize size;
  private final OperatorContext context;
  private final Deque<BuildBatch> batches = new ArrayDeque<>();
  private long waitingBytes;
  private HashPartitioner divided; // null until rows are divided
  private KeyColumns keys; // null until it is needed
  private boolean hasNullKey;
  private final UnprocessedBatch refused = new UnprocessedBatch();

  /**
   * Creates a state without rows.
   *
   * @param size counts the rows of all threads
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
    waitingBytes += host.ownSizeInBytes();
    batches.add(new BuildBatch(host.sequence(), context.spill().add(host, WAITING)));
    if (waitingBytes >= join.limits(context).dividedBytes() && size.isTooLarge()) {
      divideIfThereIsMemory();
    }
  }

  @Override
  public RecordBatch takeUnprocessed() {
    return refused.take();
  }

  private void divideIfThereIsMemory() {
    try {
      divideNext();
    } catch (EngineException e) {
      // the rows are at rest: they are divided later, in the end when not before
      if (e.code() != ErrorCode.OUT_OF_MEMORY) {
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

  /** Divides rows that wait, when those of all threads are many; some at a time. */
  @Override
  public boolean finish() {
    if (!size.isDivided()) {
      return true;
    }
    if (!batches.isEmpty()) {
      divideNext();
      return false;
    }
    if (divided != null) {
      divided.rest();
    }
    return true;
  }

  /** Divides about as many rows as are divided together. What fails stays as it was. */
  private void divideNext() {
    if (divided == null) {
      long together = join.limits(context).dividedBytes();
      divided = new HashPartitioner(join.buildSide(), 0, together, context);
    }
    long left = join.limits(context).dividedBytes();
    while (left > 0 && !batches.isEmpty()) {
      SpillableBatch resting = batches.element().rows();
      RecordBatch batch = resting.read(context.allocator());
      try {
        divide(batch);
        left -= batch.ownSizeInBytes();
        waitingBytes -= batch.ownSizeInBytes();
      } finally {
        resting.unread();
      }
      batches.remove().rows().close();
    }
    divided.restIfMany();
  }

  private void divide(RecordBatch batch) {
    if (join.mustKnowNulls() && !hasNullKey) {
      hasNullKey = divided.hasNullKey(batch);
    }
    divided.add(batch, HashPartitioner.ALL);
  }

  /**
   * Hands the rows to the caller; the state takes no more.
   *
   * @param target takes batches that are not divided, owned by the caller
   * @param partitions take the rows that are, by partition
   * @return whether one of these has a key that is null; only known where that matters
   */
  boolean takeRows(List<BuildBatch> target, List<SpilledPartition> partitions) {
    target.addAll(batches);
    batches.clear();
    if (divided != null) {
      divided.moveTo(partitions);
    }
    return hasNullKey;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    batches.forEach(batch -> closer.close(batch.rows()));
    batches.clear();
    closer.close(refused);
    closer.close(divided);
    closer.close(keys);
    closer.rethrow();
  }
}
