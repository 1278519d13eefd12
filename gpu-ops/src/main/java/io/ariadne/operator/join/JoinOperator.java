package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.abi.JoinFlag;
import io.ariadne.kernel.column.SelectRowsKernel;
import io.ariadne.kernel.hash.GroupLookup;
import io.ariadne.kernel.join.JoinRowsKernel;
import io.ariadne.operator.KeyColumns;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.RefusedBatch;
import io.ariadne.operator.RowPredicate;
import java.util.concurrent.CancellationException;

/**
 * Joins the batches of the probe side with a complete build side.
 *
 * <p>Pairs are put out in batches of bounded size, however many a probe batch has.
 */
final class JoinOperator implements Operator {
  private final JoinSpec spec;
  private final JoinTable table;
  private final OperatorContext context;
  private final int batchPairs;
  private final boolean mustMatchBuild;
  private KeyColumns keys;
  private GroupLookup lookup;
  private JoinRowsKernel kernel;
  private SelectRowsKernel selection;
  private PairGather gather;
  private PairFilter filter; // null for no condition
  private JoinOutput output;
  private final RefusedBatch refused = new RefusedBatch();
  private ProbeBatch probe;
  private MemoryBuffer buildBits; // null unless build rows are to be marked
  private UnmatchedRows unmatched; // null but for the last thread of work of a full join
  private boolean finishing;

  /** Creates an operator over a table that stays open as long as this is. */
  JoinOperator(HashJoin join, JoinTable table, OperatorContext context) {
    this.spec = join.spec();
    this.table = table;
    this.context = context;
    this.batchPairs = join.batchPairs();
    this.mustMatchBuild = table.matches() != null;
    try {
      this.keys = new KeyColumns(join.probeKeys(), context);
      this.lookup = new GroupLookup(context.backend(), context.kernelAllocator(), table.groups());
      this.kernel = new JoinRowsKernel(context.backend(), context.kernelAllocator());
      this.selection = new SelectRowsKernel(context.backend(), context.kernelAllocator());
      this.gather = new PairGather(context);
      this.filter = spec.condition() == null ? null : filter();
      this.output = new JoinOutput(spec, table, context, gather);
      if (mustMatchBuild) {
        openBuildBits();
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private PairFilter filter() {
    RowPredicate predicate = new RowPredicate(spec.conditionSchema(), spec.condition(), context);
    return new PairFilter(spec, table, context, gather, predicate);
  }

  private void openBuildBits() {
    long bytes = PhysicalType.BOOL.dataLengthInBytes(Math.max(table.rowCount(), 1));
    buildBits = context.kernelAllocator().allocate(MemoryBuffer.padded(bytes));
    context.backend().clear(buildBits, 0, buildBits.capacityInBytes());
    table.matches().begin();
  }

  @Override
  public Schema outputSchema() {
    return spec.output();
  }

  @Override
  public boolean needsInput() {
    return !finishing && probe == null && !table.yieldsNothing();
  }

  @Override
  public void addInput(RecordBatch batch) {
    if (!needsInput()) {
      batch.close();
      throw new IllegalStateException("the operator does not need input");
    }
    if (batch.rowCount() == 0) {
      batch.close();
      return;
    }
    try {
      probe = lookedUp(batch);
    } catch (RuntimeException | Error e) {
      refused.keepOrClose(batch, e);
      throw e;
    }
  }

  @Override
  public RecordBatch takeRefused() {
    return refused.take();
  }

  /** Takes a batch over, unless this throws, and finds the groups of its rows. */
  private ProbeBatch lookedUp(RecordBatch batch) {
    ProbeBatch added = new ProbeBatch(batch, context);
    try {
      keys.use(batch, columns -> lookup.find(columns, added.rowCount(), added.groups()));
      if (spec.kind().yieldsPairs() || filter != null) {
        boolean isOuter = filter == null && spec.kind().keepsProbeRows();
        added.setPairCount(
            kernel.countPairs(
                added.groups(), added.rowCount(), table.chains(), isOuter, added.offsets()));
      }
      return added;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(added::giveUp);
      closer.suppressIn(e);
      throw e;
    }
  }

  @Override
  public RecordBatch getOutput() {
    if (probe == null) {
      return unmatched == null ? null : unmatched.next(output);
    }
    RecordBatch batch = spec.kind().yieldsPairs() ? nextPairs() : nextRows();
    if (probe.isOver()) {
      closeProbe();
    }
    return batch;
  }

  private void closeProbe() {
    ProbeBatch closed = probe;
    probe = null;
    closed.close();
  }

  /** Returns the next pairs of the batch, in the end its rows without one; may have no rows. */
  private RecordBatch nextPairs() {
    boolean keepsRows = filter != null && spec.kind().keepsProbeRows();
    if (probe.nextPair() == probe.pairCount()) {
      probe.end();
      if (!keepsRows) {
        return null;
      }
      kernel.invert(probe.bits(), probe.rowCount());
      return selectedRows();
    }
    boolean isWhole =
        filter == null
            && table.chains() == null
            && probe.pairCount() == probe.rowCount()
            && probe.pairCount() <= batchPairs;
    try (Pairs pairs = takePairs()) {
      if (mustMatchBuild) {
        kernel.mark(pairs.buildRows(), pairs.count(), table.rowCount(), buildBits);
      }
      if (keepsRows) {
        kernel.mark(pairs.probeRows(), pairs.count(), probe.rowCount(), probe.bits());
      } else if (probe.nextPair() == probe.pairCount()) {
        probe.end();
      }
      boolean mayMiss = filter == null && spec.kind().keepsProbeRows();
      return isWhole
          ? output.ofWholeBatch(probe, pairs, mayMiss)
          : output.ofPairs(probe, pairs, mayMiss);
    }
  }

  /** Returns the next pairs for which the condition is true; owned by the caller. */
  private Pairs takePairs() {
    if (context.cancelled().getAsBoolean()) {
      throw new CancellationException("the operator was cancelled");
    }
    long first = probe.nextPair();
    int count = probe.advance(batchPairs);
    long bytes = (long) count * Integer.BYTES;
    MemoryBuffer probeRows = context.kernelAllocator().allocate(bytes);
    MemoryBuffer buildRows = null;
    try {
      buildRows = context.kernelAllocator().allocate(bytes);
      kernel.expand(first, count, probeRows, buildRows);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(probeRows);
      closer.close(buildRows);
      closer.suppressIn(e);
      throw e;
    }
    Pairs pairs = new Pairs(probeRows, buildRows, count);
    return filter == null ? pairs : filter.filter(probe, pairs);
  }

  /**
   * Returns what a join that puts out probe rows makes of the batch, null for no rows; a batch
   * without rows while pairs are still to be looked at.
   */
  private RecordBatch nextRows() {
    if (filter == null) {
      kernel.flag(probe.groups(), probe.rowCount(), flags(), probe.bits());
    } else if (probe.nextPair() < probe.pairCount()) {
      try (Pairs pairs = takePairs()) {
        kernel.mark(pairs.probeRows(), pairs.count(), probe.rowCount(), probe.bits());
      }
      return output.ofNothing(probe);
    } else if (spec.kind() == JoinKind.ANTI) {
      kernel.invert(probe.bits(), probe.rowCount());
    }
    probe.end();
    return spec.kind() == JoinKind.EXISTENCE ? output.ofBits(probe) : selectedRows();
  }

  private int flags() {
    return switch (spec.kind()) {
      case ANTI -> JoinFlag.JOIN_NEGATED;
      case NULL_AWARE_ANTI ->
          table.rowCount() == 0
              ? JoinFlag.JOIN_NEGATED
              : JoinFlag.JOIN_NEGATED | JoinFlag.JOIN_NULLS_MATCH;
      default -> 0;
    };
  }

  /** Returns the probe rows whose bits are set, or null for none. */
  private RecordBatch selectedRows() {
    int rowCount = probe.rowCount();
    try (MemoryBuffer indices =
        context.kernelAllocator().allocate(SelectRowsKernel.indexBytes(rowCount))) {
      // not closed: its bits are the batch's
      ColumnVector mask =
          ColumnVector.flat(PrimitiveType.BOOLEAN, PhysicalType.BOOL, rowCount, probe.bits(), null);
      int count = selection.run(mask, indices);
      return count == 0 ? null : output.ofProbeRows(probe, indices, count);
    }
  }

  @Override
  public void finish() {
    if (finishing) {
      return;
    }
    finishing = true;
    if (mustMatchBuild) {
      endMatching();
    }
  }

  private void endMatching() {
    // not closed: its bits are this operator's
    ColumnVector bits =
        ColumnVector.flat(
            PrimitiveType.BOOLEAN, PhysicalType.BOOL, table.rowCount(), buildBits, null);
    boolean isOnHost = context.transfer().isOnHost(bits);
    ColumnVector read = isOnHost ? bits : context.transfer().copyToHost(bits);
    try {
      if (table.matches().end(read.data())) {
        unmatched = new UnmatchedRows(table.matches(), batchPairs, context);
      }
    } finally {
      if (!isOnHost) {
        read.close();
      }
    }
  }

  @Override
  public boolean isFinished() {
    return probe == null
        && (table.yieldsNothing() || (finishing && (unmatched == null || unmatched.isOver())));
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(probe);
    probe = null;
    closer.close(refused);
    closer.close(buildBits);
    closer.close(filter);
    closer.close(gather);
    closer.close(selection);
    closer.close(kernel);
    closer.close(lookup);
    closer.close(keys);
    closer.rethrow();
  }
}
