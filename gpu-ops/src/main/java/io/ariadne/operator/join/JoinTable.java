package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.expression.Expression;
import io.ariadne.kernel.abi.GatherIndex;
import io.ariadne.kernel.column.GatherKernel;
import io.ariadne.kernel.hash.GroupTable;
import io.ariadne.kernel.join.JoinChains;
import io.ariadne.kernel.join.JoinRowsKernel;
import io.ariadne.operator.ColumnConcatenation;
import io.ariadne.operator.KeyColumns;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * The build side of a join, complete: its rows, the groups of their keys, and the rows of each
 * group. Read by all threads of work at once.
 */
final class JoinTable implements AutoCloseable {
  /** Groups for which a table has room from the start, if there are as many rows. */
  private static final int EXPECTED_GROUPS = 1 << 20;

  private final int rowCount;
  private final boolean hasNullKey;
  private final GroupTable groups;
  private final JoinChains chains;
  private final List<ColumnVector> columns;
  private final JoinKind kind;
  private final BuildMatches matches;

  private JoinTable(
      RecordBatch rows,
      boolean hasNullKey,
      GroupTable groups,
      JoinChains chains,
      List<ColumnVector> columns,
      JoinKind kind) {
    this.rowCount = rows.rowCount();
    this.hasNullKey = hasNullKey;
    this.groups = groups;
    this.chains = chains;
    this.columns = columns;
    this.kind = kind;
    this.matches = kind == JoinKind.FULL ? new BuildMatches(rowCount) : null;
  }

  /**
   * Makes a table.
   *
   * @param join what is joined
   * @param batches the build side, in host memory; owned by this call, closed also when it throws
   * @param context where memory comes from
   * @return the table, owned by the caller
   */
  static JoinTable of(HashJoin join, List<RecordBatch> batches, OperatorContext context) {
    try (RecordBatch rows = concatenated(join.spec(), batches, context)) {
      return new Building(join, context).build(rows);
    }
  }

  /** Puts all rows together. */
  private static RecordBatch concatenated(
      JoinSpec spec, List<RecordBatch> batches, OperatorContext context) {
    if (batches.size() == 1) {
      return batches.get(0);
    }
    List<ColumnVector> columns = new ArrayList<>();
    GatherKernel gather = new GatherKernel(context.backend().host(), context.allocator());
    Closer closer = new Closer();
    try {
      int rowCount = countRows(batches);
      ColumnConcatenation concatenation = new ColumnConcatenation(context.allocator(), gather);
      for (int c = 0; c < spec.build().columnCount(); c++) {
        List<ColumnConcatenation.Slice> slices = new ArrayList<>();
        for (RecordBatch batch : batches) {
          slices.add(new ColumnConcatenation.Slice(batch.column(c), 0, batch.rowCount()));
        }
        columns.add(
            batches.isEmpty()
                ? NullColumns.of(spec.build().field(c).type(), 0, context.allocator())
                : concatenation.concat(spec.build().field(c).type(), slices, rowCount));
        for (RecordBatch batch : batches) {
          batch.takeColumn(c).close();
        }
      }
      RecordBatch whole = new RecordBatch(spec.build(), rowCount, List.copyOf(columns), 0);
      columns.clear(); // they are the batch's
      return new HeapCompaction(context.allocator()).compact(whole);
    } catch (RuntimeException | Error e) {
      columns.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    } finally {
      batches.forEach(closer::close);
      closer.close(gather);
      closer.rethrow();
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
      Closer closer = new Closer();
      List<ColumnVector> columns = new ArrayList<>();
      GroupTable groups =
          new GroupTable(
              context.backend(),
              context.kernelAllocator(),
              kinds(),
              Math.min(rowCount, EXPECTED_GROUPS));
      JoinChains chains = null;
      try {
        boolean hasNullKey = rowCount > 0 && mustKnowNulls() && hasNullKey(rows);
        chains = rowCount == 0 ? null : chains(rows, groups);
        for (int c = 0; c < rows.columnCount(); c++) {
          columns.add(forKernels(rows.takeColumn(c)));
        }
        return new JoinTable(rows, hasNullKey, groups, chains, columns, join.spec().kind());
      } catch (RuntimeException | Error e) {
        closer.close(groups);
        closer.close(chains);
        columns.forEach(closer::close);
        closer.suppressIn(e);
        throw e;
      }
    }

    private List<PhysicalType> kinds() {
      return join.spec().buildKeys().stream()
          .map(Expression::type)
          .map(type -> type.defaultPhysicalType())
          .toList();
    }

    private boolean mustKnowNulls() {
      return join.spec().kind() == JoinKind.NULL_AWARE_ANTI;
    }

    private boolean hasNullKey(RecordBatch rows) {
      boolean[] found = new boolean[1];
      try (KeyColumns keys = new KeyColumns(join.buildKeys(), context)) {
        keys.use(
            rows,
            columns -> {
              for (ColumnVector column : columns) {
                ColumnVector read =
                    context.transfer().isOnHost(column)
                        ? column
                        : context.transfer().copyToHost(column);
                found[0] |= read.countNulls() > 0;
                if (read != column) {
                  read.close();
                }
              }
            });
      }
      return found[0];
    }

    private JoinChains chains(RecordBatch rows, GroupTable groups) {
      int rowCount = rows.rowCount();
      try (KeyColumns keys = new KeyColumns(join.buildKeys(), context);
          JoinRowsKernel kernel = new JoinRowsKernel(context.backend(), context.kernelAllocator());
          MemoryBuffer groupIds =
              context.kernelAllocator().allocate((long) rowCount * Integer.BYTES)) {
        keys.use(rows, columns -> groups.assign(columns, rowCount, groupIds));
        if (context.cancelled().getAsBoolean()) {
          throw new CancellationException("the operator was cancelled");
        }
        return groups.groupCount() == rowCount
            ? null
            : kernel.chains(groupIds, rowCount, groups.groupCount());
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

  /** Returns whether the join has no output whatever the probe side is. */
  boolean yieldsNothing() {
    return (rowCount == 0 && kind.needsBuildRows())
        || (hasNullKey && kind == JoinKind.NULL_AWARE_ANTI);
  }

  GroupTable groups() {
    return groups;
  }

  /** Returns the rows of each group; null when rows are numbered as their groups. */
  JoinChains chains() {
    return chains;
  }

  /** Returns a column of the build side, where kernels see it, nested ones on the host. */
  ColumnVector column(int index) {
    return columns.get(index);
  }

  /** Returns which rows have been paired; null where it does not matter. */
  BuildMatches matches() {
    return matches;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    columns.forEach(closer::close);
    closer.close(chains);
    closer.close(groups);
    closer.rethrow();
  }
}
