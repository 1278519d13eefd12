package io.ariadne.operator.aggregate;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Field;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.project.ProjectionRunner;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the groups of a complete table as batches: the keys, then for each aggregate its buffer
 * columns or its result. Used by one thread at a time.
 */
final class GroupOutput implements AutoCloseable {
  private final HashAggregatePlan plan;
  private final OperatorContext context;
  private final AggregateTable table;
  private final int outputRows;
  private GroupKeys keys;
  private ProjectionRunner results;
  private int nextGroup;

  /** Takes ownership of a table, unless this throws: it is then complete at most. */
  GroupOutput(HashAggregatePlan plan, OperatorContext context, AggregateTable table) {
    this.plan = plan;
    this.context = context;
    this.table = table;
    this.outputRows = context.outputRows();
    this.results = plan.result() == null ? null : new ProjectionRunner(context);
    try {
      table.complete();
      // Last, because it takes the characters of the keys out of the table.
      this.keys = plan.isGrouped() ? new GroupKeys(plan, context, table.groups()) : null;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(results);
      closer.suppressIn(e);
      throw e;
    }
  }

  /**
   * Returns the next batch, owned by the caller, or null at the end.
   *
   * @param sequence the number of the batch
   */
  RecordBatch next(long sequence) {
    while (!isFinished()) {
      int wanted = Math.min(outputRows, table.groupCount() - nextGroup);
      int fitting = keys == null ? wanted : keys.countThatFits(nextGroup, wanted);
      int count = table.countThatFits(nextGroup, fitting);
      GroupSelection groups = plan.selection(table.records(), nextGroup, count);
      RecordBatch batch = groups.rowCount() > 0 ? batch(groups, sequence) : null;
      nextGroup += count; // last: a call that throws has no effect
      if (batch != null) {
        return batch;
      }
    }
    return null;
  }

  private RecordBatch batch(GroupSelection groups, long sequence) {
    RecordBatch buffers = buffers(groups, sequence);
    return plan.result() == null ? buffers : results.runWhole(plan.result(), buffers);
  }

  /** Returns whether no more batches come. */
  boolean isFinished() {
    return nextGroup >= table.groupCount();
  }

  private RecordBatch buffers(GroupSelection groups, long sequence) {
    List<ColumnVector> columns = new ArrayList<>();
    try {
      if (keys != null) {
        columns.addAll(keys.readForOutput(groups));
      }
      for (int i = 0; i < plan.readers().size(); i++) {
        List<Field> fields = plan.aggregates().get(i).bufferFields();
        columns.addAll(plan.readers().get(i).columns(table, groups, fields, context));
      }
    } catch (RuntimeException | Error e) {
      columns.forEach(ColumnVector::close);
      throw e;
    }
    return new RecordBatch(plan.bufferSchema(), groups.rowCount(), columns, sequence);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(keys);
    closer.close(results);
    closer.close(table);
    closer.rethrow();
  }
}
