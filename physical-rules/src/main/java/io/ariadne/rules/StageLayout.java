package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.SparkLine;
import io.ariadne.bridge.expression.ExpressionBridge;
import io.ariadne.bridge.node.AriadneShuffleExchangeExec;
import io.ariadne.bridge.node.AriadneUnionExec;
import io.ariadne.rules.exec.AriadneBroadcastExec;
import io.ariadne.rules.exec.AriadneExpandExec;
import io.ariadne.rules.exec.AriadneFilterExec;
import io.ariadne.rules.exec.AriadneFragmentExec;
import io.ariadne.rules.exec.AriadneHashAggregateExec;
import io.ariadne.rules.exec.AriadneHashJoinExec;
import io.ariadne.rules.exec.AriadneImportExec;
import io.ariadne.rules.exec.AriadneOnePartitionExec;
import io.ariadne.rules.exec.AriadneProjectExec;
import io.ariadne.rules.exec.AriadneScanExec;
import io.ariadne.rules.scan.CoarsePartitions;
import io.ariadne.rules.scan.PartitionLayout;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UserDefinedExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.BitAndAgg;
import org.apache.spark.sql.catalyst.expressions.aggregate.BitOrAgg;
import org.apache.spark.sql.catalyst.expressions.aggregate.BitXorAgg;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.execution.ExpandExec;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnionExec;
import org.apache.spark.sql.execution.aggregate.HashAggregateExec;
import org.apache.spark.sql.execution.aggregate.SortAggregateExec;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;
import org.apache.spark.sql.execution.exchange.Exchange;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;

/**
 * Decides which scans have coarser partitions than Spark's. A scan may have them where every node
 * up to the next exchange above treats rows one by one or aggregates them exactly, in any grouping,
 * and the exchange places rows by their content. Every other scan keeps Spark's partitions, also
 * where rows are collected, cached or written without an exchange: the number of partitions is
 * visible there.
 */
final class StageLayout {
  /** Nodes that treat every row on its own, by exact class. */
  private static final Set<Class<?>> ROW_BY_ROW =
      Set.of(
          AriadneExpandExec.class,
          AriadneFilterExec.class,
          AriadneImportExec.class,
          AriadneProjectExec.class,
          AriadneUnionExec.class,
          FilterExec.class,
          ProjectExec.class,
          ExpandExec.class,
          UnionExec.class,
          BroadcastHashJoinExec.class);

  private static final Set<Class<?>> AGGREGATIONS =
      Set.of(AriadneHashAggregateExec.class, HashAggregateExec.class, SortAggregateExec.class);

  /** Aggregates beside sums whose result does not depend on order and grouping. */
  private static final Set<Class<?>> EXACT =
      Set.of(Count.class, Min.class, Max.class, BitAndAgg.class, BitOrAgg.class, BitXorAgg.class);

  /** Digits by which the buffer of a sum of decimals is wider than what it adds up. */
  private static final int SUM_DIGITS = 10;

  /** What lies between the exchange above and a node. */
  private enum Above {
    /** Something that may depend on partitions. */
    ANYTHING,
    /** Nothing. */
    NOTHING,
    /** Nodes of ours only, the topmost of which makes one row, or one partition, of everything. */
    ONE_ROW,
    /** Nodes that do not depend on partitions. */
    HARMLESS
  }

  private StageLayout() {}

  /** Returns a converted plan with its scans' partitions decided. */
  static SparkPlan decide(SparkPlan plan) {
    return decide(plan, Above.ANYTHING);
  }

  private static SparkPlan decide(SparkPlan plan, Above above) {
    if (plan instanceof AriadneScanExec scan) {
      PartitionLayout layout = layout(scan.scan(), above);
      return layout == scan.layout() ? scan : scan.withLayout(layout);
    }
    Above here = below(plan, above);
    return PlanChildren.map(plan, child -> decide(child, here));
  }

  private static PartitionLayout layout(FileSourceScanExec scan, Above above) {
    if (above == Above.ANYTHING || !CoarsePartitions.mayMerge(scan)) {
      return PartitionLayout.SPARK;
    }
    return above == Above.ONE_ROW && CoarsePartitions.mayBeSingle(scan)
        ? PartitionLayout.SINGLE
        : PartitionLayout.PER_SLOT;
  }

  /** Returns what lies above the children of a node. */
  private static Above below(SparkPlan plan, Above above) {
    if (plan instanceof Exchange) {
      return hidesPartitions(plan) ? Above.NOTHING : Above.ANYTHING;
    }
    if (plan instanceof AriadneOnePartitionExec) {
      return Above.ONE_ROW;
    }
    if (above == Above.ANYTHING || !isHarmless(plan)) {
      return Above.ANYTHING;
    }
    boolean staysOneRow = above == Above.ONE_ROW && plan instanceof AriadneFragmentExec;
    boolean startsOneRow = above == Above.NOTHING && isOneRow(plan);
    return staysOneRow || startsOneRow ? Above.ONE_ROW : Above.HARMLESS;
  }

  /**
   * Returns whether a node is an exchange that hides the number of partitions below it from the
   * nodes above.
   */
  static boolean hidesPartitions(SparkPlan plan) {
    boolean isShuffle =
        plan instanceof ShuffleExchangeExec || plan instanceof AriadneShuffleExchangeExec;
    return plan instanceof BroadcastExchangeExec
        || (isShuffle && placesByContent(plan.outputPartitioning()) && isDeterministic(plan));
  }

  private static boolean placesByContent(Partitioning partitioning) {
    return partitioning == SinglePartition$.MODULE$
        || partitioning instanceof HashPartitioning
        || partitioning instanceof RangePartitioning;
  }

  private static boolean isOneRow(SparkPlan plan) {
    return plan instanceof AriadneHashAggregateExec aggregate
        && aggregate.keys().isEmpty()
        && !aggregate.isOneThreaded();
  }

  /**
   * Returns whether a node treats rows one by one or aggregates them exactly, so that its output
   * over all partitions does not depend on their number.
   */
  static boolean isHarmless(SparkPlan plan) {
    boolean isBroadcastJoin = plan instanceof AriadneHashJoinExec join && join.isBroadcast();
    return (isBroadcastJoin
            || plan instanceof AriadneBroadcastExec
            || ROW_BY_ROW.contains(plan.getClass())
            || AGGREGATIONS.contains(plan.getClass()))
        && isDeterministic(plan);
  }

  /**
   * Returns whether what a node computes does not depend on the order and grouping of its rows: its
   * expressions are deterministic and not a user's, and its aggregates exact.
   */
  static boolean isDeterministic(SparkPlan plan) {
    return ScalaCollections.<Expression>list(plan.expressions()).stream()
        .allMatch(expression -> !dependsOnPartitions(expression) && isExact(expression));
  }

  /**
   * Returns whether an expression's values may depend on how rows are divided into partitions. It
   * is deterministic only if all below it are; names of files are not.
   */
  static boolean dependsOnPartitions(Expression expression) {
    return !expression.deterministic()
        || hasUserCode(expression)
        || ExpressionBridge.dependsOnRowsBefore(expression);
  }

  /**
   * Returns whether an expression runs a user's code, which may ask for the number of its partition
   * or be so slow that it needs many tasks.
   */
  static boolean hasUserCode(Expression expression) {
    return expression instanceof UserDefinedExpression
        || ScalaCollections.<Expression>list(expression.children()).stream()
            .anyMatch(StageLayout::hasUserCode);
  }

  /** Returns whether all aggregates in an expression are exact. */
  private static boolean isExact(Expression expression) {
    if (expression instanceof AggregateExpression aggregate && !isExact(aggregate)) {
      return false;
    }
    return ScalaCollections.<Expression>list(expression.children()).stream()
        .allMatch(StageLayout::isExact);
  }

  /**
   * Returns whether an aggregate's result may depend on the order of its rows. Kernels add floating
   * point values in no fixed order.
   */
  static boolean dependsOnOrder(AggregateFunction function) {
    return !(function instanceof Sum)
        && !(function instanceof Average)
        && !EXACT.contains(function.getClass());
  }

  private static boolean isExact(AggregateExpression aggregate) {
    var function = aggregate.aggregateFunction();
    if (function instanceof Sum sum) {
      return addsExactly(sum.child().dataType(), SparkLine.evalMode(sum));
    }
    if (function instanceof Average average) {
      return average.child().dataType() instanceof DecimalType decimal && cannotOverflow(decimal);
    }
    return EXACT.contains(function.getClass());
  }

  /**
   * Returns whether sums of parts are the sum of all, and raise or become null for the same rows:
   * partial sums must not overflow where the whole does not, unless they wrap around.
   */
  private static boolean addsExactly(DataType type, String evalMode) {
    return (type instanceof DecimalType decimal && cannotOverflow(decimal))
        || type instanceof ByteType
        || type instanceof ShortType
        || type instanceof IntegerType
        || (type instanceof LongType && "LEGACY".equals(evalMode));
  }

  /** Spark adds ten digits to a sum of decimals if 38 digits suffice: more than there are rows. */
  private static boolean cannotOverflow(DecimalType type) {
    return type.precision() + SUM_DIGITS <= DecimalType.MAX_PRECISION();
  }
}
