package io.ariadne.fragment;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.Operator;
import java.util.ArrayDeque;
import java.util.Deque;

/** Keeps batches back until it is flushed, as if it made larger ones of them. */
class KeepingOperator implements Operator {
  private final Deque<RecordBatch> kept = new ArrayDeque<>();
  private final Deque<RecordBatch> ready = new ArrayDeque<>();
  private boolean finished;

  @Override
  public Schema outputSchema() {
    return LongBatches.SCHEMA;
  }

  @Override
  public boolean needsInput() {
    return !finished && ready.isEmpty();
  }

  @Override
  public void addInput(RecordBatch batch) {
    if (!needsInput()) {
      batch.close();
      throw new IllegalStateException("input is not wanted");
    }
    kept.add(batch);
  }

  /** Returns how many batches are kept back. */
  int keptCount() {
    return kept.size();
  }

  @Override
  public boolean hasBufferedRows() {
    return !kept.isEmpty();
  }

  @Override
  public void flush() {
    ready.addAll(kept);
    kept.clear();
  }

  @Override
  public RecordBatch getOutput() {
    return ready.poll();
  }

  @Override
  public void finish() {
    finished = true;
    flush();
  }

  @Override
  public boolean isFinished() {
    return finished && ready.isEmpty();
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    kept.forEach(closer::close);
    ready.forEach(closer::close);
    closer.rethrow();
  }
}
