package io.ariadne.shuffle;

import io.ariadne.bridge.shuffle.BlockBytes;
import io.ariadne.bridge.shuffle.MapStatusLine;
import io.ariadne.shuffle.catalog.MapOutputWriter;
import java.util.Arrays;
import org.apache.spark.SparkEnv;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;
import scala.Option;
import scala.Product2;
import scala.collection.Iterator;

/** Keeps what a map task puts out. Used by the task's thread. */
final class KeptOutputWriter<K, V> extends ShuffleWriter<K, V> {
  private final MapOutputWriter output;
  private final long mapId;
  private final ShuffleWriteMetricsReporter metrics;
  private long[] lengths;
  private boolean stopped;

  /**
   * Creates a writer.
   *
   * @param output owned by this from now on
   * @param mapId the attempt's number
   * @param metrics told of bytes and time
   */
  KeptOutputWriter(MapOutputWriter output, long mapId, ShuffleWriteMetricsReporter metrics) {
    this.output = output;
    this.mapId = mapId;
    this.metrics = metrics;
  }

  @Override
  public void write(Iterator<Product2<K, V>> records) {
    while (records.hasNext()) {
      Product2<K, V> block = records.next();
      BlockBytes bytes = (BlockBytes) block._2();
      long start = System.nanoTime();
      output.add((Integer) block._1(), bytes.address(), bytes.lengthInBytes());
      metrics.incWriteTime(System.nanoTime() - start);
      metrics.incBytesWritten(bytes.lengthInBytes());
      metrics.incRecordsWritten(1);
    }
  }

  /** Makes the output known, or frees it; Spark calls this once more after a failure. */
  @Override
  public Option<MapStatus> stop(boolean success) {
    if (stopped) {
      return Option.empty();
    }
    stopped = true;
    try (output) {
      if (!success) {
        return Option.empty();
      }
      lengths = output.commit();
      return Option.apply(
          MapStatusLine.of(SparkEnv.get().blockManager().shuffleServerId(), lengths, mapId));
    }
  }

  @Override
  public long[] getPartitionLengths() {
    return Arrays.copyOf(lengths, lengths.length);
  }
}
