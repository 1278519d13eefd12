package io.ariadne.operator;

import io.ariadne.columnar.AggregationFunction;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.hash.GroupTable;
import java.util.ArrayList;
import java.util.List;

/** The groups of a {@link BridgedAggregateOperator}, numbered by a table of their keys. */
final class BridgedAggregateState implements SinkState {
  private final BridgedAggregateOperatorFactory plan;
  private final OperatorContext context;
  private final ProjectionRunner runner;

  /** The keys; null when there are none. */
  private final GroupTable table;

  private final AggregationFunction.Groups groups;

  BridgedAggregateState(BridgedAggregateOperatorFactory plan, OperatorContext context) {
    this.plan = plan;
    this.context = context;
    this.runner = new ProjectionRunner(context);
    GroupTable keys = null;
    try {
      keys = plan.isGrouped() ? newTable() : null;
      this.groups = plan.function().newGroups(context.allocator());
      this.table = keys;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(keys);
      closer.close(runner);
      closer.suppressIn(e);
      throw e;
    }
  }

  private GroupTable newTable() {
    List<PhysicalType> kinds = plan.keyTypes().stream().map(DataType::defaultPhysicalType).toList();
    return new GroupTable(context.backend(), context.kernelAllocator(), kinds);
  }

  @Override
  public void addInput(RecordBatch batch) {
    try (batch) {
      if (batch.rowCount() == 0) {
        return;
      }
      if (table == null) {
        update(batch, null);
        return;
      }
      try (ColumnVector ids = groupsOf(batch)) {
        update(batch, ids.data());
      }
    }
  }

  /** Returns the group of each row, on the host. */
  private ColumnVector groupsOf(RecordBatch batch) {
    int rowCount = batch.rowCount();
    try (WorkingColumns columns = runner.columnsOf(batch)) {
      runner.compute(plan.keyCompiler(), batch, columns);
      MemoryBuffer ids = context.kernelAllocator().allocate((long) rowCount * Integer.BYTES);
      try {
        table.assign(columns.kernelOutputs(rowCount), rowCount, ids);
      } catch (RuntimeException | Error e) {
        ids.close();
        throw e;
      }
      ColumnVector groupIds =
          ColumnVector.flat(PrimitiveType.INT32, PhysicalType.I32, rowCount, ids, null);
      if (context.transfer().isOnHost(groupIds)) {
        return groupIds;
      }
      try (groupIds) {
        return context.transfer().copyToHost(groupIds);
      }
    }
  }

  private void update(RecordBatch batch, MemoryBuffer ids) {
    context
        .transfer()
        .onHost(
            batch,
            plan.keyCount(),
            plan.argumentSchema(),
            rows -> {
              groups.update(rows, ids, groupCount());
              return null;
            });
  }

  /** Returns how many groups there are: one without keys, also of no rows. */
  int groupCount() {
    return table == null ? 1 : table.groupCount();
  }

  /** Returns the keys of the groups, or null without keys; the state takes no more batches. */
  GroupKeys keys() {
    return table == null ? null : new GroupKeys(plan.keyTypes(), context, table);
  }

  /**
   * Reads groups.
   *
   * @param keys made by {@link #keys()}
   */
  RecordBatch read(GroupKeys keys, int first, int count, long sequence) {
    List<ColumnVector> columns = new ArrayList<>();
    try {
      if (keys != null) {
        columns.addAll(keys.readForOutput(GroupSelection.range(first, count)));
      }
      columns.addAll(groups.read(first, count));
      return new RecordBatch(plan.outputSchema(), count, columns, sequence);
    } catch (RuntimeException | Error e) {
      columns.forEach(ColumnVector::close);
      throw e;
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(groups);
    closer.close(table);
    closer.close(runner);
    closer.rethrow();
  }
}
