package io.ariadne.operator;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.hash.GroupTable;
import java.util.ArrayList;
import java.util.List;

/**
 * Groups and their accumulators: what a local or the global state of an aggregation holds. Without
 * keys there is one group from the beginning. Used by one thread at a time.
 */
final class AggregateTable implements AutoCloseable {
  private static final int MERGE_ROWS = 32768;

  private final HashAggregatePlan plan;
  private final OperatorContext context;
  private final GroupTable groups;
  private final AccumulatorTable records;

  AggregateTable(HashAggregatePlan plan, OperatorContext context) {
    this.plan = plan;
    this.context = context;
    this.records = new AccumulatorTable(plan.layout(), context);
    this.groups =
        plan.isGrouped()
            ? new GroupTable(context.backend(), context.kernelAllocator(), plan.keyKinds())
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

  /**
   * Gives rows their groups, with records for new ones.
   *
   * @param keys the key columns
   * @param rowCount rows of each
   * @return the group numbers, owned by the caller
   */
  ColumnVector assign(List<ColumnVector> keys, int rowCount) {
    MemoryBuffer ids = context.kernelAllocator().allocate((long) rowCount * Integer.BYTES);
    try {
      groups.assign(keys, rowCount, ids);
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

  /** Adds the groups of another table to this; neither takes batches any more. */
  void merge(AggregateTable other) {
    complete();
    other.complete();
    if (groups == null) {
      records.combine(0, other.records, 0);
      return;
    }
    GroupKeys keys = new GroupKeys(plan, context, other.groups);
    try (keys) {
      for (int first = 0; first < other.groupCount(); first += MERGE_ROWS) {
        int count = Math.min(MERGE_ROWS, other.groupCount() - first);
        mergeGroups(keys, other, plan.selection(other.records, first, count));
      }
    }
  }

  private void mergeGroups(GroupKeys keys, AggregateTable other, GroupSelection selection) {
    List<ColumnVector> columns = keys.read(selection);
    try (ColumnVector ids = groups(columns, selection.rowCount())) {
      for (int i = 0; i < selection.rowCount(); i++) {
        int group = ids.data().getInt((long) i * Integer.BYTES);
        records.combine(group, other.records, selection.group(i));
      }
    } finally {
      columns.forEach(ColumnVector::close);
    }
  }

  /** Returns the groups of keys on the host as numbers on the host. */
  private ColumnVector groups(List<ColumnVector> keys, int rowCount) {
    ColumnTransfer transfer = context.transfer();
    List<ColumnVector> copies = new ArrayList<>();
    try {
      List<ColumnVector> forKernels = new ArrayList<>();
      for (ColumnVector key : keys) {
        if (transfer.isForKernels(key)) {
          forKernels.add(key);
        } else {
          ColumnVector copy = transfer.copyToKernels(key);
          copies.add(copy);
          forKernels.add(copy);
        }
      }
      ColumnVector ids = assign(forKernels, rowCount);
      if (transfer.isOnHost(ids)) {
        return ids;
      }
      try (ids) {
        return transfer.copyToHost(ids);
      }
    } finally {
      copies.forEach(ColumnVector::close);
    }
  }

  @Override
  public void close() {
    records.close();
    if (groups != null) {
      groups.close();
    }
  }
}
