package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.join.JoinChains;
import io.ariadne.kernel.join.JoinRowsKernel;
import io.ariadne.operator.OperatorContext;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The hash table of a join: the build rows' columns, the groups of their keys, and the rows of each
 * group. Immutable; any number of threads may read it at once.
 *
 * <p>Its memory is not revocable: all drivers read it without locks, in the middle of probe
 * batches, and marks count its rows by number. To release it, they would have to stop between two
 * batches, and the marks would have to move with the rows to partitions.
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
   * Builds the hash table of rows.
   *
   * @param rows in host memory; stay the caller's. When this returns, it has taken the columns that
   *     kernels read where they are, and copied the others; when it throws, the rows are unchanged.
   * @param context where memory comes from
   * @return the table, owned by the caller
   */
  static JoinTable of(HashJoin join, RecordBatch rows, OperatorContext context) {
    return new Building(join, context).build(rows);
  }

  /** Builds a hash table without rows, owned by the caller. */
  static JoinTable empty(HashJoin join, OperatorContext context) {
    try (RecordBatch rows = NullColumns.emptyBatch(join.spec().build(), context.allocator())) {
      return of(join, rows, context);
    }
  }

  /**
   * Builds the hash table of copies of spilled rows. When memory is refused, the caller may build
   * one of fewer rows.
   *
   * @param batches stay the caller's, and spilled
   * @param context where memory comes from
   * @return the table, owned by the caller
   */
  static JoinTable ofSpilled(
      HashJoin join, Collection<SpillableBatch> batches, OperatorContext context) {
    List<SpillableBatch> opened = new ArrayList<>();
    Closer closer = new Closer();
    try {
      List<RecordBatch> rows = new ArrayList<>();
      for (SpillableBatch batch : batches) {
        rows.add(batch.read(context.allocator()));
        opened.add(batch);
      }
      try (RecordBatch copies = concatenated(join.spec().build(), rows, context)) {
        return of(join, copies, context);
      }
    } finally {
      opened.forEach(batch -> closer.close(batch::unread));
      closer.rethrow();
    }
  }

  private static RecordBatch concatenated(
      Schema schema, List<RecordBatch> batches, OperatorContext context) {
    int rowCount =
        BuildColumns.checkedRowCount(batches.stream().mapToLong(RecordBatch::rowCount).sum());
    RecordBatch copies =
        RecordBatch.of(
            schema,
            rowCount,
            0,
            c -> BuildColumns.concatenated(schema.field(c).type(), batches, c, context));
    return new HeapCompaction(context.allocator()).compact(copies);
  }

  /**
   * Makes a table of its parts, all of which it owns.
   *
   * @param keys groups of the rows' keys
   * @param chains the rows of each group; null when groups are numbered as their rows
   */
  static JoinTable ofColumns(
      HashJoin join, int rowCount, KeyGroups keys, JoinChains chains, List<ColumnVector> columns) {
    return new JoinTable(rowCount, false, keys, chains, columns, join.spec());
  }

  /** Builds a table of rows. */
  private static final class Building {
    private final HashJoin join;
    private final OperatorContext context;

    Building(HashJoin join, OperatorContext context) {
      this.join = join;
      this.context = context;
    }

    /**
     * Builds the table; takes the columns that kernels read where they are once nothing can fail.
     */
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
          ColumnVector column = rows.column(c);
          columns.add(isForKernels(column) ? null : context.transfer().copyToKernels(column));
        }
        for (int c = 0; c < rows.columnCount(); c++) {
          if (columns.get(c) == null) {
            columns.set(c, rows.takeColumn(c));
          }
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

    private boolean isForKernels(ColumnVector column) {
      return context.transfer().isForKernels(column) || PairGather.isNested(column);
    }
  }

  int rowCount() {
    return rowCount;
  }

  /** Returns whether a row has a null key; only known where the output depends on it. */
  boolean hasNullKey() {
    return hasNullKey;
  }

  /** Returns the groups of the keys. */
  KeyGroups keys() {
    return keys;
  }

  /** Returns the rows of each group; null when groups have the numbers of their rows. */
  JoinChains chains() {
    return chains;
  }

  /** Returns a column of the build side, where kernels see it, nested ones on the host. */
  ColumnVector column(int index) {
    return columns.get(index);
  }

  /** Returns the bytes of the columns. */
  long columnBytes() {
    return columns.stream().mapToLong(ColumnVector::sizeInBytes).sum();
  }

  /**
   * Returns which {@link #marks marked} rows or groups have been paired; null when the join marks
   * none.
   */
  BuildMatches matches() {
    return matches;
  }

  /**
   * Returns whether groups are marked instead of their rows: when one row of a group has a pair,
   * all have.
   */
  boolean marksGroups() {
    return marksGroups && chains != null;
  }

  /** Returns an exclusive bound of the numbers of rows, or groups, that may be marked. */
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
