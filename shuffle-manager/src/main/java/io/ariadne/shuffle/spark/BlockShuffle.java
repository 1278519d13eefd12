package io.ariadne.shuffle.spark;

import io.ariadne.bridge.node.AriadneShuffleExchangeExec;
import io.ariadne.bridge.node.ColumnarShuffle;
import io.ariadne.bridge.node.NodeMetric;
import io.ariadne.bridge.node.PartitionRdd;
import io.ariadne.bridge.node.ShuffledBatchRdd;
import io.ariadne.columnar.type.Schema;
import java.util.List;
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
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.Option;
import scala.Product2;
import scala.collection.immutable.Map;
import scala.concurrent.Future;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.Nothing$;

/**
 * The shuffle of an Ariadne exchange: Spark's dependency, its map stage, and the RDD that reduce
 * tasks compute. Its keys are partition numbers; its values are {@link MapRows} when they are
 * written and {@link BlockInput}s when they are read. Used on Spark's driver.
 */
public final class BlockShuffle implements ColumnarShuffle {
  /** Up to so many partitions, Spark's writers serialize a record before they ask for the next. */
  private static final int MAX_PARTITIONS =
      SortShuffleManager.MAX_SHUFFLE_OUTPUT_PARTITIONS_FOR_SERIALIZED_MODE();

  private static final ClassTag<Object> KEYS = ClassTag$.MODULE$.apply(int.class);
  private static final ClassTag<MapRows> VALUES = ClassTag$.MODULE$.apply(MapRows.class);
  private static final ClassTag<Product2<Object, MapRows>> RECORDS =
      ClassTag$.MODULE$.apply(Product2.class);

  private final ShuffleDependency<Object, MapRows, MapRows> dependency;
  private final Map<String, SQLMetric> readMetrics;
  private final BlockReader reader;

  private BlockShuffle(
      RDD<Product2<Object, MapRows>> records,
      int partitions,
      AriadneShuffleExchangeExec node,
      BlockReader reader) {
    this.dependency =
        new ShuffleDependency<>(
            records,
            new PartitionNumbers(partitions),
            new BlockSerializer(),
            Option.empty(),
            Option.empty(),
            false,
            new BlockWriteProcessor(node.writeMetrics()),
            KEYS,
            VALUES,
            VALUES);
    this.readMetrics = node.readMetrics();
    this.reader = reader;
  }

  /** Returns the metrics of an exchange for what its tasks read, besides Spark's. */
  public static List<NodeMetric> readMetrics() {
    return BlockReadReporter.METRICS;
  }

  /**
   * Registers the shuffle of an exchange with Spark.
   *
   * @param node the exchange, whose metrics count what is written and read
   * @param rows the map tasks' output batches; with several partitions they have the partition
   *     number in an additional last column, in ascending order within each batch
   * @param columns the columns of the shuffle
   * @param partitions number of partitions
   * @param isRoundRobin whether rows are distributed round robin
   */
  public static BlockShuffle of(
      AriadneShuffleExchangeExec node,
      RDD<ColumnarBatch> rows,
      Columns columns,
      int partitions,
      boolean isRoundRobin) {
    MapOutputWrite output =
        new MapOutputWrite(
            columns.schema(), partitions, isRoundRobin, ShuffledRows.of(node.metrics()));
    ReduceInput input =
        new ReduceInput(columns.schema(), columns.types(), node.longMetric("numOutputBatches"));
    return new BlockShuffle(new PartitionRdd<>(rows, output, RECORDS), partitions, node, input);
  }

  /**
   * The columns of a shuffle.
   *
   * @param schema Ariadne's types
   * @param types Spark's types
   */
  public record Columns(Schema schema, DataType[] types) {}

  /**
   * Returns why an exchange cannot be a shuffle of blocks, or empty when it can. It can when the
   * shuffle's writer is done with each record before it asks for the next one, and only Spark's own
   * code and Ariadne's see the records.
   *
   * <p>Of the writers that {@code SortShuffleManager.registerShuffle} chooses from, {@code
   * BypassMergeSortShuffleWriter} and {@code UnsafeShuffleWriter} serialize a record immediately.
   * {@code SortShuffleWriter} does not: {@code ExternalSorter} keeps references to all records
   * until it writes or spills them. An exchange aggregates nothing, and the objects that {@link
   * BlockSerializer} serializes can be relocated; so Spark chooses {@code SortShuffleWriter} only
   * for more partitions than {@code UnsafeShuffleWriter} supports. Blocks would not help there,
   * because hardly any two rows of a batch share a partition.
   *
   * @param partitions greatest number of partitions of the exchange
   */
  public static Optional<String> reasonAgainst(int partitions) {
    ShuffleManager manager = SparkEnv.get().shuffleManager();
    if (manager.getClass() != SortShuffleManager.class
        && !(manager instanceof InMemoryShuffleManager)) {
      return Optional.of("the shuffle manager is neither Spark's nor Ariadne's");
    }
    if (partitions > MAX_PARTITIONS) {
      return Optional.of(
          "with more than " + MAX_PARTITIONS + " partitions Spark's writer keeps records");
    }
    return Optional.empty();
  }

  /**
   * Returns whether a shuffle is one of blocks.
   *
   * @param dependency any shuffle
   */
  static boolean isOfBlocks(ShuffleDependency<?, ?, ?> dependency) {
    return dependency.serializer() instanceof BlockSerializer;
  }

  /** Uses keys as partition numbers. */
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
  public String strategy() {
    return dependency.shuffleHandle() instanceof InMemoryShuffleHandle<?, ?, ?> kept
        ? kept.plan().toString()
        : "files of Spark's shuffle manager";
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
