package io.ariadne.shuffle.spark;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.shuffle.strategy.PartitionOwners;
import io.ariadne.shuffle.strategy.ShuffleStrategy;
import io.ariadne.shuffle.strategy.StrategyPlan;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.BlockManagerId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans how the rows of shuffles move. Used on Spark's driver.
 *
 * @param fixed the strategy of all shuffles; empty for the one that is best as far as is known
 * @param againstCopies tells why executors copy no rows of each other; empty when they do
 */
record StrategyPlanner(Optional<ShuffleStrategy> fixed, Supplier<Optional<String>> againstCopies) {
  private static final Logger LOG = LoggerFactory.getLogger(StrategyPlanner.class);

  /** No other strategy was faster where all were measured. */
  private static final StrategyPlan UNCHOSEN =
      new StrategyPlan(ShuffleStrategy.SIMPLE, null, "no other strategy is known to be faster");

  private static final String DYNAMIC = "spark.dynamicAllocation.enabled";
  private static final String INSTANCES = "spark.executor.instances";
  private static final String INITIAL = "spark.dynamicAllocation.initialExecutors";
  private static final String LEAST = "spark.dynamicAllocation.minExecutors";

  /** Plans a shuffle that begins. */
  StrategyPlan plan(ShuffleDependency<?, ?, ?> dependency) {
    int partitions = dependency.partitioner().numPartitions();
    StrategyPlan plan = fixed.map(strategy -> fixed(strategy, partitions)).orElse(UNCHOSEN);
    LOG.info("shuffle {}: {}", dependency.shuffleId(), plan);
    return plan;
  }

  private StrategyPlan fixed(ShuffleStrategy strategy, int partitions) {
    String reason = "the settings say so";
    if (!strategy.sendsToOwners()) {
      return new StrategyPlan(strategy, null, reason);
    }
    List<PartitionOwners.Owner> executors = executors();
    Optional<String> obstacle = obstacle(executors.size());
    if (obstacle.isPresent()) {
      return new StrategyPlan(ShuffleStrategy.SIMPLE, null, obstacle.get());
    }
    PartitionOwners owners = new PartitionOwners(partitions, executors);
    return strategy.dropsOutputs() && SparkEnv.get().conf().getBoolean(DYNAMIC, false)
        ? new StrategyPlan(
            ShuffleStrategy.PUSH, owners, "Spark removes executors that only have copies")
        : new StrategyPlan(strategy, owners, reason);
  }

  /** Returns why no executor should own partitions now; empty when nothing speaks against it. */
  private Optional<String> obstacle(int executors) {
    SparkContext context = SparkContext.getOrCreate();
    if (context.isLocal()) {
      return Optional.of("there are no other executors");
    }
    return againstCopies.get().or(() -> tooFew(executors, context.conf()));
  }

  /**
   * Returns that fewer than half of the executors have started which the settings ask for. The few
   * would get all rows, and Spark would run the reduce tasks there.
   */
  static Optional<String> tooFew(int executors, SparkConf conf) {
    return executors == 0 || 2 * executors < expected(conf)
        ? Optional.of("only " + executors + " executors have started yet")
        : Optional.empty();
  }

  /** Returns how many executors the settings ask for at the start; 0 when they do not say. */
  private static int expected(SparkConf conf) {
    int fixed = conf.getInt(INSTANCES, 0);
    if (!conf.getBoolean(DYNAMIC, false)) {
      return fixed;
    }
    return Math.max(fixed, Math.max(conf.getInt(INITIAL, 0), conf.getInt(LEAST, 0)));
  }

  /** Returns the executors that are known now, in the order of their ids. */
  private static List<PartitionOwners.Owner> executors() {
    BlockManager driver = SparkEnv.get().blockManager();
    return ScalaCollections.<BlockManagerId>list(driver.master().getPeers(driver.blockManagerId()))
        .stream()
        .map(id -> new PartitionOwners.Owner(id.executorId(), id.host()))
        .sorted(
            Comparator.<PartitionOwners.Owner>comparingInt(owner -> owner.id().length())
                .thenComparing(PartitionOwners.Owner::id))
        .toList();
  }
}
