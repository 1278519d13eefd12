package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.file.FileScanLine;
import io.ariadne.bridge.node.OnePartitionExec;
import io.ariadne.rules.scan.CoarsePartitions;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.physical.ClusteredDistribution;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning;
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.BaseScriptTransformationExec;
import org.apache.spark.sql.execution.CoalesceExec;
import org.apache.spark.sql.execution.ExpandExec;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.GlobalLimitExec;
import org.apache.spark.sql.execution.LocalLimitExec;
import org.apache.spark.sql.execution.LocalTableScanExec;
import org.apache.spark.sql.execution.ObjectConsumerExec;
import org.apache.spark.sql.execution.ObjectProducerExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SampleExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnaryExecNode;
import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.aggregate.HashAggregateExec;
import org.apache.spark.sql.execution.aggregate.ObjectHashAggregateExec;
import org.apache.spark.sql.execution.aggregate.SortAggregateExec;
import org.apache.spark.sql.execution.exchange.ENSURE_REQUIREMENTS$;
import org.apache.spark.sql.execution.exchange.Exchange;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.execution.joins.BroadcastNestedLoopJoinExec;
import org.apache.spark.sql.internal.SQLConf;

/**
 * Removes exchanges from adaptive plans where one task does as well. An exchange costs a job of its
 * own, files, and another round of planning.
 *
 * <p>An exchange that Spark put below a node with one child is replaced by {@link OnePartitionExec}
 * (the inputs of a join that have to be divided in the same way stay as they are)
 *
 * <ul>
 *   <li>when what it moves is small: it comes of {@value #SMALL_SCAN_FILES} files of {@value
 *       #SMALL_SCAN_BYTES} bytes together at most, or of finished stages with {@value
 *       #SMALL_STAGE_BYTES} bytes at most, which Spark would put into one partition as well;
 *   <li>when it brings together what is one partition already, because another one was left out;
 *   <li>when it lies within an aggregation of files that Ariadne reads, in a process whose threads
 *       all work for one task anyway, and no node of Spark's above has to work through the groups;
 *   <li>when it brings together the first rows of files that Ariadne reads, in such a process: most
 *       of the files need not be opened then;
 *   <li>when it divides rows of files that Ariadne reads and sorts, in such a process, all of which
 *       the driver collects; of no more bytes than it takes of one job.
 * </ul>
 *
 * <p>Plans whose results depend on where partitions begin, or which run code of users, are left
 * alone; so are hash exchanges that divide the plan's own output.
 */
public final class OnePartitionRule extends Rule<SparkPlan> {
  /** Less is not worth a second task: Spark counts opening one file as much. */
  static final long SMALL_SCAN_BYTES = 4L << 20;

  /** More are opened faster by several tasks, however small they are. */
  static final long SMALL_SCAN_FILES = 8;

  /** Rows that the driver ships with the plan. */
  static final int SMALL_TABLE_ROWS = 1000;

  /** Spark's own smallest partition after a shuffle. */
  static final long SMALL_STAGE_BYTES = 1L << 20;

  private static final scala.math.BigInt SMALL_STAGE = scala.math.BigInt.apply(SMALL_STAGE_BYTES);

  private static final Set<Class<? extends SparkPlan>> KEEP_SMALL =
      Set.of(
          ExpandExec.class,
          FilterExec.class,
          GlobalLimitExec.class,
          HashAggregateExec.class,
          LocalLimitExec.class,
          ObjectHashAggregateExec.class,
          OnePartitionExec.class,
          ProjectExec.class,
          SortAggregateExec.class,
          SortExec.class);

  private static final Set<Class<? extends SparkPlan>> LIGHT =
      Set.of(FilterExec.class, HashAggregateExec.class, ProjectExec.class);

  private final Supplier<RulesConfig> config;
  private final PlanningGuard guard = new PlanningGuard();

  /**
   * Creates the rule.
   *
   * @param config reads the session's settings; called for every plan, on the planning thread
   */
  public OnePartitionRule(Supplier<RulesConfig> config) {
    this.config = config;
  }

  @Override
  public String ruleName() {
    return "io.ariadne.rules.OnePartitionRule";
  }

  @Override
  public SparkPlan apply(SparkPlan plan) {
    RulesConfig settings = config.get();
    if (!settings.enabled()
        || settings.disabled().contains(OnePartitionExec.class.getSimpleName())) {
      return plan;
    }
    return guard.rewrite(plan, settings, () -> rewrite(plan, settings.disabled()));
  }

  private static SparkPlan rewrite(SparkPlan plan, Set<String> disabled) {
    return wantsPartitions(plan.conf()) || !hasExchange(plan) || dependsOnPartitions(plan)
        ? plan
        : rewrite(plan, Above.root(CollectedResults.mayHaveTwoForms(plan)), disabled);
  }

  private static boolean hasExchange(SparkPlan plan) {
    return isReplaceable(plan) || children(plan).stream().anyMatch(OnePartitionRule::hasExchange);
  }

  /** Returns whether the settings ask for a number of partitions: Spark must not coalesce them. */
  static boolean wantsPartitions(SQLConf conf) {
    return !conf.coalesceShufflePartitionsEnabled()
        || conf.contains(SQLConf.COALESCE_PARTITIONS_MIN_PARTITION_NUM().key());
  }

  private static boolean dependsOnPartitions(SparkPlan plan) {
    return plan instanceof SampleExec
        || plan instanceof CoalesceExec
        || runsUserCode(plan)
        || ScalaCollections.<Expression>list(plan.expressions()).stream()
            .anyMatch(StageLayout::dependsOnPartitions)
        || children(plan).stream().anyMatch(OnePartitionRule::dependsOnPartitions);
  }

  /** Returns whether a node is code of a user's, beside what is in its expressions. */
  static boolean runsUserCode(SparkPlan plan) {
    return plan instanceof ObjectConsumerExec
        || plan instanceof ObjectProducerExec
        || plan instanceof BaseScriptTransformationExec;
  }

  /**
   * What lies above a node, up to the next exchange.
   *
   * @param isFree whether nothing there needs several inputs divided in the same way: a sort-merge
   *     join, say, or a union whose inputs are
   * @param isRoot whether the plan ends there: a hash exchange may be what is left of a repartition
   *     by the user, which Spark takes out when another exchange does the same
   * @param isLight whether every node there treats rows one by one or aggregates them, and the
   *     exchange takes them once: one by ranges computes all of them before, for a sample
   * @param mayBeCollected whether the plan ends there and may have a form for Spark's driver only
   */
  private record Above(boolean isFree, boolean isRoot, boolean isLight, boolean mayBeCollected) {
    static Above root(boolean mayBeCollected) {
      return new Above(true, true, true, mayBeCollected);
    }

    Above below(SparkPlan plan) {
      return plan instanceof Exchange
          ? new Above(true, false, !takesSample(plan), false)
          : new Above(
              isFree && dividesNothing(plan),
              isRoot,
              isLight && LIGHT.contains(plan.getClass()),
              mayBeCollected);
    }

    boolean allowsOnePartition(ShuffleExchangeExec exchange) {
      return isFree && !(isRoot && exchange.outputPartitioning() instanceof HashPartitioning);
    }
  }

  private static SparkPlan rewrite(SparkPlan plan, Above above, Set<String> disabled) {
    Above here = above.below(plan);
    return PlanChildren.map(
        plan, child -> withoutExchange(plan, rewrite(child, here, disabled), above, disabled));
  }

  /** Returns a node's child, or what replaces it if it is an exchange that may be left out. */
  private static SparkPlan withoutExchange(
      SparkPlan parent, SparkPlan child, Above above, Set<String> disabled) {
    Above here = above.below(parent);
    if (!(parent instanceof UnaryExecNode)
        || !isReplaceable(child)
        || !here.allowsOnePartition((ShuffleExchangeExec) child)) {
      return child;
    }
    ShuffleExchangeExec exchange = (ShuffleExchangeExec) child;
    if (isSmall(exchange.child())
        || isOnePartition(exchange)
        || isOneTasksWork(parent, exchange, here, disabled)
        || isOneTasksLimit(exchange, disabled)) {
      return inOnePartition(exchange, false);
    }
    return isOneTasksSort(parent, exchange, above, disabled)
        ? inOnePartition(exchange, true)
        : child;
  }

  private static OnePartitionExec inOnePartition(
      ShuffleExchangeExec exchange, boolean onlyCollected) {
    return new OnePartitionExec(exchange.outputPartitioning(), onlyCollected, exchange.child());
  }

  private static boolean takesSample(SparkPlan plan) {
    return plan instanceof ShuffleExchangeExec exchange
        && exchange.outputPartitioning() instanceof RangePartitioning ranges
        && ranges.numPartitions() > 1;
  }

  private static boolean dividesNothing(SparkPlan plan) {
    return plan instanceof UnaryExecNode
        || plan instanceof BroadcastHashJoinExec
        || plan instanceof BroadcastNestedLoopJoinExec;
  }

  private static boolean isReplaceable(SparkPlan plan) {
    return plan instanceof ShuffleExchangeExec exchange
        && exchange.shuffleOrigin() == ENSURE_REQUIREMENTS$.MODULE$;
  }

  private static boolean isSmall(SparkPlan plan) {
    if (plan instanceof FileSourceScanExec scan) {
      return CoarsePartitions.mayMerge(scan)
          && FileScanLine.listedBytes(scan) <= SMALL_SCAN_BYTES
          && FileScanLine.listedFiles(scan) <= SMALL_SCAN_FILES;
    }
    if (plan instanceof ShuffleQueryStageExec stage) {
      return stage.isMaterialized()
          && stage.getRuntimeStatistics().sizeInBytes().$less$eq(SMALL_STAGE);
    }
    if (plan instanceof BroadcastHashJoinExec join) {
      return isSmall(join.streamedPlan());
    }
    if (plan instanceof LocalTableScanExec table) {
      return table.rows().size() <= SMALL_TABLE_ROWS;
    }
    return KEEP_SMALL.contains(plan.getClass())
        && (StageLayout.isDeterministic(plan) || hasWholeGroups(plan))
        && children(plan).stream().allMatch(OnePartitionRule::isSmall);
  }

  /**
   * Returns whether all rows of a group are in one partition already, in the order they keep when
   * partitions are put together: inexact aggregates stay what they are.
   */
  private static boolean hasWholeGroups(SparkPlan plan) {
    return plan instanceof BaseAggregateExec
        && ScalaCollections.<Distribution>list(plan.requiredChildDistribution()).get(0)
            instanceof ClusteredDistribution;
  }

  /** Another exchange was left out below. */
  private static boolean isOnePartition(ShuffleExchangeExec exchange) {
    return exchange.outputPartitioning() == SinglePartition$.MODULE$
        && exchange.child().outputPartitioning() == SinglePartition$.MODULE$;
  }

  /**
   * All threads of the process compute one partition. What is left of it is a row, or groups for a
   * node of ours.
   */
  private static boolean isOneTasksWork(
      SparkPlan parent, ShuffleExchangeExec exchange, Above above, Set<String> disabled) {
    if (!(exchange.child() instanceof HashAggregateExec aggregate)
        || !StageLayout.isDeterministic(aggregate)
        || !isOverFiles(aggregate.child(), Long.MAX_VALUE)) {
      return false;
    }
    if (aggregate.groupingExpressions().isEmpty()) {
      return exchange.outputPartitioning() == SinglePartition$.MODULE$
          && new PlanTagger(disabled)
              .tag(exchange)
              .children()
              .get(0)
              .all()
              .allMatch(PlanTag::converts);
    }
    return above.isLight()
        && parent instanceof HashAggregateExec
        && StageLayout.isDeterministic(parent)
        && new PlanTagger(disabled)
            .tag(withChild(parent, inOnePartition(exchange, false)))
            .all()
            .allMatch(PlanTag::converts);
  }

  /**
   * Returns whether one task, for which all threads of the process sort, replaces an exchange by
   * ranges. The files are then read once, without a sample of the keys first, and rows are not
   * written and read again. Only for rows that Spark's driver collects: a consumer that writes or
   * keeps the rows would do so in one task, too, and a consumer that takes one partition at a time
   * would hold all rows. {@link CollectedResults} keeps the exchange for these consumers.
   */
  private static boolean isOneTasksSort(
      SparkPlan parent, ShuffleExchangeExec exchange, Above above, Set<String> disabled) {
    return parent instanceof SortExec sort
        && sort.global()
        && above.isLight()
        && above.mayBeCollected()
        && exchange.outputPartitioning() instanceof RangePartitioning
        && StageLayout.isDeterministic(sort)
        && isOverFiles(exchange.child(), maxCollectedBytes(sort.sparkContext().conf()))
        && new PlanTagger(disabled)
            .tag(withChild(sort, inOnePartition(exchange, true)))
            .all()
            .allMatch(PlanTag::converts);
  }

  /**
   * Returns the most bytes of files whose rows one task may sort for Spark's driver: the limit of
   * one job's result. Of larger files either few rows pass the filters, which several tasks apply
   * as well as one task, or the job fails, as it would with several tasks.
   */
  static long maxCollectedBytes(SparkConf conf) {
    long max = conf.getSizeAsBytes("spark.driver.maxResultSize", "1g");
    return max == 0 ? Long.MAX_VALUE : max;
  }

  /**
   * One task takes the first rows of all partitions, of which it reads no more than it needs. Not
   * of filtered ones: few may pass, and a limit reads on one thread.
   */
  private static boolean isOneTasksLimit(ShuffleExchangeExec exchange, Set<String> disabled) {
    SparkPlan below = exchange.child();
    if (exchange.outputPartitioning() != SinglePartition$.MODULE$
        || !(below instanceof LocalLimitExec)) {
      return false;
    }
    while (below instanceof LocalLimitExec || below instanceof ProjectExec) {
      if (!StageLayout.isDeterministic(below)) {
        return false;
      }
      below = children(below).get(0);
    }
    return below instanceof FileSourceScanExec scan
        && CoarsePartitions.mayBeSingle(scan)
        && new PlanTagger(disabled)
            .tag(exchange)
            .children()
            .get(0)
            .all()
            .allMatch(PlanTag::converts);
  }

  /** Returns whether a plan computes rows of files that one task may read, and so few bytes. */
  private static boolean isOverFiles(SparkPlan plan, long mostBytes) {
    SparkPlan below = plan;
    while (LIGHT.contains(below.getClass()) || below instanceof OnePartitionExec) {
      if (!StageLayout.isDeterministic(below)) {
        return false;
      }
      below = children(below).get(0);
    }
    return below instanceof FileSourceScanExec scan
        && CoarsePartitions.mayBeSingle(scan)
        && FileScanLine.listedBytes(scan) <= mostBytes;
  }

  private static SparkPlan withChild(SparkPlan plan, SparkPlan child) {
    return plan.withNewChildren(ScalaCollections.seq(List.of(child)));
  }

  private static List<SparkPlan> children(SparkPlan plan) {
    return ScalaCollections.list(plan.children());
  }
}
