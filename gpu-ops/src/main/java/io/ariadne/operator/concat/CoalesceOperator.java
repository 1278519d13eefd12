package io.ariadne.operator.concat;

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
 * Puts small batches together, in the order of their rows, for operators to which each batch costs
 * something whatever its size. Large batches pass as they are.
 *
 * <p>Small ones are kept back until there are rows for a batch, a large one follows, or {@link
 * #flush()}. When there is no memory to put them together they go on one by one.
 */
final class CoalesceOperator implements Operator {
  private final Schema schema;
  private final boolean keepsPlaces;
  private final BatchConcatenator small;

  /** Batches for which there was no memory to be put together; before all others. */
  private final Deque<RecordBatch> apart = new ArrayDeque<>();

  /** Comes behind those that are kept back; null for none. */
  private RecordBatch next;

  /** Place in the input of the batches kept back. */
  private long place;

  private boolean flushing;
  private boolean finishing;

  CoalesceOperator(Schema schema, boolean keepsPlaces, OperatorContext context) {
    this.schema = schema;
    this.keepsPlaces = keepsPlaces;
    this.small = new BatchConcatenator(context, context.allocator());
  }

  @Override
  public Schema outputSchema() {
    return schema;
  }

  @Override
  public boolean needsInput() {
    return !finishing && !isDue();
  }

  /** Returns whether something is to be put out before more is taken in. */
  private boolean isDue() {
    return next != null || flushing || !apart.isEmpty() || small.isFull();
  }

  @Override
  public void addInput(RecordBatch batch) {
    if (!needsInput()) {
      batch.close();
      throw new IllegalStateException("the operator does not need input");
    }
    if (batch.rowCount() == 0) {
      batch.close();
    } else if (!keep(batch)) {
      next = batch;
    }
  }

  /** Keeps a batch back unless it is large or must not be put together with those there are. */
  private boolean keep(RecordBatch batch) {
    boolean isElsewhere = keepsPlaces && !small.isEmpty() && batch.sequence() != place;
    if (isElsewhere || !small.takes(batch)) {
      return false;
    }
    place = small.isEmpty() ? batch.sequence() : place;
    small.add(batch);
    return true;
  }

  @Override
  public RecordBatch getOutput() {
    if (!apart.isEmpty()) {
      return apart.remove();
    }
    if (small.isEmpty()) {
      RecordBatch batch = next;
      next = null;
      return batch;
    }
    if (!isDue() && !finishing) {
      return null;
    }
    RecordBatch batch = together();
    flushing = false;
    if (next != null && apart.isEmpty() && keep(next)) {
      next = null;
    }
    return batch;
  }

  private RecordBatch together() {
    ThreadRecord thread = ThreadRecord.current();
    boolean before = thread.mayWait(false);
    try {
      return small.take();
    } catch (EngineException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY) {
        throw e;
      }
      apart.addAll(small.takeBatches());
      return apart.remove();
    } finally {
      thread.mayWait(before);
    }
  }

  @Override
  public boolean keepsBack() {
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
    return finishing && small.isEmpty() && apart.isEmpty() && next == null;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    apart.forEach(closer::close);
    apart.clear();
    closer.close(small);
    closer.close(next);
    next = null;
    closer.rethrow();
  }
}
