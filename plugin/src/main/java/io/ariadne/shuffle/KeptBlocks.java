package io.ariadne.shuffle;

import io.ariadne.bridge.UndeclaredExceptions;
import io.ariadne.bridge.shuffle.BlockInput;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.catalog.MapOutputReader;
import io.ariadne.shuffle.catalog.MapOutputs;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.FetchFailedException;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.ShuffleBlockId;
import org.apache.spark.util.TaskCompletionListener;

/**
 * The blocks of a reduce task that its own process keeps. Used by the task's thread; keeps one map
 * output at a time, and none after the task.
 */
final class KeptBlocks implements Iterator<BlockInput> {
  /**
   * What one map task has for one partition.
   *
   * @param location this process
   * @param id names shuffle, attempt and partition
   * @param mapIndex the map task's number in its stage
   */
  record Place(BlockManagerId location, BlockId id, int mapIndex) {}

  private final MapOutputs outputs = ProcessRuntime.get().mapOutputs();
  private final Iterator<Place> places;
  private final TaskContext context;
  private final ShuffleReadMetricsReporter metrics;
  private final BlockInput block;

  /** What is being read, or null; and whether it stands at a block that was not given out. */
  private MapOutputReader reader;

  private boolean isWaiting;
  private int shuffleId;
  private long mapId;
  private boolean isAtEnd;

  KeptBlocks(List<Place> places, TaskContext context, ShuffleReadMetricsReporter metrics) {
    this.places = places.iterator();
    this.context = context;
    this.metrics = metrics;
    this.block = new BlockInput((length, allocator) -> take(allocator));
    context.addTaskCompletionListener((TaskCompletionListener) ended -> closeReader());
  }

  @Override
  public boolean hasNext() {
    while (!isWaiting && !isAtEnd) {
      isWaiting = reader != null && reader.next();
      if (!isWaiting) {
        closeReader();
        openNext();
      }
    }
    return isWaiting;
  }

  @Override
  public BlockInput next() {
    if (!hasNext()) {
      throw new NoSuchElementException("all kept blocks were read");
    }
    isWaiting = false;
    block.begin(reader.lengthInBytes(), mapId);
    metrics.incRecordsRead(1);
    return block;
  }

  /** Bytes that are damaged are of no use to anybody: Spark has them made again. */
  private MemoryBuffer take(BufferAllocator allocator) {
    try {
      return reader.take(allocator);
    } catch (EngineException e) {
      if (e.code() == ErrorCode.CORRUPT_DATA) {
        outputs.forget(shuffleId, mapId);
      }
      throw e;
    }
  }

  private void openNext() {
    context.killTaskIfInterrupted();
    if (!places.hasNext()) {
      isAtEnd = true;
      context.taskMetrics().mergeShuffleReadMetrics();
      return;
    }
    Place place = places.next();
    ShuffleBlockId id = (ShuffleBlockId) place.id();
    shuffleId = id.shuffleId();
    mapId = id.mapId();
    reader = outputs.open(id.shuffleId(), mapId, id.reduceId(), id.reduceId() + 1);
    if (reader == null) {
      throw UndeclaredExceptions.raise(gone(place, id));
    }
    metrics.incLocalBlocksFetched(1);
    metrics.incLocalBytesRead(reader.totalBytes());
  }

  private static FetchFailedException gone(Place place, ShuffleBlockId id) {
    return new FetchFailedException(
        place.location(),
        id.shuffleId(),
        id.mapId(),
        place.mapIndex(),
        id.reduceId(),
        id.name() + " is not kept here any more",
        null);
  }

  private void closeReader() {
    if (reader != null) {
      reader.close();
      reader = null;
    }
  }
}
