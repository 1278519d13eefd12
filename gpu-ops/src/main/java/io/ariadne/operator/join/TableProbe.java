package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.column.SelectRowsKernel;
import io.ariadne.kernel.hash.KeyLookup;
import io.ariadne.kernel.join.JoinRowsKernel;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.key.KeyColumns;
import io.ariadne.operator.project.RowPredicate;
import java.util.BitSet;
import java.util.concurrent.CancellationException;

/**
 * Joins batches of the probe side with a hash table. Used by one thread at a time.
 *
 * <p>Output batches have a bounded number of pairs, however many pairs a probe batch has.
 */
final class TableProbe implements AutoCloseable {
  private final JoinSpec spec;
  private final JoinTable table;
  private final Part part;
  private final boolean isBuildEmpty;
  private final OperatorContext context;
  private final int batchPairs;
  private KeyColumns keys;
  private KeyLookup lookup;
  private JoinRowsKernel kernel;
  private SelectRowsKernel selection;
  private PairGather gather;
  private PairFilter filter; // null for no condition
  private JoinOutput output;
  private ProbeBatch probe;
  private BuildMarks marks; // null unless build rows are to be marked
  private boolean areMarksOver;
  private BitSet matched; // what all drivers have marked; null in all drivers but the last
  private MarkedRows marked; // null until the last driver has finished; null in all other drivers

  /** Which of a probe row's possible build rows are in the table. */
  enum Part {
    /** All of them. */
    ALL,
    /** Some; other tables follow, so probe rows without a pair are not yielded yet. */
    SOME,
    /** The last ones, after tables with the other rows. */
    LAST
  }

  /**
   * Prepares.
   *
   * @param table stays its owner's, open as long as this is
   * @param part which build rows it holds
   * @param isBuildEmpty whether the build side of the whole join has no rows
   */
  TableProbe(
      HashJoin join, JoinTable table, Part part, boolean isBuildEmpty, OperatorContext context) {
    this.spec = join.spec();
    this.table = table;
    this.part = part;
    this.isBuildEmpty = isBuildEmpty;
    this.context = context;
    this.batchPairs = join.batchPairs(context);
    try {
      this.keys = new KeyColumns(join.probeSide().keys(), context);
      this.lookup = table.keys().newLookup(context);
      this.kernel = new JoinRowsKernel(context.backend(), context.kernelAllocator());
      this.selection = new SelectRowsKernel(context.backend(), context.kernelAllocator());
      this.gather = new PairGather(context);
      this.filter = spec.condition() == null ? null : filter();
      this.output = new JoinOutput(spec, table, context, gather);
      this.marks = table.matches() == null ? null : new BuildMarks(table, context);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private PairFilter filter() {
    RowPredicate predicate = new RowPredicate(spec.conditionSchema(), spec.condition(), context);
    return new PairFilter(spec, table, context, gather, predicate);
  }

  /** Returns whether a batch is being joined: no other may be added. */
  boolean isBusy() {
    return probe != null;
  }

  /**
   * Starts to join a batch. When it throws, nothing has changed.
   *
   * @param batch with at least one row; ownership passes to this object, unless this throws
   */
  void add(ProbeBatch batch) {
    keys.find(batch.batch(), lookup, batch.groups());
    if (spec.kind().yieldsPairs() || filter != null) {
      batch.setPairCount(
          kernel.countPairs(
              batch.groups(), batch.rowCount(), table.chains(), mayMiss(), batch.offsets()));
    }
    probe = batch;
  }

  /** Returns whether the list of pairs includes probe rows without a build row. */
  private boolean mayMiss() {
    return part == Part.ALL && filter == null && spec.kind().keepsProbeRows();
  }

  /**
   * Returns the next output of the batch; null when there is none now or no more. A call that was
   * refused memory may be repeated.
   */
  RecordBatch next() {
    RecordBatch batch =
        checked(
            spec.kind().yieldsPairs()
                ? nextPairs()
                : spec.kind().yieldsOnlyBuildRows() ? nextMarks() : nextRows());
    if (probe.isOver()) {
      closeProbe();
    }
    return batch;
  }

  /** Waits for the gathers of an output batch, once for all of them. */
  private RecordBatch checked(RecordBatch batch) {
    try {
      gather.check();
      return batch;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(batch);
      closer.suppressIn(e);
      throw e;
    }
  }

  private void closeProbe() {
    ProbeBatch closed = probe;
    probe = null;
    closed.close();
  }

  /** Returns the next pairs of the batch, finally its rows without a pair; may have no rows. */
  private RecordBatch nextPairs() {
    boolean keepsRows = !mayMiss() && spec.kind().keepsProbeRows();
    if (probe.nextPair() == probe.pairCount()) {
      RecordBatch rows = null;
      if (keepsRows && part != Part.SOME) {
        probe.invert(kernel);
        rows = selectedRows();
      }
      probe.end();
      return rows;
    }
    int examined = probe.nextCount(batchPairs);
    try (Pairs pairs = pairs(examined)) {
      if (marks != null) {
        marks.mark(pairs, kernel);
      }
      if (keepsRows) {
        kernel.mark(pairs.probeRows(), pairs.count(), probe.rowCount(), probe.bits());
      }
      RecordBatch batch = output(pairs);
      probe.advance(examined);
      if (!keepsRows && probe.nextPair() == probe.pairCount()) {
        probe.end();
      }
      return batch;
    }
  }

  /** Makes a batch of pairs; takes the columns of the probe batch where each row has one pair. */
  private RecordBatch output(Pairs pairs) {
    boolean isWhole =
        filter == null
            && part == Part.ALL
            && table.chains() == null
            && probe.pairCount() == probe.rowCount()
            && probe.pairCount() <= batchPairs;
    return isWhole
        ? output.ofWholeBatch(probe, pairs, mayMiss())
        : output.ofPairs(probe, pairs, mayMiss());
  }

  /** Returns those of the next pairs for which the condition is true; owned by the caller. */
  private Pairs pairs(int count) {
    if (context.cancelled().getAsBoolean()) {
      throw new CancellationException("the operator was cancelled");
    }
    long first = probe.nextPair();
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
   * Returns the output of a join that yields probe rows: null for no rows, a batch without rows
   * while pairs are still to be examined.
   */
  private RecordBatch nextRows() {
    if (filter == null) {
      flagRows();
    } else if (probe.nextPair() < probe.pairCount()) {
      int examined = probe.nextCount(batchPairs);
      try (Pairs pairs = pairs(examined)) {
        kernel.mark(pairs.probeRows(), pairs.count(), probe.rowCount(), probe.bits());
      }
      probe.advance(examined);
      return NullColumns.emptyBatch(spec.output(), context.allocator());
    }
    RecordBatch rows = part == Part.SOME ? null : wantedRows();
    probe.end();
    return rows;
  }

  /**
   * Sets the bits of rows whose keys the table has, unless a call that failed has inverted them.
   */
  private void flagRows() {
    if (!probe.isInverted()) {
      // SQL cannot tell whether a null key is among the build side's keys
      boolean doNullsMatch = spec.kind() == JoinKind.NULL_AWARE_ANTI && !isBuildEmpty;
      kernel.flag(probe.groups(), probe.rowCount(), doNullsMatch, probe.bits());
    }
  }

  /** Returns the output of a join that yields probe rows, whose bits are known; null for none. */
  private RecordBatch wantedRows() {
    if (spec.kind().yieldsRowsWithoutPair()) {
      probe.invert(kernel);
    }
    return spec.kind() == JoinKind.EXISTENCE ? output.ofBits(probe) : selectedRows();
  }

  /**
   * Marks build rows, which are yielded after the last probe batch; returns a batch without rows
   * while pairs are still to be examined, else null.
   */
  private RecordBatch nextMarks() {
    if (filter == null) {
      marks.markGroups(probe, kernel);
    } else if (probe.nextPair() < probe.pairCount()) {
      int examined = probe.nextCount(batchPairs);
      try (Pairs pairs = pairs(examined)) {
        marks.mark(pairs, kernel);
      }
      probe.advance(examined);
      if (probe.nextPair() < probe.pairCount()) {
        return NullColumns.emptyBatch(spec.output(), context.allocator());
      }
    }
    probe.end();
    return null;
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

  /**
   * Says that there are no more batches. The last driver may have build rows to yield. A call that
   * was refused memory may be repeated.
   */
  void finish() {
    if (marks != null && !areMarksOver) {
      matched = marks.end();
      areMarksOver = true;
    }
    if (matched != null) {
      marked = new MarkedRows(spec, matched, table, batchPairs, context);
    }
  }

  /**
   * Returns the next marked or unmarked build rows of the output, owned by the caller; null at the
   * end. Batches may have no rows.
   */
  RecordBatch nextMarked() {
    return marked == null ? null : checked(marked.next(output));
  }

  /** Returns whether {@link #nextMarked} has no more rows. */
  boolean isMarkedOver() {
    return marked == null || marked.isOver();
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(probe);
    probe = null;
    closer.close(marked);
    closer.close(marks);
    closer.close(filter);
    closer.close(gather);
    closer.close(selection);
    closer.close(kernel);
    closer.close(lookup);
    closer.close(keys);
    closer.rethrow();
  }
}
