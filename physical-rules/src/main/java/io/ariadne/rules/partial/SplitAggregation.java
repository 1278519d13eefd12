package io.ariadne.rules.partial;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.error.EngineException;
import io.ariadne.rules.exec.RoundInputExec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Collect;
import org.apache.spark.sql.catalyst.expressions.aggregate.First;
import org.apache.spark.sql.catalyst.expressions.aggregate.Last;
import org.apache.spark.sql.catalyst.expressions.aggregate.Partial$;
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.aggregate.ObjectHashAggregateExec;
import org.apache.spark.sql.execution.aggregate.SortAggregateExec;

/**
 * A query's plan in two parts. The lower part is its lowest partial aggregation with everything
 * below it; rounds evaluate some of its partitions each. The upper part is everything else, from
 * the aggregation that combines the buffers of groups.
 *
 * <pre>
 *    Sort                                 Sort
 *      HashAggregate final      above:      HashAggregate final
 *        HashAggregate partial                RoundInput
 *          Project
 *            FileScan           partial:  HashAggregate partial
 *                                           Project
 *                                             FileScan
 * </pre>
 *
 * @param above the upper part, in which {@code input} takes the place of the lower one
 * @param input the leaf of the upper part
 * @param partial the lower part
 */
record SplitAggregation(SparkPlan above, RoundInputExec input, BaseAggregateExec partial) {
  /**
   * Splits a plan.
   *
   * @param plan Spark's plan before exchanges and sorts are added
   * @param partitions in how many partitions groups are divided, if there are keys
   * @throws EngineException UNSUPPORTED if it cannot be split, with the reason
   */
  static SplitAggregation of(SparkPlan plan, int partitions) {
    List<BaseAggregateExec> lowest = lowest(plan);
    if (lowest.isEmpty()) {
      throw Unsupported.query("it does not aggregate", "add a GROUP BY, or read it with collect");
    }
    if (lowest.size() > 1) {
      throw Unsupported.query(
          "it aggregates several inputs", "write all but one of the results to tables first");
    }
    BaseAggregateExec partial = lowest.get(0);
    requirePartial(partial);
    requireExact(partial);
    Repeatable.require(((SparkPlan) partial).children().head());
    RoundInputExec input =
        RoundInputExec.inPlaceOf((SparkPlan) partial, placement(partial, partitions));
    return new SplitAggregation(
        replaced(plan, node -> node == partial ? input : null), input, hashed(partial));
  }

  /** Returns the aggregations below which there is none. */
  static List<BaseAggregateExec> lowest(SparkPlan plan) {
    List<BaseAggregateExec> lowest = new ArrayList<>();
    addLowest(plan, lowest);
    return lowest;
  }

  /** Adds the aggregations below which there is none, except in the build sides of broadcasts. */
  private static void addLowest(SparkPlan plan, List<BaseAggregateExec> lowest) {
    int before = lowest.size();
    Repeatable.partitionedChildren(plan).forEach(child -> addLowest(child, lowest));
    if (lowest.size() == before && plan instanceof BaseAggregateExec aggregate) {
      lowest.add(aggregate);
    }
  }

  private static void requirePartial(BaseAggregateExec aggregate) {
    boolean isPartial =
        aggregates(aggregate).stream().allMatch(each -> each.mode() == Partial$.MODULE$)
            && aggregate.requiredChildDistributionExpressions().isEmpty();
    if (!isPartial || aggregate.isStreaming()) {
      throw Unsupported.query(
          "it aggregates in one step: " + ((SparkPlan) aggregate).nodeName(),
          "read it with collect");
    }
  }

  private static void requireExact(BaseAggregateExec partial) {
    for (AggregateExpression each : aggregates(partial)) {
      if (dependsOnOrder(each.aggregateFunction())) {
        throw Unsupported.query(
            each.aggregateFunction().sql() + " depends on the order of rows",
            "use min, max or another function");
      }
      Repeatable.requireDeterministic(each);
    }
    for (NamedExpression key :
        ScalaCollections.<NamedExpression>list(partial.groupingExpressions())) {
      Repeatable.requireDeterministic((Expression) key);
    }
  }

  /** To Spark 4 the named ones are deterministic, but their results are not over unordered rows. */
  private static boolean dependsOnOrder(AggregateFunction function) {
    return function instanceof First
        || function instanceof Last
        || function instanceof Collect<?>
        || !function.deterministic();
  }

  /** Returns an aggregation that needs no sort below it. */
  private static BaseAggregateExec hashed(BaseAggregateExec partial) {
    return partial instanceof SortAggregateExec sorted
        ? new ObjectHashAggregateExec(
            sorted.requiredChildDistributionExpressions(),
            sorted.isStreaming(),
            sorted.numShufflePartitions(),
            sorted.groupingExpressions(),
            sorted.aggregateExpressions(),
            sorted.aggregateAttributes(),
            sorted.initialInputBufferOffset(),
            sorted.resultExpressions(),
            sorted.child())
        : partial;
  }

  private static List<AggregateExpression> aggregates(BaseAggregateExec aggregate) {
    return ScalaCollections.list(aggregate.aggregateExpressions());
  }

  private static Partitioning placement(BaseAggregateExec partial, int partitions) {
    List<Attribute> keys =
        ScalaCollections.<NamedExpression>list(partial.groupingExpressions()).stream()
            .map(NamedExpression::toAttribute)
            .toList();
    return keys.isEmpty() || partitions == 1
        ? SinglePartition$.MODULE$
        : new HashPartitioning(ScalaCollections.seq(keys), partitions);
  }

  /**
   * Returns a plan with other nodes.
   *
   * @param replacement returns what takes the place of a node, or null where it stays
   */
  static SparkPlan replaced(SparkPlan plan, UnaryOperator<SparkPlan> replacement) {
    SparkPlan other = replacement.apply(plan);
    if (other != null) {
      return other;
    }
    List<SparkPlan> children = new ArrayList<>();
    boolean isChanged = false;
    for (SparkPlan child : ScalaCollections.<SparkPlan>list(plan.children())) {
      SparkPlan next = replaced(child, replacement);
      isChanged |= next != child;
      children.add(next);
    }
    return isChanged ? plan.withNewChildren(ScalaCollections.seq(children)) : plan;
  }
}
