package io.ariadne.shuffle.spark;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.ShuffledBatchReader;
import io.ariadne.shuffle.strategy.PartitionOwners;
import io.ariadne.shuffle.strategy.StrategyPlan;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.scheduler.TaskLocation$;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.sql.execution.CoalescedPartitionSpec;
import org.apache.spark.sql.execution.ShufflePartitionSpec;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.Product2;
import scala.collection.immutable.Map;

/**
 * Reads a reduce task's blocks through Spark's shuffle manager, as Spark's {@code ShuffledRowRDD}
 * reads rows. Shipped to executors.
 */
final class BlockFetch implements ShuffledBatchReader {
  private static final long serialVersionUID = 1L;

  private final Map<String, SQLMetric> metrics;
  private final BlockReader reader;

  BlockFetch(Map<String, SQLMetric> metrics, BlockReader reader) {
    this.metrics = metrics;
    this.reader = reader;
  }

  @Override
  public List<String> preferredHosts(
      ShuffleDependency<?, ?, ?> dependency, ShufflePartitionSpec spec) {
    MapOutputTrackerMaster tracker = (MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker();
    ShuffleRange range = ShuffleRange.of(spec);
    boolean readsAllMaps = spec instanceof CoalescedPartitionSpec;
    StrategyPlan plan =
        dependency.shuffleHandle() instanceof InMemoryShuffleHandle<?, ?, ?> kept
            ? kept.plan()
            : null;
    // Spark's rule for some map outputs is where they were written; owners have all that moved.
    if (plan != null && plan.owners() != null && (readsAllMaps || plan.strategy().dropsOutputs())) {
      PartitionOwners.Owner owner = plan.owners().ofMost(range.firstReducer(), range.endReducer());
      return List.of(TaskLocation$.MODULE$.executorLocationTag() + owner.host() + "_" + owner.id());
    }
    if (!readsAllMaps) {
      return ScalaCollections.list(
          tracker.getMapLocation(dependency, range.firstMap(), range.endMap()));
    }
    List<String> hosts = new ArrayList<>();
    for (int reducer = range.firstReducer(); reducer < range.endReducer(); reducer++) {
      hosts.addAll(
          ScalaCollections.<String>list(
              tracker.getPreferredLocationsForShuffle(dependency, reducer)));
    }
    return hosts;
  }

  @Override
  public Iterator<ColumnarBatch> read(
      ShuffleDependency<?, ?, ?> dependency, ShufflePartitionSpec spec, TaskContext context) {
    ShuffleRange range = ShuffleRange.of(spec);
    BlockReadReporter reporter =
        new BlockReadReporter(context.taskMetrics().createTempShuffleReadMetrics(), metrics);
    ShuffleReader<Object, BlockInput> blocks =
        SparkEnv.get()
            .shuffleManager()
            .getReader(
                dependency.shuffleHandle(),
                range.firstMap(),
                range.endMap(),
                range.firstReducer(),
                range.endReducer(),
                context,
                reporter);
    DamagedBlocks damaged = new DamagedBlocks(dependency.shuffleId(), range);
    return reader.read(new Values(blocks.read(), damaged), reporter::addRows, context);
  }

  /** The values of the records that Spark's reader returns. */
  private static final class Values implements Iterator<BlockInput> {
    private final scala.collection.Iterator<Product2<Object, BlockInput>> records;

    private final DamagedBlocks damaged;

    Values(scala.collection.Iterator<Product2<Object, BlockInput>> records, DamagedBlocks damaged) {
      this.records = records;
      this.damaged = damaged;
    }

    @Override
    public boolean hasNext() {
      return records.hasNext();
    }

    @Override
    public BlockInput next() {
      BlockInput block = records.next()._2();
      block.reportTo(damaged);
      return block;
    }
  }
}
