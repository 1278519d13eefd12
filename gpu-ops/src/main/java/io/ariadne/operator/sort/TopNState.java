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
 * The first rows of an order among those taken in. Once there are as many as wanted, rows whose
 * first key is behind that of the last of them are dropped unseen; others wait until there are
 * enough for a sort. When the rows that are wanted are too many, or too large, to be sorted at once
 * again and again, a {@link SortState} takes them and those that follow within the bound, which it
 * moves whenever it has as many as are wanted in one run.
 */
final class TopNState implements SinkState {
  /** Rows that wait before they are sorted, unless more are wanted. */
  static final int PATIENCE = 1 << 15;

  /** Batches that wait at most, as each may hold a dictionary or heaps of many rows. */
  private static final int MAX_BATCHES = 64;

  private final SortSpec spec;
  private final int limit;
  private final int patience;
  private final SortLimits limits;
  private final OperatorContext context;
  private final WaitingBatches kept;
  private final UnprocessedBatch refused = new UnprocessedBatch();
  private BatchSort sort;
  private GatherKernel gather;
  private KeyBound bound;

  /** Takes the rows when they are too many or too large; null until then. */
  private SortState sorting;

  /**
   * Creates a state.
   *
   * @param spec what is sorted, and by what
   * @param limit how many rows are wanted
   * @param patience rows that wait before they are sorted, unless more are wanted
   * @param limits of a sort; what waits here has a run's bytes at most
   */
  TopNState(SortSpec spec, int limit, int patience, SortLimits limits, OperatorContext context) {
    this.spec = spec;
    this.limit = limit;
    this.patience = patience;
    this.limits = limits;
    this.context = context;
    this.kept = new WaitingBatches(context);
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

  /** Chooses among what waits when that is much; when it fails, all still waits. */
  private void makeRoom() {
    if (sorting != null) {
      handOver();
    } else if (kept.rowCount() >= (long) limit + Math.max(limit, patience)
        || kept.count() > MAX_BATCHES
        || kept.bytes() >= limits.runBytes()) {
      shrink();
    }
  }

  /** Keeps rows that may be wanted, in host memory. */
  private void keep(RecordBatch batch) {
    if (sorting != null) {
      sorting.addInput(batch);
    } else {
      kept.add(batch);
    }
  }

  /** Chooses among what waits, which is what combining would do for one state after the other. */
  @Override
  public boolean finish() {
    if (sorting != null) {
      handOver();
      return sorting.finish();
    }
    if (kept.count() > 1) {
      shrink();
    }
    return true;
  }

  /** Returns whether the rows are sorted: {@link #takeRuns} has them then. */
  boolean isSorting() {
    return sorting != null;
  }

  /** Has all rows sorted from now on, or goes on with that when it has failed. */
  void handOver() {
    if (sorting == null) {
      sorting = new SortState(spec, limits, context, RunCodes.none(spec), limit, this::setBound);
    }
    try {
      kept.drainTo(sorting::addInput);
    } finally {
      RecordBatch refusedOne = sorting.takeUnprocessed();
      if (refusedOne != null) {
        kept.add(refusedOne);
      }
    }
  }

  /** Hands over runs that have all wanted rows, after {@link #handOver}. */
  void takeRuns(List<SortedRun> target) {
    sorting.takeRuns(target);
  }

  /** Takes in the rows of another state, which has none then and is not {@link #isSorting()}. */
  void merge(TopNState other) {
    other.kept.drainTo(
        batch -> {
          try {
            makeRoom();
          } catch (RuntimeException | Error e) {
            refused.keepOrClose(batch, e);
            throw e;
          }
          keep(batch);
        });
  }

  /** Returns the rows within the bound, null for none; the batch stays the caller's. */
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

  /** Has something done with the first key, plain and where kernels see it. */
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

  /** Keeps what is wanted of the rows there are, in order, as one batch; or all if that fails. */
  private void shrink() {
    RecordBatch first = kept.sorted(sort, limit, Integer.MAX_VALUE).get(0);
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
    kept.close();
    kept.add(best);
    if (kept.bytes() > limits.runBytes() / 2) {
      handOver();
    }
  }

  /** Has rows behind a row left out from now on. */
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
    if (kept.count() == 0) {
      return null;
    }
    RecordBatch first = kept.sorted(sort, limit, Integer.MAX_VALUE).get(0);
    kept.close();
    return first;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(refused);
    closer.close(kept);
    closer.close(sorting);
    closer.close(sort);
    closer.close(gather);
    closer.close(bound);
    closer.rethrow();
  }
}
