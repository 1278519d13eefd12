package io.ariadne.shuffle.spark;

import io.ariadne.bridge.UndeclaredExceptions;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.catalog.MapOutputReader;
import io.ariadne.shuffle.catalog.MapOutputs;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.FetchFailedException;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.util.TaskCompletionListener;

/**
 * Iterates over the rows of a reduce task that are in map outputs of its own process. Opens one map
 * output at a time, and closes it at the latest when the task ends. Used by the task thread.
 */
final class LocalMapOutputs implements Iterator<BlockInput> {
  /**
   * The rows of one map task for neighbouring partitions.
   *
   * @param location the process that has them
   * @param range the shuffle, the attempt and the partitions
   * @param blocks number of the partitions that have rows
   * @param mapIndex number of the map task in its stage
   * @param bytes about how many bytes the partitions have, as Spark's tracker of map outputs says
   */
  record Place(
      BlockManagerId location, MapOutputRange range, int blocks, int mapIndex, long bytes) {
    /**
     * Returns the failure that makes Spark run the map task again.
     *
     * @param cause may be null
     */
    FetchFailedException failure(String message, Throwable cause) {
      return new FetchFailedException(
          location,
          range.shuffleId(),
          range.mapId(),
          mapIndex,
          range.firstPartition(),
          message,
          cause);
    }
  }

  private final MapOutputs outputs = MapOutputs.of(ProcessRuntime.get());
  private final Iterator<Place> places;
  private final TaskContext context;
  private final ShuffleReadMetricsReporter metrics;

  /** Reads the current map output; null when none is open. */
  private MapOutputReader reader;

  private final BlockInput rows = BlockInput.ofRows(() -> reader.take());

  /** Whether the reader is at rows that {@link #next} has not returned. */
  private boolean hasRows;

  private MapOutputRange range;
  private boolean isAtEnd;

  LocalMapOutputs(List<Place> places, TaskContext context, ShuffleReadMetricsReporter metrics) {
    this.places = places.iterator();
    this.context = context;
    this.metrics = metrics;
    context.addTaskCompletionListener((TaskCompletionListener) ended -> closeReader());
  }

  @Override
  public boolean hasNext() {
    while (!hasRows && !isAtEnd) {
      hasRows = reader != null && reader.next();
      if (!hasRows) {
        closeReader();
        openNext();
      }
    }
    return hasRows;
  }

  @Override
  public BlockInput next() {
    if (!hasNext()) {
      throw new NoSuchElementException("all kept rows are read");
    }
    hasRows = false;
    rows.begin(0, range.mapId());
    metrics.incRecordsRead(1);
    return rows;
  }

  private void openNext() {
    context.killTaskIfInterrupted();
    if (!places.hasNext()) {
      isAtEnd = true;
      context.taskMetrics().mergeShuffleReadMetrics();
      return;
    }
    Place place = places.next();
    range = place.range();
    reader =
        outputs.open(
            range.shuffleId(), range.mapId(), range.firstPartition(), range.endPartition());
    if (reader == null) {
      throw UndeclaredExceptions.raise(gone(place));
    }
    metrics.incLocalBlocksFetched(place.blocks());
    metrics.incLocalBytesRead(reader.totalBytes());
  }

  private static FetchFailedException gone(Place place) {
    MapOutputRange range = place.range();
    return place.failure(
        range.id(range.firstPartition()).name() + " is no longer kept by this process", null);
  }

  private void closeReader() {
    if (reader != null) {
      reader.close();
      reader = null;
    }
  }
}
