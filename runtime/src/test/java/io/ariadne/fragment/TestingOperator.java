package io.ariadne.fragment;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.OperatorFactory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Maps each batch to any number of batches; subclasses add trouble. Checks the protocol. */
public class TestingOperator implements Operator {
  private final OperatorContext context;
  private final Function<long[], long[][]> mapping;
  private final Deque<RecordBatch> outputs = new ArrayDeque<>();
  private boolean finished;
  private boolean closed;

  /** Creates an operator over the values of each batch. */
  public TestingOperator(OperatorContext context, Function<long[], long[][]> mapping) {
    this.context = context;
    this.mapping = mapping;
  }

  /** Returns a factory of operators that map values to values. */
  public static OperatorFactory mapping(Function<long[], long[][]> mapping) {
    return context -> new TestingOperator(context, mapping);
  }

  /** Returns a factory of operators that pass batches on. */
  public static OperatorFactory passing() {
    return mapping(values -> new long[][] {values});
  }

  /** Does something with each input before it is mapped. */
  protected void onInput(long[] values) {}

  @Override
  public Schema outputSchema() {
    return LongBatches.SCHEMA;
  }

  @Override
  public boolean needsInput() {
    checkOpen();
    return !finished && outputs.isEmpty();
  }

  @Override
  public void addInput(RecordBatch batch) {
    long sequence = batch.sequence();
    long[] values = LongBatches.drain(batch);
    if (!needsInput()) {
      throw new IllegalStateException("input is not wanted");
    }
    onInput(values);
    for (long[] output : mapping.apply(values)) {
      outputs.add(LongBatches.of(context.allocator(), sequence, output));
    }
  }

  @Override
  public RecordBatch getOutput() {
    checkOpen();
    return isBlocked().isDone() ? outputs.poll() : null;
  }

  @Override
  public CompletableFuture<Void> isBlocked() {
    return NOT_BLOCKED;
  }

  @Override
  public void finish() {
    checkOpen();
    finished = true;
  }

  @Override
  public boolean isFinished() {
    checkOpen();
    return finished && outputs.isEmpty();
  }

  @Override
  public void close() {
    checkOpen();
    closed = true;
    outputs.forEach(RecordBatch::close);
    outputs.clear();
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the operator is closed");
    }
  }
}
