package io.ariadne.operator;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.hash.GroupTable;
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
            ? new GroupTable(context.backend(), context.allocator(), plan.keyKinds())
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
    MemoryBuffer ids = context.allocator().allocate((long) rowCount * Integer.BYTES);
    try {
      groups.assign(keys, rowCount, ids);
      records.ensure(groups.groupCount());
    } catch (RuntimeException | Error e) {
      ids.close();
      throw e;
    }
    return ColumnVector.flat(PrimitiveType.INT32, PhysicalType.I32, rowCount, ids, null);
  }

  /** Adds the groups of another table to this. */
  void merge(AggregateTable other) {
    if (groups == null) {
      records.combine(0, other.records, 0);
      return;
    }
    GroupKeys keys = new GroupKeys(plan, context, other.groups);
    try (keys) {
      for (int first = 0; first < other.groupCount(); first += MERGE_ROWS) {
        int count = Math.min(MERGE_ROWS, other.groupCount() - first);
        mergeRange(keys, other, first, count);
      }
    }
  }

  private void mergeRange(GroupKeys keys, AggregateTable other, int first, int count) {
    List<ColumnVector> columns = keys.read(first, count);
    try (ColumnVector ids = assign(columns, count)) {
      for (int i = 0; i < count; i++) {
        int group = ids.data().getInt((long) i * Integer.BYTES);
        records.combine(group, other.records, first + i);
      }
    } finally {
      columns.forEach(ColumnVector::close);
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
