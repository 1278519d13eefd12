package io.ariadne.shuffle.spark;

import io.ariadne.bridge.task.MapStatusLine;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.catalog.MapAttempt;
import io.ariadne.shuffle.catalog.MapOutputWriter;
import io.ariadne.shuffle.catalog.MapOutputs;
import io.ariadne.shuffle.format.GatherTarget;
import java.util.Arrays;
import org.apache.spark.SparkEnv;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;
import scala.Option;
import scala.Product2;
import scala.collection.Iterator;

/**
 * Writes the output of a map task to the map outputs that this process keeps. Used by the task
 * thread.
 */
final class InMemoryShuffleWriter<K, V> extends ShuffleWriter<K, V> {
  private final InMemoryShuffleHandle<?, ?, ?> handle;
  private final int partitions;
  private final long mapId;
  private final ShuffleWriteMetricsReporter metrics;

  /** Begins with the task, so that it notices when its shuffle is dropped while the task runs. */
  private final MapAttempt attempt;

  /** Null before the first batch; a task without rows creates it when it stops. */
  private MapOutputWriter output;

  private long[] lengths;
  private boolean stopped;

  /**
   * Creates a writer.
   *
   * @param handle the shuffle
   * @param mapId attempt number of the map task
   * @param metrics counts bytes and time
   */
  InMemoryShuffleWriter(
      InMemoryShuffleHandle<?, ?, ?> handle, long mapId, ShuffleWriteMetricsReporter metrics) {
    this.handle = handle;
    this.partitions = handle.dependency().partitioner().numPartitions();
    this.mapId = mapId;
    this.metrics = metrics;
    this.attempt = MapOutputs.of(ProcessRuntime.get()).begin(handle.shuffleId(), mapId);
  }

  @Override
  public void write(Iterator<Product2<K, V>> records) {
    while (records.hasNext()) {
      PartitionedBatch next = ((MapRows) records.next()._2()).takeBatch();
      long start = System.nanoTime();
      begin(next.firstPartition());
      output.add(next.batch(), next.firstRows());
      metrics.incWriteTime(System.nanoTime() - start);
      metrics.incRecordsWritten(1);
    }
  }

  private void begin(int firstPartition) {
    if (output == null) {
      ExecutorRuntime runtime = ProcessRuntime.get();
      MapOutputs.Places places = new MapOutputs.Places(partitions, firstPartition);
      long target =
          GatherTarget.bytes(partitions, runtime.pool().limitInBytes(), runtime.computeThreads());
      output = attempt.write(places, target);
    }
  }

  /** Commits the output, or frees it. Spark calls this a second time after a failure. */
  @Override
  public Option<MapStatus> stop(boolean success) {
    if (stopped) {
      return Option.empty();
    }
    stopped = true;
    try {
      if (!success) {
        return Option.empty();
      }
      begin(0);
      long start = System.nanoTime();
      lengths = output.commit();
      metrics.incWriteTime(System.nanoTime() - start);
    } finally {
      if (output != null) {
        output.close();
      }
      attempt.close();
    }
    metrics.incBytesWritten(Arrays.stream(lengths).sum());
    if (handle.plan().copies()) {
      OutputMerging.of(ProcessRuntime.get())
          .committed(handle.plan(), handle.shuffleId(), mapId, lengths);
    }
    return Option.apply(
        MapStatusLine.of(SparkEnv.get().blockManager().shuffleServerId(), lengths, mapId));
  }

  @Override
  public long[] getPartitionLengths() {
    return Arrays.copyOf(lengths, lengths.length);
  }
}
