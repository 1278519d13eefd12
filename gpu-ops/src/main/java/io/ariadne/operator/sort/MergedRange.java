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
 * Merges the rows of all runs in one range of the keys, in rounds. A round looks some rows ahead in
 * each run. The smallest of the last keys seen bounds the rows that can be yielded now; those rows,
 * which are in order within each run, are concatenated and sorted.
 */
final class MergedRange implements Split {
  /** The fewest rows of each run that make a round worthwhile; a round may be larger for that. */
  private static final int LEAST_STEP = 8;

  private static final int MOST_ROUNDS_AT_ONCE = 4;

  private final SortSpec spec;
  private final OperatorContext context;
  private final SortedRuns runs;
  private final int split;
  private final int roundRows;
  private List<SortedRunCursor> cursors;
  private BatchSort sort;

  /** Creates the split; it holds no memory yet. */
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

  /** Returns true: a round that was refused memory has taken no rows. */
  @Override
  public boolean mayRepeat() {
    return true;
  }

  /**
   * Returns the rows of the next round. When this throws, no rows are taken.
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
    try {
      return switch (live.size()) {
        case 0 -> List.of();
        case 1 -> List.of(copy(live.get(0), Math.min(roundRows, batchRows)));
        default -> sort.sort(nextPieces(live), Integer.MAX_VALUE, batchRows);
      };
    } catch (RuntimeException | Error e) {
      live.forEach(SortedRunCursor::rewind);
      throw e;
    }
  }

  private void open() {
    sort = runs.newSort();
    cursors = new ArrayList<>();
    for (int r = 0; r < runs.runCount(); r++) {
      cursors.add(new SortedRunCursor(spec, context, runs, r, split));
    }
  }

  /** Yields the rest of one run's batch when no other run has rows left. */
  private RecordBatch copy(SortedRunCursor cursor, int mostRows) {
    int count = Math.min(mostRows, cursor.rowsLeft());
    Piece piece = cursor.take(count);
    return new RowRange(piece.first(), count).copyOf(piece.batch(), context.allocator(), 0);
  }

  /** Returns the rows of all runs up to the key that bounds the round. */
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
   * Returns how many rows of each run a round reads; at least a minimum, though the round then
   * grows.
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

  /** Returns about the bytes of its rows: neighbouring splits share open batches. */
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
