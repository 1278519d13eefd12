package io.ariadne.operator.sort;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.concat.ColumnConcatenator;
import io.ariadne.columnar.concat.ColumnSlice;
import io.ariadne.columnar.concat.ConcatenationPolicy;
import io.ariadne.kernel.column.GatherKernel;
import io.ariadne.kernel.column.RowGather;
import io.ariadne.kernel.sort.KeyBound;
import io.ariadne.kernel.sort.SortKey;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.UnprocessedBatch;
import java.util.List;

/**
 * Keeps the first rows of an order among its input. Once there are as many rows as wanted, rows
 * whose first key is behind that of the last kept row (the bound) are dropped. Other rows are
 * buffered until there are enough for a sort. When the wanted rows are too many or too large to be
 * sorted again and again, a {@link SortState} takes them and later rows within the bound, and
 * tightens the bound whenever one of its runs has as many rows as wanted.
 */
final class TopNState implements SinkState {
  /** Rows that are buffered before a sort, unless more are wanted. */
  static final int PATIENCE = 1 << 15;

  /** The most buffered batches; each may hold a dictionary or heaps of many rows. */
  private static final int MAX_BATCHES = 64;

  private final SortSpec spec;
  private final int limit;
  private final int patience;
  private final SortLimits limits;
  private final OperatorContext context;
  private final BufferedBatches buffered;
  private final UnprocessedBatch refused = new UnprocessedBatch();
  private BatchSort sort;
  private GatherKernel gather;
  private KeyBound bound;

  /** Sorts the rows once they are too many or too large; null before. */
  private SortState sorting;

  /**
   * Creates a state.
   *
   * @param spec schema and sort columns
   * @param limit how many rows are wanted
   * @param patience rows that are buffered before a sort, unless more are wanted
   * @param limits of a sort; buffered rows have at most a run's bytes
   */
  TopNState(SortSpec spec, int limit, int patience, SortLimits limits, OperatorContext context) {
    this.spec = spec;
    this.limit = limit;
    this.patience = patience;
    this.limits = limits;
    this.context = context;
    this.buffered = new BufferedBatches(context);
    try {
      this.sort = new BatchSort(spec, context, RunCodes.none(spec));
      this.gather = new GatherKernel(context.backend().host(), context.allocator());
      this.bound = new KeyBound(context.backend(), context.kernelAllocator(), context.allocator());
      if (limit > limits.runRows()) {
        handOver();
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  @Override
  public void addInput(RecordBatch batch) {
    if (batch.rowCount() == 0 || limit == 0) {
      batch.close();
      return;
    }
    RecordBatch host = batch;
    RecordBatch selected;
    try {
      makeRoom();
      host = context.transfer().moveToHost(batch);
      selected = bound.isSet() ? select(host) : host;
    } catch (RuntimeException | Error e) {
      refused.keepOrClose(host, e);
      throw e;
    }
    if (selected != host) {
      host.close();
    }
    if (selected != null) {
      keep(selected);
    }
  }

  @Override
  public RecordBatch takeUnprocessed() {
    RecordBatch behind = sorting == null ? null : sorting.takeUnprocessed();
    return behind == null ? refused.take() : behind;
  }

  /**
   * Selects the wanted rows when there are many buffered rows; when it fails, all rows stay
   * buffered.
   */
  private void makeRoom() {
    if (sorting != null) {
      handOver();
    } else if (buffered.rowCount() >= (long) limit + Math.max(limit, patience)
        || buffered.count() > MAX_BATCHES
        || buffered.bytes() >= limits.runBytes()) {
      shrink();
    }
  }

  /** Buffers rows that may be wanted, in host memory. */
  private void keep(RecordBatch batch) {
    if (sorting != null) {
      sorting.addInput(batch);
    } else {
      buffered.add(batch);
    }
  }

  /**
   * Selects the wanted rows of this state, so that combining need not do it for one state after the
   * other.
   */
  @Override
  public boolean finish() {
    if (sorting != null) {
      handOver();
      return sorting.finish();
    }
    if (buffered.count() > 1) {
      shrink();
    }
    return true;
  }

  /** Returns true: rows that {@link #finish} could not sort or merge are where they were. */
  @Override
  public boolean mayRepeat() {
    return true;
  }

  /** Returns whether the rows are in sorted runs, which {@link #takeRuns} returns. */
  boolean isSorting() {
    return sorting != null;
  }

  /** Starts to sort all rows, or continues after a failure. */
  private void handOver() {
    if (sorting == null) {
      sorting = new SortState(spec, limits, context, RunCodes.none(spec), limit, this::setBound);
    }
    try {
      buffered.drainTo(sorting::addInput);
    } finally {
      giveBackRefused(buffered);
    }
  }

  /** Buffers the batch for which the sort has found no memory, if there is one. */
  private void giveBackRefused(BufferedBatches target) {
    RecordBatch refusedOne = sorting == null ? null : sorting.takeUnprocessed();
    if (refusedOne != null) {
      target.add(refusedOne);
    }
  }

  /**
   * Sorts all rows and hands over the runs, which have all wanted rows. When this is refused
   * memory, it may be called again.
   */
  void takeRuns(List<SortedRun> target) {
    handOver();
    sorting.takeRuns(target);
  }

  /**
   * Moves the rows of another state, which is not {@link #isSorting()}, to this one. When this is
   * refused memory, the other state keeps the rest, and this may be called again.
   */
  void merge(TopNState other) {
    other.buffered.drainTo(
        batch -> {
          try {
            makeRoom();
          } catch (RuntimeException | Error e) {
            other.buffered.add(batch);
            throw e;
          }
          try {
            keep(batch);
          } finally {
            giveBackRefused(other.buffered);
          }
        });
  }

  /** Copies the rows within the bound; null for none. The batch stays the caller's. */
  private RecordBatch select(RecordBatch batch) {
    try (MemoryBuffer numbers =
        context.allocator().allocate((long) batch.rowCount() * Integer.BYTES)) {
      int count = withKey(batch, key -> bound.select(key, numbers));
      if (count == 0) {
        return null;
      }
      RowGather rows = new RowGather(gather, context.allocator());
      return new HeapCompaction(context.allocator()).compact(rows.gather(batch, numbers, count));
    }
  }

  private interface KeyUse {
    int apply(SortKey key);
  }

  /** Runs a function on the first key, decoded and in memory that kernels see. */
  private int withKey(RecordBatch batch, KeyUse use) {
    SortColumn first = spec.columns().get(0);
    ColumnVector column = batch.column(first.column());
    ColumnVector plain = null;
    ColumnVector copy = null;
    try {
      if (column.dictionary() != null) {
        ColumnSlice all = new ColumnSlice(column, 0, batch.rowCount());
        plain =
            new ColumnConcatenator(context.allocator(), ConcatenationPolicy.SHARE, gather)
                .concatDecoded(column.type(), List.of(all));
        column = plain;
      }
      if (!context.transfer().isForKernels(column)) {
        copy = context.transfer().copyToKernels(column);
        column = copy;
      }
      return use.apply(new SortKey(column, first.direction()));
    } finally {
      Closer closer = new Closer();
      closer.close(plain);
      closer.close(copy);
      closer.rethrow();
    }
  }

  /**
   * Replaces the buffered rows by the wanted ones, in order, as one batch; when that fails, all
   * stay buffered.
   */
  private void shrink() {
    RecordBatch first = buffered.sorted(sort, limit, Integer.MAX_VALUE).get(0);
    RecordBatch best = new HeapCompaction(context.allocator()).compact(first);
    if (best.rowCount() == limit) {
      try {
        setBound(best, limit - 1);
      } catch (RuntimeException | Error e) {
        Closer closer = new Closer();
        closer.close(best);
        closer.suppressIn(e);
        throw e;
      }
    }
    buffered.close();
    buffered.add(best);
    if (buffered.bytes() > limits.runBytes() / 2) {
      handOver();
    }
  }

  /** Sets the bound: the state drops further rows that sort after it. */
  private void setBound(RecordBatch batch, int row) {
    withKey(
        batch,
        key -> {
          bound.set(key, row);
          return 0;
        });
  }

  /** Returns the wanted rows in order, owned by the caller, or null when there are none. */
  RecordBatch take() {
    if (buffered.count() == 0) {
      return null;
    }
    RecordBatch first = buffered.sorted(sort, limit, Integer.MAX_VALUE).get(0);
    buffered.close();
    return first;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(refused);
    closer.close(buffered);
    closer.close(sorting);
    closer.close(sort);
    closer.close(gather);
    closer.close(bound);
    closer.rethrow();
  }
}
