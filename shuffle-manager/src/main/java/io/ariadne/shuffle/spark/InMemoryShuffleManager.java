package io.ariadne.shuffle.spark;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.catalog.MapOutputs;
import io.ariadne.shuffle.strategy.ShuffleStrategy;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
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
 * Keeps the map outputs of Ariadne's exchanges in the memory tiers of the process that computed
 * them, and leaves all other shuffles to Spark's {@link SortShuffleManager}. Tasks of the same
 * process read the kept rows; other processes get blocks, encoded on request in the layout of
 * Spark's files.
 *
 * <p>A map output lives until Spark unregisters its shuffle, and no longer than its process. When a
 * reader finds an output gone, Spark gets a fetch failure and runs the map task again.
 *
 * <p>Thread-safe.
 */
public class InMemoryShuffleManager extends SortShuffleManager {
  private final boolean keepsOutputs;
  private final StrategyPlanner strategies;
  private final InMemoryBlockResolver resolver;
  private final Set<Integer> registered = ConcurrentHashMap.newKeySet();

  /**
   * Creates the manager.
   *
   * @param conf the application's settings
   * @param keepsOutputs whether map outputs of Ariadne's exchanges stay in memory; false makes
   *     Spark write all map outputs to files
   * @param strategy how the rows of each shuffle move; empty for the one that is best as far as is
   *     known
   * @param againstCopies tells why executors copy no rows of each other, as strategies may do;
   *     empty when they do; asked on Spark's driver when a strategy would copy
   */
  protected InMemoryShuffleManager(
      SparkConf conf,
      boolean keepsOutputs,
      Optional<ShuffleStrategy> strategy,
      Supplier<Optional<String>> againstCopies) {
    super(conf);
    this.keepsOutputs = keepsOutputs;
    this.strategies = new StrategyPlanner(strategy, againstCopies);
    this.resolver = new InMemoryBlockResolver(conf, super.shuffleBlockResolver());
  }

  @Override
  public <K, V, C> ShuffleHandle registerShuffle(
      int shuffleId, ShuffleDependency<K, V, C> dependency) {
    if (keepsOutputs && BlockShuffle.isOfBlocks(dependency)) {
      registered.add(shuffleId);
      return new InMemoryShuffleHandle<>(shuffleId, dependency, strategies.plan(dependency));
    }
    return super.registerShuffle(shuffleId, dependency);
  }

  /**
   * Returns whether map outputs of a shuffle stay in memory and may be read again. For Spark's
   * driver, where shuffles are registered.
   */
  public boolean keeps(int shuffleId) {
    return registered.contains(shuffleId);
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
          new InMemoryShuffleReader.PartitionRange(startPartition, endPartition),
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
    registered.remove(shuffleId);
    ProcessRuntime.find()
        .ifPresent(
            runtime -> {
              Closer closer = new Closer();
              closer.close(() -> MapOutputs.of(runtime).drop(shuffleId));
              closer.close(() -> endMerging(runtime, shuffleId));
              closer.rethrow();
            });
    return super.unregisterShuffle(shuffleId);
  }

  /**
   * Forgets what a runtime has planned to merge of a shuffle that no longer exists, and tells the
   * executors that have merged its rows.
   */
  public static void endMerging(ExecutorRuntime runtime, int shuffleId) {
    OutputMerging.of(runtime).dropped(shuffleId);
  }

  @Override
  public IndexShuffleBlockResolver shuffleBlockResolver() {
    return resolver;
  }
}
