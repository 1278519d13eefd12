package io.ariadne.shuffle.spark;

import io.ariadne.bridge.UndeclaredExceptions;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.catalog.MapOutputReader;
import io.ariadne.shuffle.catalog.MapOutputs;
import io.ariadne.shuffle.catalog.MergedReader;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.FetchFailedException;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.util.TaskCompletionListener;

/**
 * Iterates over the rows of a reduce task that its own process has: rows of map outputs, then
 * merged blocks. Opens one map output at a time, and closes it at the latest when the task ends.
 * Used by the task thread.
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
    /** Returns the rows of some of the partitions; shares of blocks and bytes are estimates. */
    Place part(int first, int end) {
      int all = range.endPartition() - range.firstPartition();
      int some = end - first;
      return some == all
          ? this
          : new Place(
              location,
              new MapOutputRange(range.shuffleId(), range.mapId(), first, end),
              Math.max(1, blocks * some / all),
              mapIndex,
              bytes * some / all);
    }

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
  private final TransferReporter transfers;

  /** Reads the current map output; null when none is open. */
  private MapOutputReader reader;

  /** Reads merged blocks; null when these are not open. */
  private MergedBlocks blocks;

  private final BlockInput rows = BlockInput.ofRows(() -> reader.take());

  private final Iterator<Merged> merged;

  /** The map outputs of the current blocks, by attempt. */
  private final Map<Long, Place> mergedPlaces = new HashMap<>();

  /** Whether other executors have the merged rows, too. */
  private final boolean areCopies;

  /** Whether a reader is at rows that {@link #next} has not returned. */
  private boolean hasRows;

  private MapOutputRange range;
  private boolean isAtEnd;

  /**
   * Rows that are merged here.
   *
   * @param firstPartition the first partition that is read
   * @param endPartition behind the last one
   * @param places map outputs of any process
   */
  record Merged(int firstPartition, int endPartition, List<Place> places) {}

  /**
   * Begins to iterate.
   *
   * @param places map outputs of this process
   * @param merged rows that are merged here
   * @param areCopies whether other executors have the merged rows, too: losing a copy must not cost
   *     them their map outputs
   */
  LocalMapOutputs(
      List<Place> places,
      List<Merged> merged,
      boolean areCopies,
      TaskContext context,
      ShuffleReadMetricsReporter metrics) {
    this.places = places.iterator();
    this.merged = merged.iterator();
    this.areCopies = areCopies;
    this.context = context;
    this.metrics = metrics;
    this.transfers = TransferReporter.of(metrics);
    context.addTaskCompletionListener((TaskCompletionListener) ended -> closeReaders());
  }

  @Override
  public boolean hasNext() {
    while (!hasRows && !isAtEnd) {
      hasRows = (reader != null && reader.next()) || (blocks != null && blocks.next());
      if (!hasRows) {
        closeReaders();
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
    metrics.incRecordsRead(1);
    if (blocks != null) {
      metrics.incLocalBytesRead(blocks.lengthInBytes());
      transfers.merged(blocks.lengthInBytes());
      return takeBlock();
    }
    rows.begin(0, range.mapId());
    return rows;
  }

  private BlockInput takeBlock() {
    try {
      return blocks.take();
    } catch (EngineException e) {
      if (e.code() != ErrorCode.CORRUPT_DATA || areCopies) {
        throw e; // the batch is forgotten: the next attempt of the task reads the map outputs
      }
      Place damaged = mergedPlaces.get(blocks.mapId());
      throw UndeclaredExceptions.raise(damaged.failure(e.getMessage(), e));
    }
  }

  private void openNext() {
    context.killTaskIfInterrupted();
    if (places.hasNext()) {
      open(places.next());
    } else if (merged.hasNext()) {
      open(merged.next());
    } else {
      isAtEnd = true;
      context.taskMetrics().mergeShuffleReadMetrics();
    }
  }

  private void open(Place place) {
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

  private void open(Merged next) {
    mergedPlaces.clear();
    for (Place place : next.places()) {
      mergedPlaces.put(place.range().mapId(), place);
      metrics.incLocalBlocksFetched(place.blocks());
    }
    int shuffleId = next.places().get(0).range().shuffleId();
    MergedReader opened =
        outputs.openMerged(
            shuffleId, mergedPlaces.keySet(), next.firstPartition(), next.endPartition());
    if (opened == null && areCopies) {
      throw new EngineException(
          ErrorCode.TRANSPORT,
          "merged rows of shuffle "
              + shuffleId
              + " are no longer kept: the next attempt of the task reads the map outputs");
    }
    if (opened == null) {
      throw UndeclaredExceptions.raise(gone(firstGone(next)));
    }
    blocks = new MergedBlocks(opened);
  }

  private Place firstGone(Merged next) {
    List<Place> places = next.places();
    return places.stream()
        .filter(place -> !isMerged(place, next))
        .findFirst()
        .orElse(places.get(0));
  }

  private boolean isMerged(Place place, Merged next) {
    MapOutputRange rows = place.range();
    return outputs.isMerged(
        rows.shuffleId(), rows.mapId(), next.firstPartition(), next.endPartition());
  }

  private static FetchFailedException gone(Place place) {
    MapOutputRange range = place.range();
    return place.failure(
        range.id(range.firstPartition()).name() + " is no longer kept by this process", null);
  }

  private void closeReaders() {
    Closer closer = new Closer();
    if (reader != null) {
      transfers.readBack(reader.readBackBytes());
      closer.close(reader);
      reader = null;
    }
    if (blocks != null) {
      transfers.readBack(blocks.readBackBytes());
      closer.close(blocks);
      blocks = null;
    }
    closer.rethrow();
  }
}
