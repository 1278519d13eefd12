package io.ariadne.shuffle.spark;

import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.catalog.MapOutputs;
import org.apache.spark.SparkConf;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.ShuffleBlockBatchId;
import org.apache.spark.storage.ShuffleBlockId;
import scala.Option;

/**
 * Finds the blocks that other executors fetch: in kept map outputs, else in Spark's files. Manages
 * those files as Spark's own resolver does. Thread-safe.
 */
final class InMemoryBlockResolver extends IndexShuffleBlockResolver {
  /**
   * Creates a resolver.
   *
   * @param conf the application's settings
   * @param files Spark's own resolver, whose registry of map tasks this shares
   */
  InMemoryBlockResolver(SparkConf conf, IndexShuffleBlockResolver files) {
    super(conf, null, files.taskIdMapsForShuffle());
  }

  @Override
  public ManagedBuffer getBlockData(BlockId id, Option<String[]> directories) {
    MapOutputRange range = rangeOf(id);
    return range != null && isKept(range)
        ? new InMemoryBlockBuffer(range)
        : super.getBlockData(id, directories);
  }

  private static MapOutputRange rangeOf(BlockId id) {
    if (id instanceof ShuffleBlockId one) {
      return new MapOutputRange(one.shuffleId(), one.mapId(), one.reduceId(), one.reduceId() + 1);
    }
    if (id instanceof ShuffleBlockBatchId some) {
      return new MapOutputRange(
          some.shuffleId(), some.mapId(), some.startReduceId(), some.endReduceId());
    }
    return null;
  }

  private static boolean isKept(MapOutputRange range) {
    return ProcessRuntime.find()
        .filter(runtime -> MapOutputs.of(runtime).has(range.shuffleId(), range.mapId()))
        .isPresent();
  }
}
