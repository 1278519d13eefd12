package io.ariadne.operator.sort;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SplitSource;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Merges sorted runs by ranges of the keys: each split has the rows of all runs from one key up to
 * the next. The bounds are first keys of batches, chosen so that each split has about {@link
 * SortLimits#splitRows(int)} rows. A batch is freed when the last split that reads it is closed.
 */
final class SortedRuns implements SplitSource {
  private final SortSpec spec;
  private final SortLimits limits;
  private final OperatorContext context;
  private final RunCodes codes;
  private final List<SortedRun> runs;
  private final List<Object[]> bounds;
  private final List<List<AtomicInteger>> uses = new ArrayList<>();
  private int nextSplit;

  /**
   * Divides runs into splits.
   *
   * @param spec schema and sort columns
   * @param limits sizes
   * @param context memory and back end
   * @param codes the common codes of the runs' string columns that are not keys; the caller keeps
   *     ownership
   * @param runs ownership passes to this object
   */
  SortedRuns(
      SortSpec spec,
      SortLimits limits,
      OperatorContext context,
      RunCodes codes,
      List<SortedRun> runs) {
    this.spec = spec;
    this.limits = limits;
    this.context = context;
    this.codes = codes;
    this.runs = List.copyOf(runs);
    this.bounds = bounds();
    for (SortedRun run : this.runs) {
      List<AtomicInteger> counts = new ArrayList<>();
      for (int i = 0; i < run.batchCount(); i++) {
        counts.add(new AtomicInteger());
      }
      uses.add(counts);
    }
    countUses();
  }

  private record FirstKey(Object[] key, SpillableBatch batch) {}

  /**
   * Returns the keys at which splits begin, except the first split. Asks for the batches to be read
   * back ahead of their use, in the order in which the splits reach them.
   */
  private List<Object[]> bounds() {
    List<FirstKey> keys = new ArrayList<>();
    for (SortedRun run : runs) {
      for (int b = 0; b < run.batchCount(); b++) {
        keys.add(new FirstKey(run.firstKey(b), run.batch(b)));
      }
    }
    keys.sort((a, b) -> RowKeys.compare(spec.columns(), a.key(), b.key()));
    long splitRows = limits.splitRows(runs.size());
    List<Object[]> chosen = new ArrayList<>();
    Object[] last = keys.isEmpty() ? null : keys.get(0).key();
    long rows = 0;
    for (FirstKey key : keys) {
      if (rows >= splitRows && RowKeys.compare(spec.columns(), last, key.key()) < 0) {
        last = key.key();
        chosen.add(last);
        rows = 0;
      }
      rows += key.batch().rowCount();
      key.batch().prefetch();
    }
    return chosen;
  }

  /** Returns the most rows of a merge round. */
  int roundRows() {
    return limits.roundRows(byteCount(), Math.max(1, rowCount()));
  }

  /** Returns the most rows of a batch of a merged run. */
  int mergedBatchRows() {
    return limits.batchRows(byteCount(), Math.max(1, rowCount()));
  }

  /** Estimates the bytes of a split's rows. */
  long splitBytes() {
    return limits.splitRows(runs.size()) * (byteCount() / Math.max(1, rowCount()));
  }

  private long byteCount() {
    return runs.stream().mapToLong(SortedRun::bytes).sum();
  }

  private long rowCount() {
    return runs.stream().mapToLong(SortedRun::rowCount).sum();
  }

  private void countUses() {
    for (int split = 0; split <= bounds.size(); split++) {
      for (int r = 0; r < runs.size(); r++) {
        for (int b = firstBatch(r, split); b < endBatch(r, split); b++) {
          uses.get(r).get(b).incrementAndGet();
        }
      }
    }
  }

  /** Returns the key at which a split begins, null for the first. */
  Object[] lowKey(int split) {
    return split == 0 ? null : bounds.get(split - 1);
  }

  /** Returns the key at which the next split begins, null for the last. */
  Object[] highKey(int split) {
    return split == bounds.size() ? null : bounds.get(split);
  }

  /** Returns the first batch of a run that may have rows of a split. */
  int firstBatch(int run, int split) {
    return split == 0 ? 0 : Math.max(0, batchesBefore(runs.get(run), lowKey(split)) - 1);
  }

  /** Returns the exclusive end of the batches of a run that may have rows of a split. */
  int endBatch(int run, int split) {
    SortedRun all = runs.get(run);
    return split == bounds.size() ? all.batchCount() : batchesBefore(all, highKey(split));
  }

  /** Returns how many batches begin before a key. */
  private int batchesBefore(SortedRun run, Object[] key) {
    int low = 0;
    int high = run.batchCount();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (RowKeys.compare(spec.columns(), run.firstKey(middle), key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Says that a split no longer needs a batch. */
  void release(int run, int batch) {
    if (uses.get(run).get(batch).decrementAndGet() == 0) {
      runs.get(run).batch(batch).close();
    }
  }

  /** Returns a run. */
  SortedRun run(int index) {
    return runs.get(index);
  }

  /** Creates a sort for rows of the runs. The caller owns the sort. */
  BatchSort newSort() {
    return new BatchSort(spec, context, codes);
  }

  /** Returns how many runs there are. */
  int runCount() {
    return runs.size();
  }

  @Override
  public Schema schema() {
    return spec.schema();
  }

  @Override
  public MergedRange next() {
    if (nextSplit > bounds.size() || runs.isEmpty()) {
      return null;
    }
    return new MergedRange(spec, context, this, nextSplit++);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    runs.forEach(closer::close);
    closer.rethrow();
  }
}
