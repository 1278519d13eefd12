package io.ariadne.fragment;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.Operator;
import java.util.ArrayDeque;
import java.util.Deque;

/** Buffers batches until it is flushed, as an operator does that concatenates them. */
class BufferingOperator implements Operator {
  private final Deque<RecordBatch> buffered = new ArrayDeque<>();
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
    buffered.add(batch);
  }

  /** Returns how many batches are buffered. */
  int bufferedCount() {
    return buffered.size();
  }

  @Override
  public boolean hasBufferedRows() {
    return !buffered.isEmpty();
  }

  @Override
  public void flush() {
    ready.addAll(buffered);
    buffered.clear();
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
    buffered.forEach(closer::close);
    ready.forEach(closer::close);
    closer.rethrow();
  }
}
