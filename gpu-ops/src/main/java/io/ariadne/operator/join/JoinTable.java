package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.concat.ColumnConcatenator;
import io.ariadne.columnar.concat.ColumnSlice;
import io.ariadne.columnar.concat.ConcatenationPolicy;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.kernel.abi.GatherIndex;
import io.ariadne.kernel.column.GatherKernel;
import io.ariadne.kernel.join.JoinChains;
import io.ariadne.kernel.join.JoinRowsKernel;
import io.ariadne.operator.OperatorContext;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/**
 * Rows of the build side of a join: their columns, the groups of their keys, and the rows of each
 * group. Read by all threads of work at once.
 */
final class JoinTable implements AutoCloseable {
  private final int rowCount;
  private final boolean hasNullKey;
  private final KeyGroups keys;
  private final JoinChains chains;
  private final List<ColumnVector> columns;
  private final boolean marksGroups;
  private final BuildMatches matches; // null where it does not matter

  private JoinTable(
      int rowCount,
      boolean hasNullKey,
      KeyGroups keys,
      JoinChains chains,
      List<ColumnVector> columns,
      JoinSpec spec) {
    this.rowCount = rowCount;
    this.hasNullKey = hasNullKey;
    this.keys = keys;
    this.chains = chains;
    this.columns = columns;
    this.marksGroups = spec.kind().yieldsOnlyBuildRows() && spec.condition() == null;
    this.matches = spec.kind().marksBuildRows() ? new BuildMatches() : null;
  }

  /**
   * Makes a table.
   *
   * @param join what is joined
   * @param batches the rows, in host memory; owned by this call, closed also when it throws
   * @param context where memory comes from
   * @return the table, owned by the caller
   */
  static JoinTable of(HashJoin join, List<RecordBatch> batches, OperatorContext context) {
    try (RecordBatch rows = concatenated(join.spec(), batches, context)) {
      return new Building(join, context).build(rows);
    }
  }

  /**
   * Makes a table of rows at rest, which stay there: when there is no memory for it, one of fewer
   * rows may be made.
   *
   * @param batches stay the caller's
   * @param context where memory comes from
   * @return the table, owned by the caller
   */
  static JoinTable ofResting(
      HashJoin join, Collection<SpillableBatch> batches, OperatorContext context) {
    List<SpillableBatch> opened = new ArrayList<>();
    Closer closer = new Closer();
    try {
      List<RecordBatch> rows = new ArrayList<>();
      for (SpillableBatch batch : batches) {
        rows.add(batch.read(context.allocator()));
        opened.add(batch);
      }
      try (RecordBatch copies = concatenation(join.spec(), rows, false, context)) {
        return new Building(join, context).build(copies);
      }
    } finally {
      opened.forEach(batch -> closer.close(batch::unread));
      closer.rethrow();
    }
  }

  /**
   * Makes a table of parts that were made side by side, on the host.
   *
   * @param parts by the first bits of their hashes, null for those without rows; taken out, also
   *     when this throws
   * @param columns all their rows, in this order; taken out as well
   * @return the table, owned by the caller
   */
  static JoinTable ofParts(
      HashJoin join, HashTablePartition[] parts, ColumnVector[] columns, OperatorContext context) {
    return new HashTableAssembly(join, parts, context).assemble(columns);
  }

  /**
   * Makes a table of what it is made of, all of which it owns.
   *
   * @param keys numbers of the rows' keys
   * @param chains the rows of each number; null when these are the rows'
   */
  static JoinTable ofColumns(
      HashJoin join, int rowCount, KeyGroups keys, JoinChains chains, List<ColumnVector> columns) {
    return new JoinTable(rowCount, false, keys, chains, columns, join.spec());
  }

  /**
   * Takes batches, which go on to {@link #of}.
   *
   * @param resting what is taken is removed
   * @return owned by the caller
   */
  static List<RecordBatch> taken(Deque<SpillableBatch> resting, OperatorContext context) {
    List<RecordBatch> taken = new ArrayList<>();
    try {
      while (!resting.isEmpty()) {
        taken.add(resting.element().take(context.allocator()));
        resting.remove();
      }
      return taken;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      taken.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  /** Puts all rows together; the batches are closed, also when this throws. */
  private static RecordBatch concatenated(
      JoinSpec spec, List<RecordBatch> batches, OperatorContext context) {
    if (batches.size() == 1) {
      return batches.get(0);
    }
    Closer closer = new Closer();
    try {
      return concatenation(spec, batches, true, context);
    } finally {
      batches.forEach(closer::close);
      closer.rethrow();
    }
  }

  /**
   * Copies the rows of batches into one.
   *
   * @param isTaken whether columns are freed as soon as they are copied
   */
  private static RecordBatch concatenation(
      JoinSpec spec, List<RecordBatch> batches, boolean isTaken, OperatorContext context) {
    List<ColumnVector> columns = new ArrayList<>();
    try (GatherKernel gather = new GatherKernel(context.backend().host(), context.allocator())) {
      int rowCount = countRows(batches);
      ColumnConcatenator concatenator =
          new ColumnConcatenator(context.allocator(), ConcatenationPolicy.SHARE, gather);
      for (int c = 0; c < spec.build().columnCount(); c++) {
        List<ColumnSlice> slices = new ArrayList<>();
        for (RecordBatch batch : batches) {
          slices.add(new ColumnSlice(batch.column(c), 0, batch.rowCount()));
        }
        columns.add(
            batches.isEmpty()
                ? NullColumns.of(spec.build().field(c).type(), 0, context.allocator())
                : concatenator.concatDecoded(spec.build().field(c).type(), slices));
        for (RecordBatch batch : isTaken ? batches : List.<RecordBatch>of()) {
          batch.takeColumn(c).close();
        }
      }
      RecordBatch whole = new RecordBatch(spec.build(), rowCount, List.copyOf(columns), 0);
      columns.clear(); // they are the batch's
      return new HeapCompaction(context.allocator()).compact(whole);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      columns.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  private static int countRows(List<RecordBatch> batches) {
    long rows = batches.stream().mapToLong(RecordBatch::rowCount).sum();
    if (rows >= GatherIndex.GATHER_NULL_INDEX) {
      throw new EngineException(
          ErrorCode.OUT_OF_MEMORY, "the build side of a join has " + rows + " rows");
    }
    return (int) rows;
  }

  /** The parts of a table while it is made. */
  private static final class Building {
    private final HashJoin join;
    private final OperatorContext context;

    Building(HashJoin join, OperatorContext context) {
      this.join = join;
      this.context = context;
    }

    /** Makes a table of rows whose columns it takes. */
    JoinTable build(RecordBatch rows) {
      int rowCount = rows.rowCount();
      List<ColumnVector> columns = new ArrayList<>();
      KeyGroups keys = null;
      JoinChains chains = null;
      try {
        boolean hasNullKey = rowCount > 0 && join.mustKnowNulls() && hasNullKey(rows);
        try (MemoryBuffer groupIds =
            context.kernelAllocator().allocate((long) rowCount * Integer.BYTES)) {
          keys = KeyGroups.of(join.buildSide().keys(), rows, groupIds, context);
          chains = keys.areRows() ? null : chains(groupIds, rowCount, keys.groupCount());
        }
        for (int c = 0; c < rows.columnCount(); c++) {
          columns.add(forKernels(rows.takeColumn(c)));
        }
        return new JoinTable(rowCount, hasNullKey, keys, chains, columns, join.spec());
      } catch (RuntimeException | Error e) {
        Closer closer = new Closer();
        closer.close(keys);
        closer.close(chains);
        columns.forEach(closer::close);
        closer.suppressIn(e);
        throw e;
      }
    }

    private boolean hasNullKey(RecordBatch rows) {
      try (KeyHashes keys = new KeyHashes(join.buildSide().keys(), context)) {
        return keys.hasNullKey(rows);
      }
    }

    private JoinChains chains(MemoryBuffer groupIds, int rowCount, int groupCount) {
      try (JoinRowsKernel kernel =
          new JoinRowsKernel(context.backend(), context.kernelAllocator())) {
        return kernel.chains(groupIds, rowCount, groupCount);
      }
    }

    private ColumnVector forKernels(ColumnVector column) {
      if (context.transfer().isForKernels(column) || PairGather.isNested(column)) {
        return column;
      }
      try (column) {
        return context.transfer().copyToKernels(column);
      }
    }
  }

  int rowCount() {
    return rowCount;
  }

  /** Returns whether a row has a null among its keys; only known where that matters. */
  boolean hasNullKey() {
    return hasNullKey;
  }

  /** Returns the groups of the keys. */
  KeyGroups keys() {
    return keys;
  }

  /** Returns the rows of each group; null when rows are numbered as their groups. */
  JoinChains chains() {
    return chains;
  }

  /** Returns a column of the build side, where kernels see it, nested ones on the host. */
  ColumnVector column(int index) {
    return columns.get(index);
  }

  /** Returns what the columns take in memory. */
  long columnBytes() {
    return columns.stream().mapToLong(ColumnVector::sizeInBytes).sum();
  }

  /** Returns which of what is {@link #marks marked} has been paired; null where nothing is. */
  BuildMatches matches() {
    return matches;
  }

  /**
   * Returns whether groups are marked in the place of each of their rows: all rows of a group have
   * a pair when one has.
   */
  boolean marksGroups() {
    return marksGroups && chains != null;
  }

  /** Returns a number that those of all rows, or groups, that may be marked are below. */
  int marks() {
    return marksGroups() ? chains.groupBound() : rowCount;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    columns.forEach(closer::close);
    closer.close(chains);
    closer.close(keys);
    closer.rethrow();
  }
}
