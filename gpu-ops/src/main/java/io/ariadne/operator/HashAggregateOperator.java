package io.ariadne.operator;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import java.util.ArrayList;
import java.util.List;

/**
 * Hash aggregation with any number of keys, none included.
 *
 * <p>Each local state has a table of its own; the first one combined becomes the global table and
 * the others are added to it, group by group, on exact accumulators: so the result depends neither
 * on threads nor on order. Output are the keys, then per aggregate its buffer columns or its
 * result. Without keys there is one row also for no input.
 */
public final class HashAggregateOperator implements SinkOperator {
  private static final int OUTPUT_ROWS = 32768;

  private final HashAggregatePlan plan;
  private final OperatorContext context;
  private AggregateTable table;
  private GroupKeys keys;
  private ProjectionRunner results;
  private int nextGroup;
  private boolean finished;
  private long sequence;

  HashAggregateOperator(HashAggregatePlan plan, OperatorContext context) {
    this.plan = plan;
    this.context = context;
  }

  @Override
  public Schema outputSchema() {
    return plan.outputSchema();
  }

  @Override
  public SinkState newLocal() {
    return new HashAggregateState(plan, context);
  }

  @Override
  public void combine(SinkState local) {
    try (HashAggregateState state = (HashAggregateState) local) {
      AggregateTable other = state.takeTable();
      if (table == null) {
        table = other;
        return;
      }
      try (other) {
        table.merge(other);
      }
    }
  }

  @Override
  public void finish() {
    if (table == null) {
      table = new AggregateTable(plan, context);
    }
    table.complete();
    if (plan.isGrouped()) {
      keys = new GroupKeys(plan, context, table.groups());
    }
    if (plan.result() != null) {
      results = new ProjectionRunner(context);
    }
    finished = true;
  }

  @Override
  public RecordBatch getOutput() {
    while (finished && !isFinished()) {
      int count = Math.min(OUTPUT_ROWS, table.groupCount() - nextGroup);
      GroupSelection groups = plan.selection(table.records(), nextGroup, count);
      nextGroup += count;
      if (groups.rowCount() > 0) {
        RecordBatch buffers = buffers(groups);
        sequence++;
        return plan.result() == null ? buffers : results.run(plan.result(), buffers);
      }
    }
    return null;
  }

  private RecordBatch buffers(GroupSelection groups) {
    List<ColumnVector> columns = new ArrayList<>();
    try {
      if (keys != null) {
        columns.addAll(keys.readForOutput(groups));
      }
      for (int i = 0; i < plan.readers().size(); i++) {
        read(i, groups, columns);
      }
    } catch (RuntimeException | Error e) {
      columns.forEach(ColumnVector::close);
      throw e;
    }
    return new RecordBatch(plan.bufferSchema(), groups.rowCount(), columns, sequence);
  }

  private void read(int aggregate, GroupSelection groups, List<ColumnVector> columns) {
    List<ColumnWriter> writers = new ArrayList<>();
    try {
      for (Field field : plan.aggregates().get(aggregate).bufferFields()) {
        writers.add(new ColumnWriter(field.type(), groups.rowCount(), context));
      }
      plan.readers().get(aggregate).read(table.records(), groups, writers, context.errorReplay());
      writers.forEach(writer -> columns.add(writer.build(List.of())));
    } finally {
      writers.forEach(ColumnWriter::close);
    }
  }

  @Override
  public boolean isFinished() {
    return finished && nextGroup >= table.groupCount();
  }

  @Override
  public void close() {
    if (keys != null) {
      keys.close();
    }
    if (results != null) {
      results.close();
    }
    if (table != null) {
      table.close();
    }
  }
}
