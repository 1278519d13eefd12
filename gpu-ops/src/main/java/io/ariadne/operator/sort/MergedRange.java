package io.ariadne.operator.sort;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * The rows of all runs in one range of the keys, merged in rounds. A round looks some rows ahead in
 * each run; the smallest of the last keys seen bounds what can be put out now, and those rows,
 * which lie in order run by run, are sorted together.
 */
final class MergedRange implements Split {
  /** Rows of each run for which a round is worth while, though it be so much larger. */
  private static final int LEAST_STEP = 8;

  private static final int MOST_ROUNDS_AT_ONCE = 4;

  private final SortSpec spec;
  private final OperatorContext context;
  private final SortedRuns runs;
  private final int split;
  private final int roundRows;
  private List<SortedRunCursor> cursors;
  private BatchSort sort;

  /** Creates the split, which holds nothing yet. */
  MergedRange(SortSpec spec, OperatorContext context, SortedRuns runs, int split) {
    this.spec = spec;
    this.context = context;
    this.runs = runs;
    this.split = split;
    this.roundRows = runs.roundRows();
  }

  @Override
  public RecordBatch next() {
    List<RecordBatch> round = nextRound(Integer.MAX_VALUE);
    return round.isEmpty() ? null : round.get(0);
  }

  /**
   * Returns the rows of the next round.
   *
   * @param batchRows the most rows of a batch
   * @return batches owned by the caller, none at the end
   */
  List<RecordBatch> nextRound(int batchRows) {
    if (cursors == null) {
      open();
    }
    List<SortedRunCursor> live = new ArrayList<>();
    for (SortedRunCursor cursor : cursors) {
      if (context.cancelled().getAsBoolean()) {
        throw new CancellationException("the operator was cancelled");
      }
      if (cursor.advance()) {
        live.add(cursor);
      }
    }
    return switch (live.size()) {
      case 0 -> List.of();
      case 1 -> List.of(copy(live.get(0), Math.min(roundRows, batchRows)));
      default -> sort.sort(nextPieces(live), Integer.MAX_VALUE, batchRows);
    };
  }

  private void open() {
    cursors = new ArrayList<>();
    for (int r = 0; r < runs.runCount(); r++) {
      cursors.add(new SortedRunCursor(spec, context, runs, r, split));
    }
    sort = runs.newSort();
  }

  /** Puts out what is left of one run's batch: no other run has rows left. */
  private RecordBatch copy(SortedRunCursor cursor, int mostRows) {
    int count = Math.min(mostRows, cursor.rowsLeft());
    Piece piece = cursor.take(count);
    return new RowRange(piece.first(), count).copyOf(piece.batch(), context.allocator(), 0);
  }

  /** Returns what all runs have up to a key that bounds the round. */
  private List<Piece> nextPieces(List<SortedRunCursor> live) {
    int step = step(live.size());
    long left = 0;
    boolean isLast = true;
    for (SortedRunCursor cursor : live) {
      left += cursor.rowsLeft();
      isLast &= cursor.isInLastBatch();
    }
    List<Piece> pieces = new ArrayList<>();
    if (isLast && left <= roundRows) {
      live.forEach(cursor -> pieces.add(cursor.take(cursor.rowsLeft())));
    } else {
      Object[] bound = bound(live, step);
      for (SortedRunCursor cursor : live) {
        int count = cursor.rowsUpTo(bound, step);
        if (count > 0) {
          pieces.add(cursor.take(count));
        }
      }
    }
    return pieces;
  }

  /**
   * Returns how many rows of each run a round takes in; it may be larger so that these are some.
   */
  private int step(int runCount) {
    int enough = Math.min(LEAST_STEP, MOST_ROUNDS_AT_ONCE * roundRows / runCount);
    return Math.max(1, Math.max(enough, roundRows / runCount));
  }

  /** Returns the smallest of the keys that the runs have {@code step} rows further on. */
  private Object[] bound(List<SortedRunCursor> live, int step) {
    Object[] bound = null;
    for (SortedRunCursor cursor : live) {
      bound = cursor.leastAhead(step, bound);
    }
    return bound;
  }

  /** A split shares batches with those beside it: one more needs little more than its rows. */
  @Override
  public long memoryInBytes() {
    long open = 0;
    for (int r = 0; r < runs.runCount(); r++) {
      SortedRun run = runs.run(r);
      boolean hasRows = runs.firstBatch(r, split) < runs.endBatch(r, split);
      open += hasRows ? run.bytes() / run.batchCount() : 0;
    }
    return Math.min(open, runs.splitBytes());
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    if (cursors != null) {
      cursors.forEach(closer::close);
    }
    closer.close(sort);
    closer.rethrow();
  }
}
