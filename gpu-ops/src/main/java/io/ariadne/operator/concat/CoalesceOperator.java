package io.ariadne.operator.concat;

import io.ariadne.backend.BatchSize;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Concatenates small batches, in the order of their rows, for operators with a cost per batch.
 * Large batches pass unchanged.
 *
 * <p>Small batches are buffered until they have enough rows for an output batch, a large batch
 * follows, or {@link #flush()} is called. When there is no memory to concatenate them, they are
 * emitted one by one.
 */
final class CoalesceOperator implements Operator {
  private final Schema schema;
  private final boolean keepsSequences;
  private final BatchConcatenator small;

  /**
   * Batches that could not be concatenated for lack of memory; emitted before all other batches.
   */
  private final Deque<RecordBatch> separate = new ArrayDeque<>();

  /** The batch to emit after the buffered ones; null for none. */
  private RecordBatch next;

  /** The sequence number of the buffered batches. */
  private long sequence;

  private boolean flushing;
  private boolean finishing;

  CoalesceOperator(Schema schema, boolean keepsSequences, BatchSize size, OperatorContext context) {
    this.schema = schema;
    this.keepsSequences = keepsSequences;
    this.small = new BatchConcatenator(context, context.allocator(), size);
  }

  @Override
  public Schema outputSchema() {
    return schema;
  }

  @Override
  public boolean needsInput() {
    return !finishing && !isDue();
  }

  /** Returns whether there is output to emit before more input is accepted. */
  private boolean isDue() {
    return next != null || flushing || !separate.isEmpty() || small.isFull();
  }

  @Override
  public void addInput(RecordBatch batch) {
    if (!needsInput()) {
      batch.close();
      throw new IllegalStateException("the operator does not need input");
    }
    if (batch.rowCount() == 0) {
      batch.close();
    } else if (!buffer(batch)) {
      next = batch;
    }
  }

  /**
   * Buffers a batch. Returns false for a large batch, and for a batch that must not be concatenated
   * with the buffered batches.
   */
  private boolean buffer(RecordBatch batch) {
    boolean hasOtherSequence = keepsSequences && !small.isEmpty() && batch.sequence() != sequence;
    if (hasOtherSequence || !small.takes(batch)) {
      return false;
    }
    sequence = small.isEmpty() ? batch.sequence() : sequence;
    small.add(batch);
    return true;
  }

  @Override
  public RecordBatch getOutput() {
    if (!separate.isEmpty()) {
      return separate.remove();
    }
    if (small.isEmpty()) {
      RecordBatch batch = next;
      next = null;
      return batch;
    }
    if (!isDue() && !finishing) {
      return null;
    }
    RecordBatch batch = concatenated();
    flushing = false;
    if (next != null && separate.isEmpty() && buffer(next)) {
      next = null;
    }
    return batch;
  }

  private RecordBatch concatenated() {
    ThreadRecord thread = ThreadRecord.current();
    boolean before = thread.mayWait(false);
    try {
      return small.take();
    } catch (EngineException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY) {
        throw e;
      }
      separate.addAll(small.takeBatches());
      return separate.remove();
    } finally {
      thread.mayWait(before);
    }
  }

  @Override
  public boolean hasBufferedRows() {
    return !small.isEmpty() && !flushing;
  }

  @Override
  public void flush() {
    flushing = !small.isEmpty();
  }

  @Override
  public void finish() {
    finishing = true;
  }

  @Override
  public boolean isFinished() {
    return finishing && small.isEmpty() && separate.isEmpty() && next == null;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    separate.forEach(closer::close);
    separate.clear();
    closer.close(small);
    closer.close(next);
    next = null;
    closer.rethrow();
  }
}
