package io.ariadne.shuffle;

import io.ariadne.executor.ProcessRuntime;
import org.apache.spark.SparkConf;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.ShuffleBlockBatchId;
import org.apache.spark.storage.ShuffleBlockId;
import scala.Option;

/**
 * Finds the bytes of blocks that others ask for: of map outputs that are kept, else in Spark's
 * files, which it serves, takes over and removes as Spark's own resolver. Thread-safe.
 */
final class KeptBlockResolver extends IndexShuffleBlockResolver {
  /**
   * Creates a resolver.
   *
   * @param conf the application's settings
   * @param files Spark's own, with which this shares what it knows of files
   */
  KeptBlockResolver(SparkConf conf, IndexShuffleBlockResolver files) {
    super(conf, null, files.taskIdMapsForShuffle());
  }

  @Override
  public ManagedBuffer getBlockData(BlockId id, Option<String[]> directories) {
    KeptRange range = rangeOf(id);
    return range != null && isKept(range)
        ? new KeptBlockBuffer(range)
        : super.getBlockData(id, directories);
  }

  private static KeptRange rangeOf(BlockId id) {
    if (id instanceof ShuffleBlockId one) {
      return new KeptRange(one.shuffleId(), one.mapId(), one.reduceId(), one.reduceId() + 1);
    }
    if (id instanceof ShuffleBlockBatchId some) {
      return new KeptRange(
          some.shuffleId(), some.mapId(), some.startReduceId(), some.endReduceId());
    }
    return null;
  }

  private static boolean isKept(KeptRange range) {
    return ProcessRuntime.isStarted()
        && ProcessRuntime.get().mapOutputs().has(range.shuffleId(), range.mapId());
  }
}
