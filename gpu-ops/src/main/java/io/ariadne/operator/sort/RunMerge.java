package io.ariadne.operator.sort;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Merges several runs into one, batch by batch. A step that was refused memory may be repeated.
 * Used by one thread at a time.
 */
final class RunMerge implements AutoCloseable {
  private final SortedRuns inputs;
  private final MergedRange range;
  private final SortedRun output;
  private final int batchRows;
  private final long limit;

  /** Merged rows that the output does not have yet. */
  private final Deque<RecordBatch> merged = new ArrayDeque<>();

  /** Appends a batch to a run. */
  interface Appender {
    /**
     * Appends.
     *
     * @param batch ownership passes to the run, unless this throws
     */
    void append(RecordBatch batch, SortedRun run);
  }

  /**
   * Prepares.
   *
   * @param inputs the runs, as one split; ownership passes to this object
   * @param output takes the rows; stays the caller's
   * @param batchRows the most rows of a batch of the output
   * @param limit how many rows are wanted
   */
  RunMerge(SortedRuns inputs, SortedRun output, int batchRows, long limit) {
    this.inputs = inputs;
    this.range = inputs.next();
    this.output = output;
    this.batchRows = batchRows;
    this.limit = limit;
  }

  /**
   * Merges the next rows.
   *
   * @param appender adds batches to the output
   * @return whether there were wanted rows
   */
  boolean step(Appender appender) {
    if (merged.isEmpty() && output.rowCount() < limit) {
      merged.addAll(range.nextRound(batchRows));
    }
    boolean hasRows = !merged.isEmpty();
    while (!merged.isEmpty()) {
      appender.append(merged.element(), output);
      merged.remove();
    }
    return hasRows;
  }

  /** Frees the rest of the inputs. */
  @Override
  public void close() {
    Closer closer = new Closer();
    merged.forEach(closer::close);
    closer.close(range);
    closer.close(inputs);
    closer.rethrow();
  }
}
