package io.ariadne.operator.project;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.UnprocessedBatch;
import java.util.ArrayList;
import java.util.List;

/**
 * Emits every row several times, each time with another projection. Grouping sets and several
 * distinct aggregates need it.
 *
 * <p>Each input batch yields one output batch per projection, one after the other, with the same
 * sequence number. Each projection except the last works on a copy of the batch; copies share
 * string heaps and dictionaries.
 */
public final class ExpandOperator implements Operator {
  private final List<FilterProjectOperator> projections = new ArrayList<>();
  private final Schema output;
  private final OperatorContext context;

  /** The batch that is being projected, in host memory; null when there is none. */
  private RecordBatch input;

  private final UnprocessedBatch unprocessed = new UnprocessedBatch();
  private int next;

  /** Whether a projection has no memory and has not handed its batch back. */
  private boolean isLost;

  private boolean finishing;

  ExpandOperator(
      List<FilterProjectOperatorFactory> projections, Schema output, OperatorContext context) {
    this.output = output;
    this.context = context;
    try {
      projections.forEach(projection -> this.projections.add(projection.create(context)));
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      this.projections.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  @Override
  public Schema outputSchema() {
    return output;
  }

  @Override
  public boolean needsInput() {
    return !finishing && input == null;
  }

  @Override
  public void addInput(RecordBatch batch) {
    if (!needsInput()) {
      batch.close();
      throw new IllegalStateException("the operator does not need input");
    }
    if (batch.rowCount() == 0) {
      batch.close();
      return;
    }
    try {
      input = context.transfer().moveToHost(batch);
    } catch (RuntimeException | Error e) {
      unprocessed.keepOrClose(batch, e);
      throw e;
    }
    next = 0;
  }

  @Override
  public RecordBatch takeUnprocessed() {
    return unprocessed.take();
  }

  /**
   * Returns whether the projection that was refused memory may run again: not when it consists of
   * several steps or calls code whose results may differ.
   */
  @Override
  public boolean mayRepeat() {
    return !isLost;
  }

  @Override
  public RecordBatch getOutput() {
    if (input == null) {
      return null;
    }
    FilterProjectOperator projection = projections.get(next);
    boolean isLast = next == projections.size() - 1;
    RecordBatch batch = input;
    if (isLast) {
      input = null;
    } else {
      batch =
          new RowRange(0, input.rowCount()).copyOf(input, context.allocator(), input.sequence());
    }
    try {
      projection.addInput(batch);
    } catch (EngineException e) {
      takeBack(projection, isLast);
      throw e;
    }
    next++;
    return projection.getOutput();
  }

  /** Takes back the batch that a projection found no memory for: the input, or a copy of it. */
  private void takeBack(FilterProjectOperator projection, boolean isInput) {
    RecordBatch refused = projection.takeUnprocessed();
    isLost = refused == null;
    if (isInput) {
      input = refused;
    } else if (refused != null) {
      refused.close();
    }
  }

  @Override
  public void finish() {
    finishing = true;
  }

  @Override
  public boolean isFinished() {
    return finishing && input == null;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(input);
    input = null;
    closer.close(unprocessed);
    projections.forEach(closer::close);
    closer.rethrow();
  }
}
