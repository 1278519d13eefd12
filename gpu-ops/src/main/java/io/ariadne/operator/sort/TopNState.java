package io.ariadne.operator.sort;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.column.GatherKernel;
import io.ariadne.kernel.column.RowGather;
import io.ariadne.kernel.sort.KeyBound;
import io.ariadne.kernel.sort.SortKey;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkState;
import java.util.ArrayList;
import java.util.List;

/**
 * The first rows of an order among those taken in. Once there are as many as wanted, rows whose
 * first key is behind that of the last of them are dropped unseen; others wait until there are
 * enough for a sort.
 */
final class TopNState implements SinkState {
  /** Rows that wait before they are sorted, unless more are wanted. */
  static final int PATIENCE = 1 << 15;

  /** Batches that wait at most, as each may hold a dictionary or heaps of many rows. */
  private static final int MAX_BATCHES = 64;

  private final SortSpec spec;
  private final int limit;
  private final int patience;
  private final OperatorContext context;
  private final List<RecordBatch> kept = new ArrayList<>();
  private BatchSort sort;
  private GatherKernel gather;
  private KeyBound bound;
  private long keptRows;

  TopNState(SortSpec spec, int limit, int patience, OperatorContext context) {
    this.spec = spec;
    this.limit = limit;
    this.patience = patience;
    this.context = context;
    try {
      this.sort = new BatchSort(spec, context);
      this.gather = new GatherKernel(context.backend().host(), context.allocator());
      this.bound = new KeyBound(context.backend(), context.kernelAllocator(), context.allocator());
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
    RecordBatch input = context.transfer().toHost(batch);
    RecordBatch selected = bound.isSet() ? select(input) : input;
    if (selected != null) {
      kept.add(selected);
      keptRows += selected.rowCount();
    }
    if (keptRows >= (long) limit + Math.max(limit, patience) || kept.size() > MAX_BATCHES) {
      shrink();
    }
  }

  /** Takes in the rows of another state, which has none then. */
  void merge(TopNState other) {
    List<RecordBatch> added = new ArrayList<>(other.kept);
    other.kept.clear();
    kept.addAll(added);
    keptRows += other.keptRows;
    other.keptRows = 0;
    if (keptRows > 0) {
      shrink();
    }
  }

  /** Returns the rows within the bound, null for none; closes the batch. */
  private RecordBatch select(RecordBatch batch) {
    try (batch;
        MemoryBuffer numbers =
            context.allocator().allocate((long) batch.rowCount() * Integer.BYTES)) {
      int count = withKey(batch, key -> bound.select(key, numbers));
      return count == 0 ? null : gather(batch, numbers, count);
    }
  }

  private RecordBatch gather(RecordBatch batch, MemoryBuffer numbers, int count) {
    RowGather rows = new RowGather(gather, context.allocator());
    List<ColumnVector> columns = new ArrayList<>();
    try {
      for (int c = 0; c < batch.columnCount(); c++) {
        columns.add(rows.gather(batch.column(c), numbers, count));
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      columns.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
    return new HeapCompaction(context.allocator())
        .compact(new RecordBatch(batch.schema(), count, columns, 0));
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
        ColumnConcatenation.Slice all = new ColumnConcatenation.Slice(column, 0, batch.rowCount());
        plain =
            new ColumnConcatenation(context.allocator(), gather)
                .concat(column.type(), List.of(all), batch.rowCount());
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

  /** Keeps what is wanted of the rows there are, in order, as one batch. */
  private void shrink() {
    List<Piece> pieces = kept.stream().map(Piece::of).toList();
    List<RecordBatch> sorted = sort.sort(pieces, limit, Integer.MAX_VALUE);
    Closer closer = new Closer();
    kept.forEach(closer::close);
    kept.clear();
    kept.addAll(sorted);
    closer.rethrow();
    RecordBatch best = new HeapCompaction(context.allocator()).compact(kept.remove(0));
    kept.add(best);
    keptRows = best.rowCount();
    if (keptRows == limit) {
      withKey(
          best,
          key -> {
            bound.set(key, limit - 1);
            return 0;
          });
    }
  }

  /** Returns the wanted rows in order, owned by the caller, or null when there are none. */
  RecordBatch take() {
    if (keptRows == 0) {
      return null;
    }
    shrink();
    keptRows = 0;
    return kept.remove(0);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    kept.forEach(closer::close);
    kept.clear();
    closer.close(sort);
    closer.close(gather);
    closer.close(bound);
    closer.rethrow();
  }
}
