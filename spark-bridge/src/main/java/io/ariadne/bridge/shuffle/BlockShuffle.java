package io.ariadne.bridge.shuffle;

import io.ariadne.bridge.node.ColumnarShuffle;
import io.ariadne.bridge.node.ShuffledBatchRdd;
import org.apache.spark.Partitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.rdd.RDD;
import org.apache.spark.shuffle.ShuffleManager;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.sql.execution.ShufflePartitionSpec;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.Option;
import scala.Product2;
import scala.collection.immutable.Map;
import scala.concurrent.Future;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.Nothing$;

/** A shuffle of blocks: Spark's dependency, its map stage, and the RDD of reduce tasks. */
public final class BlockShuffle implements ColumnarShuffle {
  private static final ClassTag<Object> NUMBERS = ClassTag$.MODULE$.apply(int.class);
  private static final ClassTag<MapRows> ROWS = ClassTag$.MODULE$.apply(MapRows.class);

  private final ShuffleDependency<Object, MapRows, MapRows> dependency;
  private final Map<String, SQLMetric> readMetrics;
  private final BlockReader reader;

  /**
   * Registers a shuffle.
   *
   * @param rows of every map task: number of a partition, and its rows, which are valid until the
   *     next record is asked for
   * @param partitions how many partitions
   * @param writeMetrics of {@code SQLShuffleWriteMetricsReporter}
   * @param readMetrics of {@code SQLShuffleReadMetricsReporter}
   * @param reader makes batches of the blocks
   */
  public BlockShuffle(
      RDD<Product2<Object, MapRows>> rows,
      int partitions,
      Map<String, SQLMetric> writeMetrics,
      Map<String, SQLMetric> readMetrics,
      BlockReader reader) {
    this.dependency =
        new ShuffleDependency<>(
            rows,
            new PartitionNumbers(partitions),
            new BlockSerializer(),
            Option.empty(),
            Option.empty(),
            false,
            new BlockWriteProcessor(writeMetrics),
            NUMBERS,
            ROWS,
            ROWS);
    this.readMetrics = readMetrics;
    this.reader = reader;
  }

  /**
   * Returns whether the shuffle manager writes each record before it asks for the next one, and
   * nothing but Spark's own code and ours sees the records.
   */
  public static boolean isSupported() {
    ShuffleManager manager = SparkEnv.get().shuffleManager();
    return manager.getClass() == SortShuffleManager.class || manager instanceof BlockShuffleManager;
  }

  /**
   * Returns whether a shuffle is one of blocks: then its keys are numbers of partitions, what is
   * written are {@link MapRows}, and what is read are {@link BlockInput}s.
   *
   * @param dependency any shuffle
   */
  public static boolean isOfBlocks(ShuffleDependency<?, ?, ?> dependency) {
    return dependency.serializer() instanceof BlockSerializer;
  }

  /** The number of a partition is its key. */
  private static final class PartitionNumbers extends Partitioner {
    private static final long serialVersionUID = 1L;

    private final int partitions;

    PartitionNumbers(int partitions) {
      this.partitions = partitions;
    }

    @Override
    public int numPartitions() {
      return partitions;
    }

    @Override
    public int getPartition(Object key) {
      return (Integer) key;
    }
  }

  @Override
  public ShuffleDependency<?, ?, ?> dependency() {
    return dependency;
  }

  @Override
  @SuppressWarnings("unchecked")
  public Future<Nothing$> runMaps() {
    Future<?> statistics =
        dependency.rdd().getNumPartitions() == 0
            ? Future.successful(null)
            : dependency.rdd().context().submitMapStage(dependency);
    return (Future<Nothing$>) statistics;
  }

  @Override
  public RDD<ColumnarBatch> read(ShufflePartitionSpec[] specs) {
    SparkContext context = dependency.rdd().context();
    context.setLocalProperty(
        SortShuffleManager.FETCH_SHUFFLE_BLOCKS_IN_BATCH_ENABLED_KEY(),
        String.valueOf(SQLConf.get().fetchShuffleBlocksInBatch()));
    return new ShuffledBatchRdd(dependency, specs, new BlockFetch(readMetrics, reader));
  }
}
