package io.ariadne.operator.project;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
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

  private int next;
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
    input = context.transfer().toHost(batch);
    next = 0;
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
    next++;
    projection.addInput(batch);
    return projection.getOutput();
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
    projections.forEach(closer::close);
    closer.rethrow();
  }
}
