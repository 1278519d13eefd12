package io.ariadne.operator.sort;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import java.util.List;
import java.util.function.BiConsumer;

/** Merges several runs into one, batch by batch. Used by one thread at a time. */
final class RunMerge implements AutoCloseable {
  private final SortedRuns inputs;
  private final MergedRange range;
  private final SortedRun output;
  private final int batchRows;
  private final long limit;

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
   * @param append adds batches, which it takes, to the output
   * @return whether there were wanted rows
   */
  boolean step(BiConsumer<List<RecordBatch>, SortedRun> append) {
    List<RecordBatch> rows = output.rowCount() < limit ? range.nextRound(batchRows) : List.of();
    append.accept(rows, output);
    return !rows.isEmpty();
  }

  /** Frees the rest of the inputs. */
  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(range);
    closer.close(inputs);
    closer.rethrow();
  }
}
