package io.ariadne.shuffle.spark;

import io.ariadne.bridge.node.ColumnarShuffle;
import io.ariadne.bridge.node.ShuffledBatchRdd;
import java.util.Optional;
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
  /** Partitions up to which Spark's writers are done with a record at once. */
  private static final int MOST_PARTITIONS =
      SortShuffleManager.MAX_SHUFFLE_OUTPUT_PARTITIONS_FOR_SERIALIZED_MODE();

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
   * Returns why an exchange cannot be one of blocks, or empty when it can: then the shuffle's
   * writer is done with each record before it asks for the next one, and nothing but Spark's own
   * code and ours sees the records.
   *
   * <p>Of the writers that {@code SortShuffleManager.registerShuffle} chooses among, {@code
   * BypassMergeSortShuffleWriter} and {@code UnsafeShuffleWriter} serialize a record at once.
   * {@code SortShuffleWriter} does not: {@code ExternalSorter} keeps references to all records
   * until it writes or spills them. An exchange aggregates nothing, and {@link BlockSerializer}'s
   * objects can be moved; so {@code SortShuffleWriter} is chosen only where there are more
   * partitions than {@code UnsafeShuffleWriter} takes. Blocks would be of no use there, as hardly a
   * row of a batch shares its partition with another.
   *
   * @param partitions how many the exchange has at most
   */
  public static Optional<String> reasonAgainst(int partitions) {
    ShuffleManager manager = SparkEnv.get().shuffleManager();
    if (manager.getClass() != SortShuffleManager.class
        && !(manager instanceof InMemoryShuffleManager)) {
      return Optional.of("the shuffle manager is neither Spark's nor Ariadne's");
    }
    if (partitions > MOST_PARTITIONS) {
      return Optional.of(
          "with more than " + MOST_PARTITIONS + " partitions Spark's writer keeps records");
    }
    return Optional.empty();
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
