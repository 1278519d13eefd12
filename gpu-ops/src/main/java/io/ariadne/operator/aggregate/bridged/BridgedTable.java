package io.ariadne.operator.aggregate.bridged;

import io.ariadne.columnar.AggregationFunction;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.column.ColumnTransfer;
import io.ariadne.kernel.hash.GroupSlice;
import io.ariadne.kernel.hash.GroupTable;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.aggregate.GroupKeys;
import io.ariadne.operator.aggregate.GroupLimits;
import io.ariadne.operator.aggregate.GroupSelection;
import io.ariadne.operator.project.ProjectionRunner;
import io.ariadne.operator.project.WorkingColumns;
import java.util.ArrayList;
import java.util.List;

/**
 * Groups whose aggregates are Java objects. A group table numbers the groups by their keys; without
 * keys there is one group. Used by one thread at a time.
 */
final class BridgedTable implements AutoCloseable {
  private final BridgedAggregateOperatorFactory plan;
  private final OperatorContext context;
  private final ProjectionRunner runner;
  private final long maxKeyBytes;

  /** The keys; null without keys. */
  private final GroupTable table;

  private final AggregationFunction.Groups groups;
  private boolean isPartlyApplied;

  BridgedTable(BridgedAggregateOperatorFactory plan, OperatorContext context) {
    this.plan = plan;
    this.context = context;
    this.runner = new ProjectionRunner(context);
    this.maxKeyBytes = GroupLimits.of(context, 1).keyBytes();
    GroupTable keys = null;
    try {
      keys = plan.isGrouped() ? newTable() : null;
      this.groups = plan.function().newGroups(context.allocator());
      this.table = keys;
    } catch (Throwable e) { // Spark's code throws checked exceptions that no signature names
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

  /** Aggregates the rows of a batch, which stays owned by the caller. */
  void addRows(RecordBatch batch) {
    isPartlyApplied = false;
    if (table == null) {
      update(batch, null);
      return;
    }
    try (ColumnVector ids = groupsOf(batch)) {
      update(batch, ids.data());
    }
  }

  /**
   * Returns whether rows of the last batch may be aggregated although {@link #addRows} has failed.
   */
  boolean isPartlyApplied() {
    return isPartlyApplied;
  }

  /** Merges the groups of a range of partitions of a run into this table. */
  void addGroups(BridgedRun run, int firstPartition, int endPartition) {
    if (run.groupCount(firstPartition, endPartition) == 0) {
      return;
    }
    try (BridgedRun.Reading reading = run.open()) {
      GroupSlice rows = reading.groups(firstPartition, endPartition);
      try (ColumnVector ids = assigned(rows.count(), to -> table.assignGroups(rows, to))) {
        int first = Math.toIntExact(rows.firstGroup());
        groups.merge(reading.buffers(), first, ids.data(), rows.count(), groupCount());
      }
    }
  }

  /** Returns the group of each row, in host memory. */
  private ColumnVector groupsOf(RecordBatch batch) {
    int rowCount = batch.rowCount();
    try (WorkingColumns columns = runner.columnsOf(batch)) {
      runner.compute(plan.keyCompiler(), batch, columns);
      return assigned(rowCount, to -> table.assign(columns.kernelOutputs(rowCount), rowCount, to));
    }
  }

  /** Writes group numbers. */
  @FunctionalInterface
  private interface Assignment {
    void run(MemoryBuffer groupIds);
  }

  private ColumnVector assigned(int rowCount, Assignment assignment) {
    MemoryBuffer ids = context.kernelAllocator().allocate((long) rowCount * Integer.BYTES);
    ColumnTransfer.filled(ids, () -> assignment.run(ids));
    ColumnVector groupIds =
        ColumnVector.flat(PrimitiveType.INT32, PhysicalType.I32, rowCount, ids, null);
    if (context.transfer().isOnHost(groupIds)) {
      return groupIds;
    }
    try (groupIds) {
      return context.transfer().copyToHost(groupIds);
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
              isPartlyApplied = true;
              groups.update(rows, ids, groupCount());
              return null;
            });
  }

  /** Returns how many groups there are: one without keys, also before there are rows. */
  int groupCount() {
    return table == null ? 1 : table.groupCount();
  }

  /**
   * Returns whether the groups take more of the JVM's heap than allowed, or their keys more of the
   * pool. Never of a single group, as repartitioning would not help.
   */
  boolean isFull() {
    return table != null
        && table.groupCount() > 1
        && (table.keyBytes() > maxKeyBytes
            || groups.heapBytes(plan.maxHeapBytes(context)) > plan.maxHeapBytes(context));
  }

  /** Returns how many bytes of host memory of the pool the groups take. */
  long hostBytes() {
    boolean areKeysThere = table != null && context.backend().tier() == MemoryTier.HOST;
    return groups.memoryBytes() + (areKeysThere ? table.keyBytes() : 0);
  }

  /**
   * Moves all groups, of which there is at least one, to a run and empties the table. When this is
   * refused memory, nothing has changed.
   *
   * @param level which bits of the hashes partition the groups
   * @return the run, owned by the caller
   */
  BridgedRun takeRun(int level) {
    table.prepareReset();
    BridgedRun run = toRun(level);
    try {
      reset();
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(run);
      closer.suppressIn(e);
      throw e;
    }
    return run;
  }

  /**
   * Moves all groups, of which there is at least one, to a run; afterwards the table can only be
   * reset or closed. When this is refused memory, nothing has changed.
   *
   * @param level which bits of the hashes partition the groups
   * @return the run, owned by the caller
   */
  BridgedRun toRun(int level) {
    long heapBytes = groups.heapBytes(plan.maxHeapBytes(context));
    HashPartitions.Sorted sorted = HashPartitions.sort(table, level, context);
    RecordBatch buffers;
    try {
      List<ColumnVector> columns = groups.takeBuffers(sorted.order());
      buffers =
          new RecordBatch(plan.function().bufferSchema(), sorted.order().length, columns, level);
    } catch (Throwable e) { // as in the constructor
      Closer closer = new Closer();
      closer.close(sorted.keys());
      closer.suppressIn(e);
      throw e;
    }
    return new BridgedRun(
        sorted.keys(), table.takeKeyHeap(), buffers, sorted.firstGroups(), heapBytes, context);
  }

  /** Removes all groups. */
  void reset() {
    groups.reset();
    if (table != null) {
      table.reset();
    }
  }

  /**
   * Returns the keys of the groups, or null without keys. No rows may be added until the next
   * reset.
   */
  GroupKeys keys() {
    return table == null ? null : new GroupKeys(plan.keyTypes(), context, table);
  }

  /**
   * Reads groups as a batch, owned by the caller.
   *
   * @param keys made by {@link #keys()}
   * @param first the first group
   * @param count how many
   * @param sequence the number of the batch
   */
  RecordBatch read(GroupKeys keys, int first, int count, long sequence) {
    List<ColumnVector> columns = new ArrayList<>();
    try {
      if (keys != null) {
        columns.addAll(keys.readForOutput(GroupSelection.range(first, count)));
      }
      columns.addAll(groups.read(first, count));
      return new RecordBatch(plan.outputSchema(), count, columns, sequence);
    } catch (Throwable e) { // as in the constructor
      Closer closer = new Closer();
      columns.forEach(closer::close);
      closer.suppressIn(e);
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
