package io.ariadne.operator;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.hash.GroupCombineKernel;
import io.ariadne.kernel.hash.GroupPartitionKernel;
import io.ariadne.kernel.hash.GroupPickKernel.Records;
import io.ariadne.kernel.hash.GroupRows;
import io.ariadne.kernel.hash.GroupTable;
import java.util.List;

/**
 * Groups and their accumulators: what a local state of an aggregation, or a part of its result,
 * holds. Without keys there is one group from the beginning. Used by one thread at a time.
 */
final class AggregateTable implements AutoCloseable {
  private final HashAggregatePlan plan;
  private final OperatorContext context;
  private final GroupTable groups;
  private final AccumulatorTable records;

  /** Null when the plan has no picks. */
  private final PickTable picks;

  private GroupCombineKernel combination;
  private GroupPartitionKernel partitions;

  AggregateTable(HashAggregatePlan plan, OperatorContext context) {
    this(plan, context, 0);
  }

  /** Creates a table with room for some groups. */
  AggregateTable(HashAggregatePlan plan, OperatorContext context, int expectedGroups) {
    this.plan = plan;
    this.context = context;
    this.records = new AccumulatorTable(plan.layout(), context);
    this.picks = plan.layout().picks().isEmpty() ? null : new PickTable(plan.layout(), context);
    this.groups =
        plan.isGrouped()
            ? new GroupTable(
                context.backend(), context.kernelAllocator(), plan.keyKinds(), expectedGroups)
            : null;
    if (groups == null) {
      records.ensure(1);
    }
  }

  GroupTable groups() {
    return groups;
  }

  AccumulatorTable records() {
    return records;
  }

  int groupCount() {
    return groups == null ? 1 : groups.groupCount();
  }

  /** Returns the bytes that the groups take at most. */
  long bytes() {
    return groupCount() * plan.bytesPerGroup() + keyBytes();
  }

  /** Returns the bytes of the groups' keys and of the strings that were picked. */
  long keyBytes() {
    long texts = picks == null ? 0 : picks.heapBytes();
    return groups == null ? 0 : groups.keyBytes() + texts;
  }

  /**
   * Takes the values of a batch in that may be picked; only of a plan with picks.
   *
   * @param inputs says which columns
   * @param columns what was computed of the batch
   * @param groupIds the group of each row, or null without keys
   * @param firstOrder the number of the first row
   */
  void pick(PickInputs inputs, List<ColumnVector> columns, MemoryBuffer groupIds, long firstOrder) {
    picks.update(inputs, columns, groupIds, firstOrder, records);
  }

  /**
   * Gives rows their groups, with records for new ones.
   *
   * @param keys the key columns
   * @param rowCount rows of each
   * @return the group numbers, owned by the caller
   */
  ColumnVector assign(List<ColumnVector> keys, int rowCount) {
    return withGroups(rowCount, ids -> groups.assign(keys, rowCount, ids));
  }

  /** Makes each row a group of its own; arguments and result as of {@link #assign}. */
  ColumnVector append(List<ColumnVector> keys, int rowCount) {
    return withGroups(rowCount, ids -> groups.append(keys, rowCount, ids));
  }

  /** Writes group numbers. */
  @FunctionalInterface
  private interface Assignment {
    void run(MemoryBuffer groupIds);
  }

  private ColumnVector withGroups(int rowCount, Assignment assignment) {
    MemoryBuffer ids = context.kernelAllocator().allocate((long) rowCount * Integer.BYTES);
    try {
      assignment.run(ids);
      records.ensure(groups.groupCount());
    } catch (RuntimeException | Error e) {
      ids.close();
      throw e;
    }
    return ColumnVector.flat(PrimitiveType.INT32, PhysicalType.I32, rowCount, ids, null);
  }

  /** Lets the host read the accumulators; the table takes no more batches. */
  void complete() {
    if (picks != null) {
      picks.moveToHost();
    }
    records.moveToHost(picks == null ? null : picks.heap());
  }

  /** Adds the groups of another table to this; neither is complete. */
  void merge(AggregateTable other) {
    MemoryBuffer texts = other.picks == null ? null : other.picks.heap();
    if (groups == null) {
      mergeOnly(other, texts);
    } else if (other.groupCount() > 0) {
      GroupTable from = other.groups;
      GroupRows rows = new GroupRows(from.groupKeys(), from.keyHeap(), 0, from.groupCount());
      merge(rows, other.records.buffer(), texts);
    }
  }

  /** Adds the only group of another table to that of this one. */
  private void mergeOnly(AggregateTable other, MemoryBuffer texts) {
    if (picks == null) {
      complete();
      other.complete();
      records.combine(0, other.records, 0);
      return;
    }
    try (MemoryBuffer id = context.kernelAllocator().allocate(Integer.BYTES)) {
      context.backend().clear(id, 0, id.capacityInBytes());
      combine(id, other.records.buffer(), 0, 1, texts);
    }
  }

  /**
   * Adds groups of tables of the same plan.
   *
   * @param rows the groups, at least one
   * @param source the records, in the order of {@code rows.keys()}
   * @param texts long strings that they picked, or null when there are none
   */
  void merge(GroupRows rows, MemoryBuffer source, MemoryBuffer texts) {
    combine(rows, source, texts, ids -> groups.assignGroups(rows, ids));
  }

  /**
   * Adds groups of a run.
   *
   * @param rows the groups, at least one
   * @param buffers all of the run
   */
  void merge(GroupRows rows, GroupBuffers buffers) {
    merge(rows, buffers.records(), buffers.texts());
  }

  /** Adds groups, each as one of its own whatever its key; otherwise as {@link #merge}. */
  void append(GroupRows rows, GroupBuffers buffers) {
    combine(rows, buffers.records(), buffers.texts(), ids -> groups.appendGroups(rows, ids));
  }

  private void combine(
      GroupRows rows, MemoryBuffer source, MemoryBuffer texts, Assignment assignment) {
    try (ColumnVector ids = withGroups(rows.count(), assignment)) {
      combine(ids.data(), source, rows.firstGroup(), rows.count(), texts);
    }
  }

  private void combine(
      MemoryBuffer ids, MemoryBuffer source, long firstRecord, int count, MemoryBuffer texts) {
    AccumulatorLayout layout = plan.layout();
    int stride = layout.strideInBytes();
    if (combination == null) {
      combination =
          new GroupCombineKernel(context.backend(), layout.kinds(), layout.offsets(), stride);
    }
    combination.combine(ids, source, firstRecord, count, records.buffer());
    if (picks != null) {
      Records others = new Records(source, firstRecord, stride, texts);
      picks.combine(others, ids, count, records);
    }
  }

  /**
   * Moves all groups, of which there are some, to a run, and starts again without any.
   *
   * @return the run, owned by the caller
   */
  GroupRun takeRun() {
    if (partitions == null) {
      partitions = new GroupPartitionKernel(context.backend(), context.kernelAllocator());
    }
    int count = groups.groupCount();
    int stride = plan.layout().strideInBytes();
    MemoryBuffer keys = null;
    MemoryBuffer sorted = null;
    int[] firstGroups;
    try {
      long keyBytes = (long) groups.keyWords() * Long.BYTES;
      keys = context.kernelAllocator().allocate(count * keyBytes);
      sorted = context.kernelAllocator().allocate((long) count * stride);
      firstGroups =
          partitions.sort(
              new GroupPartitionKernel.Groups(
                  groups.groupKeys(),
                  groups.keyWords(),
                  records.buffer(),
                  stride / Long.BYTES,
                  count,
                  keys,
                  sorted));
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(keys);
      closer.close(sorted);
      closer.suppressIn(e);
      throw e;
    }
    MemoryBuffer texts = picks == null ? null : picks.takeHeap();
    GroupBuffers buffers = new GroupBuffers(keys, sorted, groups.takeKeyHeap(), texts);
    GroupRun run = new GroupRun(buffers, firstGroups, context);
    try {
      groups.reset();
      records.reset();
    } catch (RuntimeException | Error e) {
      run.close();
      throw e;
    }
    return run;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(combination);
    closer.close(partitions);
    closer.close(picks);
    closer.close(records);
    closer.close(groups);
    closer.rethrow();
  }
}
