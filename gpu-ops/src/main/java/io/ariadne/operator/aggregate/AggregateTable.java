package io.ariadne.operator.aggregate;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.hash.GroupCombineKernel;
import io.ariadne.kernel.hash.GroupPartitionKernel;
import io.ariadne.kernel.hash.GroupPickKernel.Records;
import io.ariadne.kernel.hash.GroupSlice;
import io.ariadne.kernel.hash.GroupTable;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;

/**
 * A hash table of groups with their accumulators, picks and collected lists. It holds the groups of
 * one local state or of one part of the result. Without keys it has one group from the beginning.
 * Used by one thread at a time.
 */
final class AggregateTable implements AutoCloseable {
  private final HashAggregatePlan plan;
  private final OperatorContext context;
  private final GroupTable groups;
  private final AccumulatorTable records;

  /** Null when the plan has no picks. */
  private final PickTable picks;

  /** Null when the plan collects no lists. */
  private final ListTable lists;

  private GroupCombineKernel combination;
  private GroupPartitionKernel partitions;

  AggregateTable(HashAggregatePlan plan, OperatorContext context) {
    this(plan, context, 0);
  }

  /** Creates a table that is sized for some groups. */
  AggregateTable(HashAggregatePlan plan, OperatorContext context, int expectedGroups) {
    this.plan = plan;
    this.context = context;
    this.records = new AccumulatorTable(plan.layout(), context);
    this.picks = plan.layout().picks().isEmpty() ? null : new PickTable(plan.layout(), context);
    this.lists =
        plan.layout().collections().isEmpty() ? null : new ListTable(plan.layout(), context);
    try {
      this.groups =
          plan.isGrouped()
              ? new GroupTable(
                  context.backend(), context.kernelAllocator(), plan.keyKinds(), expectedGroups)
              : null;
      if (groups == null) {
        records.ensure(1);
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  GroupTable groups() {
    return groups;
  }

  AccumulatorTable records() {
    return records;
  }

  /** Returns the lists that the groups have collected; only of a plan that collects lists. */
  ListTable lists() {
    return lists;
  }

  int groupCount() {
    return groups == null ? 1 : groups.groupCount();
  }

  /** Returns an upper bound of the bytes that the groups take. */
  long bytes() {
    return groupCount() * plan.bytesPerGroup() + keyBytes();
  }

  /** Returns the bytes of the groups' keys, of picked strings and of collected lists. */
  long keyBytes() {
    long texts = picks == null ? 0 : picks.heapBytes();
    long collected = lists == null ? 0 : lists.bytes();
    return groups == null ? 0 : groups.keyBytes() + texts + collected;
  }

  /**
   * Returns how many groups, from {@code first} on, fit a batch; at least one. Only of a complete
   * table.
   */
  int countThatFits(int first, int count) {
    return lists == null ? count : lists.countThatFits(first, count);
  }

  /**
   * Adds the values of a batch that may be picked or are collected; only of a plan with picks or
   * lists.
   *
   * @param inputs tells which columns are read
   * @param columns the computed columns of the batch
   * @param groupIds the group of each row, or null without keys
   * @param firstOrder the number of the first row
   */
  void keep(PickInputs inputs, List<ColumnVector> columns, MemoryBuffer groupIds, long firstOrder) {
    if (picks != null) {
      picks.update(inputs, columns, groupIds, firstOrder, records);
    }
    if (lists != null) {
      lists.update(inputs, columns, groupIds);
    }
  }

  /**
   * Finds the group of each row and adds the groups that are new.
   *
   * @param keys the key columns
   * @param rowCount rows of each
   * @return the group numbers, owned by the caller
   */
  ColumnVector assign(List<ColumnVector> keys, int rowCount) {
    return withGroups(rowCount, ids -> groups.assign(keys, rowCount, ids));
  }

  /**
   * Adds a group for each row without looking its key up. Does what {@link #assign} does where this
   * could change the order of collected values. The arguments and the result are those of {@link
   * #assign}.
   */
  ColumnVector append(List<ColumnVector> keys, int rowCount) {
    if (mustKeepOrder()) {
      return assign(keys, rowCount);
    }
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

  /** Moves everything to host memory for reading; the table takes no more batches. */
  void complete() {
    if (picks != null) {
      picks.moveToHost();
    }
    records.moveToHost(picks == null ? null : picks.heap());
    if (lists != null) {
      lists.complete(groupCount());
    }
  }

  /** Adds the groups of another table to this table; neither is complete. */
  void merge(AggregateTable other) {
    MemoryBuffer texts = other.picks == null ? null : other.picks.heap();
    if (groups == null) {
      mergeOnly(other, texts);
    } else if (other.groupCount() > 0) {
      GroupTable from = other.groups;
      GroupSlice rows = new GroupSlice(from.groupKeys(), from.keyHeap(), 0, from.groupCount());
      try (RecordBatch collected = other.takeLists(null)) {
        Source source = new Source(rows, other.records.buffer(), texts, collected);
        combine(source, ids -> groups.assignGroups(rows, ids));
      }
    }
  }

  /**
   * Removes the collected lists and returns them, owned by the caller; null when the plan collects
   * none.
   */
  private RecordBatch takeLists(int[] places) {
    return lists == null ? null : lists.take(groupCount(), places);
  }

  /** Adds the only group of another table to the only group of this table. */
  private void mergeOnly(AggregateTable other, MemoryBuffer texts) {
    if (lists != null) {
      try (RecordBatch collected = other.takeLists(null)) {
        lists.append(null, collected, 0, 1);
      }
    }
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
   * Groups to add to the table.
   *
   * @param rows the groups, at least one
   * @param records their records, in the order of {@code rows.keys()}
   * @param texts long strings that they picked, or null when there are none
   * @param lists the lists that they collected, in the same order, or null
   */
  private record Source(
      GroupSlice rows, MemoryBuffer records, MemoryBuffer texts, RecordBatch lists) {
    static Source of(GroupRun.Reading run, int firstPartition, int endPartition) {
      GroupBuffers buffers = run.buffers();
      return new Source(
          run.groups(firstPartition, endPartition),
          buffers.records(),
          buffers.texts(),
          run.lists());
    }
  }

  /** Adds the groups of some partitions of a run; the partitions have at least one group. */
  void merge(GroupRun.Reading run, int firstPartition, int endPartition) {
    Source source = Source.of(run, firstPartition, endPartition);
    combine(source, ids -> groups.assignGroups(source.rows(), ids));
  }

  /**
   * Returns whether groups must keep their order: a GPU partitions groups in no particular order,
   * which would reorder the lists of equal keys.
   */
  private boolean mustKeepOrder() {
    return lists != null && context.backend().isBlockParallel();
  }

  /**
   * Adds each group of some partitions as a new group, without looking its key up. Does what {@link
   * #merge} does where this could change the order of collected values.
   */
  void append(GroupRun.Reading run, int firstPartition, int endPartition) {
    if (mustKeepOrder()) {
      merge(run, firstPartition, endPartition);
      return;
    }
    Source source = Source.of(run, firstPartition, endPartition);
    combine(source, ids -> groups.appendGroups(source.rows(), ids));
  }

  private void combine(Source source, Assignment assignment) {
    GroupSlice rows = source.rows();
    try (ColumnVector ids = withGroups(rows.count(), assignment)) {
      combine(ids.data(), source.records(), rows.firstGroup(), rows.count(), source.texts());
      if (lists != null) {
        int first = Math.toIntExact(rows.firstGroup());
        lists.append(ids.data(), source.lists(), first, rows.count());
      }
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
   * Moves all groups to a run and empties the table, which has at least one group. When this is
   * refused memory, nothing has changed.
   *
   * @param level which bits of the hashes partition the groups
   * @return the run, owned by the caller
   */
  GroupRun takeRun(int level) {
    groups.prepareReset();
    GroupRun run = toRun(level);
    try {
      groups.reset();
      records.reset();
    } catch (RuntimeException | Error e) {
      run.close();
      throw e;
    }
    return run;
  }

  /** Moves all groups to one run as {@link #toRuns} does. */
  private GroupRun toRun(int level) {
    Sorted all = sorted(level, 0, groups.groupCount());
    MemoryBuffer texts = picks == null ? null : picks.takeHeap();
    return all.toRun(groups.takeKeyHeap(), texts, context);
  }

  /**
   * Moves all groups, of which there is at least one, to runs; afterwards the table can only be
   * closed. When this is refused memory, nothing has changed. A run may be spilled while the next
   * one is made, so that one run's memory suffices for all.
   *
   * @param level which bits of the hashes partition the groups
   * @param bytesPerRun upper bound of a run's keys and records, unless there are long strings or
   *     lists
   * @return the runs, owned by the caller
   */
  List<GroupRun> toRuns(int level, long bytesPerRun) {
    if (groups.hasLongKeys() || picks != null || lists != null) {
      return List.of(toRun(level));
    }
    long groupBytes = (long) groups.keyWords() * Long.BYTES + plan.layout().strideInBytes();
    int most = (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytesPerRun / groupBytes));
    List<GroupRun> made = new ArrayList<>();
    try {
      for (int first = 0; first < groups.groupCount(); first += most) {
        made.add(runOf(level, first, Math.min(most, groups.groupCount() - first)));
      }
      return made;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      made.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  /** Copies some groups, which have no long strings, to a run. */
  private GroupRun runOf(int level, int first, int count) {
    MemoryBuffer noHeap = context.kernelAllocator().allocate(Long.BYTES);
    try {
      return sorted(level, first, count).toRun(noHeap, null, context);
    } catch (RuntimeException | Error e) {
      noHeap.close();
      throw e;
    }
  }

  /** Copies of groups, sorted by partition, and their lists, which were taken from the table. */
  private record Sorted(
      MemoryBuffer keys, MemoryBuffer records, RecordBatch lists, int[] firstGroups) {
    /** Returns a run that owns these buffers and the groups' long strings. */
    GroupRun toRun(MemoryBuffer heap, MemoryBuffer texts, OperatorContext context) {
      try {
        return new GroupRun(
            new GroupBuffers(keys, records, heap, texts), lists, firstGroups, context);
      } catch (RuntimeException | Error e) {
        Closer closer = new Closer();
        closer.close(keys);
        closer.close(records);
        closer.close(lists);
        closer.suppressIn(e);
        throw e;
      }
    }
  }

  /** Sorts some groups by partition; all of them when the table has lists. */
  private Sorted sorted(int level, int first, int count) {
    if (partitions == null) {
      partitions = new GroupPartitionKernel(context.backend(), context.kernelAllocator());
    }
    records.ensure(
        groups
            .groupCount()); // an input that was refused memory may have left groups without records
    int stride = plan.layout().strideInBytes();
    MemoryBuffer keys = null;
    MemoryBuffer sorted = null;
    try {
      long keyBytes = (long) groups.keyWords() * Long.BYTES;
      keys = context.kernelAllocator().allocate(count * keyBytes);
      sorted = context.kernelAllocator().allocate((long) count * stride);
      int[] places = lists == null ? null : new int[count];
      int[] firstGroups =
          partitions.sort(
              new GroupPartitionKernel.Groups(
                  groups.groupKeys(),
                  groups.keyWords(),
                  records.buffer(),
                  stride / Long.BYTES,
                  first,
                  count,
                  keys,
                  sorted),
              level,
              places);
      return new Sorted(keys, sorted, takeLists(places), firstGroups);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(keys);
      closer.close(sorted);
      closer.suppressIn(e);
      throw e;
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(combination);
    closer.close(partitions);
    closer.close(picks);
    closer.close(lists);
    closer.close(records);
    closer.close(groups);
    closer.rethrow();
  }
}
