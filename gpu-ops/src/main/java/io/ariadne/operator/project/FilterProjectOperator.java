package io.ariadne.operator.project;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.UnprocessedBatch;
import java.util.List;

/**
 * Filters rows and computes columns, batch by batch.
 *
 * <p>An input batch yields at most one output batch, with the same sequence number; none when no
 * row passes. Without a filter, columns that pass through move without a copy. With a filter, a
 * string column copies 16 bytes per row and shares its heaps.
 *
 * <p>When a row fails, the operator first emits the rows before it, because a later operator may
 * fail for one of those.
 */
public final class FilterProjectOperator implements Operator {
  private final List<ProjectionStep> steps;
  private final Schema outputSchema;
  private final ProjectionRunner runner;
  private RecordBatch output;
  private final UnprocessedBatch unprocessed = new UnprocessedBatch();
  private boolean finishing;

  FilterProjectOperator(List<ProjectionStep> steps, Schema outputSchema, OperatorContext context) {
    this.steps = steps;
    this.outputSchema = outputSchema;
    this.runner = new ProjectionRunner(context);
  }

  @Override
  public Schema outputSchema() {
    return outputSchema;
  }

  @Override
  public boolean needsInput() {
    return !finishing && output == null && !runner.hasFailed();
  }

  @Override
  public void addInput(RecordBatch batch) {
    if (!needsInput()) {
      batch.close();
      throw new IllegalStateException("the operator does not need input");
    }
    RecordBatch current = batch;
    for (ProjectionStep step : steps) {
      if (current == null || current.rowCount() == 0) {
        break;
      }
      current = run(step, current);
    }
    if (current != null && current.rowCount() == 0) {
      current.close();
      current = null;
    }
    output = current;
    if (output == null) {
      runner.throwFailure();
    }
  }

  /** Runs a step over a batch. Closes the batch, or keeps it so that it can be taken back. */
  private RecordBatch run(ProjectionStep step, RecordBatch batch) {
    try {
      RecordBatch result = runner.runOver(step, batch);
      batch.close();
      return result;
    } catch (Throwable e) { // user code throws checked exceptions that no signature names
      if (steps.size() == 1 && step.isRepeatable()) {
        unprocessed.keepOrClose(batch, e);
      } else {
        Closer closer = new Closer();
        closer.close(batch);
        closer.suppressIn(e);
      }
      throw e;
    }
  }

  @Override
  public RecordBatch takeUnprocessed() {
    return unprocessed.take();
  }

  @Override
  public RecordBatch getOutput() {
    RecordBatch batch = output;
    output = null;
    if (batch == null) {
      runner.throwFailure();
    }
    return batch;
  }

  @Override
  public void finish() {
    finishing = true;
  }

  @Override
  public boolean isFinished() {
    return finishing && output == null && !runner.hasFailed();
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(output);
    output = null;
    closer.close(unprocessed);
    closer.close(runner);
    closer.rethrow();
  }
}
