package io.ariadne.operator.sort;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.operator.OperatorContext;
import io.ariadne.spill.SpillableBatch;

/** A position in one run's rows of one split; keeps the current batch open. */
final class SortedRunCursor implements AutoCloseable {
  private final SortSpec spec;
  private final OperatorContext context;
  private final SortedRuns runs;
  private final int run;
  private final int split;
  private final int endBatch;
  private int batch;
  private SpillableBatch opened;
  private RecordBatch rows;
  private RowKeys keys;
  private int next;
  private int end;

  /** The first row of the current round. */
  private int roundStart;

  /** Creates a cursor; it holds no memory before {@link #advance}. */
  SortedRunCursor(SortSpec spec, OperatorContext context, SortedRuns runs, int run, int split) {
    this.spec = spec;
    this.context = context;
    this.runs = runs;
    this.run = run;
    this.split = split;
    this.batch = runs.firstBatch(run, split);
    this.endBatch = runs.endBatch(run, split);
  }

  /** Opens the next batch when the current one is used up; returns whether there are rows. */
  boolean advance() {
    while (true) {
      if (opened != null && next < end) {
        roundStart = next;
        return true;
      }
      if (opened != null) {
        closeBatch();
      }
      if (batch >= endBatch) {
        return false;
      }
      open();
    }
  }

  private void open() {
    SpillableBatch source = runs.run(run).open(batch);
    rows = source.read(context.allocator());
    opened = source;
    keys = new RowKeys(rows, spec);
    Object[] low = runs.lowKey(split);
    Object[] high = runs.highKey(split);
    int rowCount = rows.rowCount();
    boolean mayBeBefore =
        low != null && RowKeys.compare(spec.columns(), runs.run(run).firstKey(batch), low) < 0;
    next = mayBeBefore ? keys.lowerBound(0, rowCount, low) : 0;
    boolean mayBeBehind = high != null && batch == endBatch - 1;
    end = mayBeBehind ? keys.lowerBound(next, rowCount, high) : rowCount;
  }

  private void closeBatch() {
    SpillableBatch source = opened;
    opened = null;
    rows = null;
    keys = null;
    source.unread();
    runs.release(run, batch++);
  }

  /** Returns how many rows of the open batch are left. */
  int rowsLeft() {
    return end - next;
  }

  /** Returns whether no batch follows. */
  boolean isInLastBatch() {
    return batch == endBatch - 1;
  }

  /**
   * Returns the smaller of another key and the key of the {@code step}-th row from here, or of the
   * batch's last row.
   *
   * @param other a key, or null for none
   */
  Object[] leastAhead(int step, Object[] other) {
    int row = Math.min(next + step, end) - 1;
    return other == null || keys.isBefore(row, other) ? keys.at(row) : other;
  }

  /** Returns how many of the next {@code most} rows of the open batch are not behind a key. */
  int rowsUpTo(Object[] key, int most) {
    return keys.upperBound(next, Math.min(next + most, end), key) - next;
  }

  /** Returns to the rows that were taken since the last {@link #advance}. */
  void rewind() {
    next = roundStart;
  }

  /** Takes the next rows, valid until the next {@link #advance}. */
  Piece take(int count) {
    Piece piece = new Piece(rows, next, count);
    next += count;
    return piece;
  }

  /** Closes the batches that were not used up. */
  @Override
  public void close() {
    if (opened != null) {
      closeBatch();
    }
    while (batch < endBatch) {
      runs.release(run, batch++);
    }
  }
}
