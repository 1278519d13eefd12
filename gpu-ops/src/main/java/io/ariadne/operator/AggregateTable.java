package io.ariadne.operator;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.hash.GroupCombineKernel;
import io.ariadne.kernel.hash.GroupPartitionKernel;
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

  /** Returns the bytes of the groups' keys. */
  long keyBytes() {
    return groups == null ? 0 : groups.keyBytes();
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
    records.moveToHost();
  }

  /** Adds the groups of another table to this; neither is complete. */
  void merge(AggregateTable other) {
    if (groups == null) {
      complete();
      other.complete();
      records.combine(0, other.records, 0);
    } else if (other.groupCount() > 0) {
      GroupTable from = other.groups;
      GroupRows rows = new GroupRows(from.groupKeys(), from.keyHeap(), 0, from.groupCount());
      merge(rows, other.records.buffer());
    }
  }

  /**
   * Adds groups of tables of the same plan.
   *
   * @param rows the groups, at least one
   * @param source the records, in the order of {@code rows.keys()}
   */
  void merge(GroupRows rows, MemoryBuffer source) {
    combine(rows, source, ids -> groups.assignGroups(rows, ids));
  }

  /** Adds groups, each as one of its own whatever its key; otherwise as {@link #merge}. */
  void append(GroupRows rows, MemoryBuffer source) {
    combine(rows, source, ids -> groups.appendGroups(rows, ids));
  }

  private void combine(GroupRows rows, MemoryBuffer source, Assignment assignment) {
    try (ColumnVector ids = withGroups(rows.count(), assignment)) {
      if (combination == null) {
        AccumulatorLayout layout = plan.layout();
        combination =
            new GroupCombineKernel(
                context.backend(), layout.kinds(), layout.offsets(), layout.strideInBytes());
      }
      combination.combine(ids.data(), source, rows.firstGroup(), rows.count(), records.buffer());
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
    GroupBuffers buffers = new GroupBuffers(keys, sorted, groups.takeKeyHeap());
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
    closer.close(records);
    closer.close(groups);
    closer.rethrow();
  }
}
