package io.ariadne.shuffle;

import io.ariadne.bridge.shuffle.BlockShuffle;
import io.ariadne.bridge.shuffle.BlockShuffleManager;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.plugin.config.ShuffleMode;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.shuffle.ShuffleHandle;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;

/**
 * Spark's own shuffle manager for all shuffles but those of Ariadne's exchanges, whose map outputs
 * it keeps in the memory tiers of the process that made them: tasks of that process read them
 * there, others get bytes that are made when they ask, in the layout of Spark's files. Turned on by
 * {@code --conf spark.shuffle.manager=io.ariadne.shuffle.AriadneShuffleManager}.
 *
 * <p>Where somebody wants map outputs in files ({@link ShuffleMode}), all shuffles are Spark's. A
 * kept output lives as long as its process and until Spark unregisters the shuffle; one that is
 * gone is a fetch failure, and Spark runs the map task again.
 */
public final class AriadneShuffleManager extends SortShuffleManager implements BlockShuffleManager {
  private final ShuffleMode mode;
  private final InMemoryBlockResolver resolver;

  /**
   * Creates the manager; Spark calls this.
   *
   * @param conf the application's settings
   * @param isDriver whether this is the driver's process
   */
  public AriadneShuffleManager(SparkConf conf, boolean isDriver) {
    super(conf);
    if (isDriver) {
      ShuffleMode.prepare(conf);
    }
    this.mode = ShuffleMode.of(conf);
    this.resolver = new InMemoryBlockResolver(conf, super.shuffleBlockResolver());
  }

  @Override
  public <K, V, C> ShuffleHandle registerShuffle(
      int shuffleId, ShuffleDependency<K, V, C> dependency) {
    return mode.keepsOutputs() && BlockShuffle.isOfBlocks(dependency)
        ? new InMemoryShuffleHandle<>(shuffleId, dependency)
        : super.registerShuffle(shuffleId, dependency);
  }

  @Override
  public <K, V> ShuffleWriter<K, V> getWriter(
      ShuffleHandle handle, long mapId, TaskContext context, ShuffleWriteMetricsReporter metrics) {
    if (handle instanceof InMemoryShuffleHandle<?, ?, ?> kept) {
      return new InMemoryShuffleWriter<>(kept, mapId, metrics);
    }
    return super.getWriter(handle, mapId, context, metrics);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <K, C> ShuffleReader<K, C> getReader(
      ShuffleHandle handle,
      int startMapIndex,
      int endMapIndex,
      int startPartition,
      int endPartition,
      TaskContext context,
      ShuffleReadMetricsReporter metrics) {
    if (handle instanceof InMemoryShuffleHandle<?, ?, ?> kept) {
      return new InMemoryShuffleReader<>(
          (InMemoryShuffleHandle<K, ?, C>) kept,
          SparkEnv.get()
              .mapOutputTracker()
              .getMapSizesByExecutorId(
                  kept.shuffleId(), startMapIndex, endMapIndex, startPartition, endPartition),
          SortShuffleManager.canUseBatchFetch(startPartition, endPartition, context),
          context,
          metrics);
    }
    return super.getReader(
        handle, startMapIndex, endMapIndex, startPartition, endPartition, context, metrics);
  }

  @Override
  public boolean unregisterShuffle(int shuffleId) {
    if (ProcessRuntime.isStarted()) {
      ProcessRuntime.get().mapOutputs().drop(shuffleId);
    }
    return super.unregisterShuffle(shuffleId);
  }

  @Override
  public IndexShuffleBlockResolver shuffleBlockResolver() {
    return resolver;
  }
}
