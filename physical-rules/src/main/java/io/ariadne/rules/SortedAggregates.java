package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.rules.exec.AriadneHashAggregateExec;
import io.ariadne.rules.expression.ConversionScope;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.aggregate.HashAggregateExec;
import org.apache.spark.sql.execution.aggregate.ObjectHashAggregateExec;
import org.apache.spark.sql.execution.aggregate.SortAggregateExec;
import org.apache.spark.sql.execution.exchange.Exchange;

/**
 * Replaces Spark's aggregations by sorting with hash aggregations, without the sort below, where
 * Ariadne can compute them. Spark sorts when a buffer cannot be changed in place, such as the
 * buffer of a smallest string.
 *
 * <p>If a node above may need the order that the sort gave, groups are sorted instead of rows. The
 * result is a valid Spark plan. It is used only if Ariadne converts all of it.
 */
final class SortedAggregates {
  /** On aggregations made here that had rows sorted below them. */
  private static final TreeNodeTag<Boolean> SPARES_SORT = new TreeNodeTag<>("ariadneSparesSort");

  private final Set<String> disabled;
  private final Set<SparkPlan> made = Collections.newSetFromMap(new IdentityHashMap<>());

  /**
   * Creates the rewriting of one plan.
   *
   * @param disabled names of operators and expressions that stay with Spark
   */
  SortedAggregates(Set<String> disabled) {
    this.disabled = disabled;
  }

  /** Returns the plan with aggregations by hashing; the same plan when nothing changes. */
  SparkPlan hashed(SparkPlan plan) {
    return hashed(plan, true);
  }

  /** Returns whether every aggregation made here converts. */
  boolean allConvert(PlanTag root) {
    return root.all().filter(tag -> made.contains(tag.plan())).allMatch(PlanTag::converts);
  }

  private SparkPlan hashed(SparkPlan plan, boolean isOrderSeen) {
    if (plan instanceof SortAggregateExec aggregate && converts(aggregate)) {
      SparkPlan unsorted = withoutSort(aggregate);
      SparkPlan hashed = asHash(aggregate, hashed(unsorted, false));
      if (unsorted != aggregate.child()) {
        hashed.setTagValue(SPARES_SORT, true);
      }
      made.add(hashed);
      return isOrderSeen && !aggregate.outputOrdering().isEmpty()
          ? new SortExec(
              ScalaCollections.seq(ScalaCollections.<SortOrder>list(aggregate.outputOrdering())),
              false,
              hashed,
              0)
          : hashed;
    }
    boolean isSeenBelow = seesOrder(plan, isOrderSeen);
    return PlanChildren.map(plan, child -> hashed(child, isSeenBelow));
  }

  /** Returns whether an aggregation was made here without the sort that was below it. */
  static boolean sparesSort(ObjectHashAggregateExec aggregate) {
    return aggregate.getTagValue(SPARES_SORT).isDefined();
  }

  private boolean converts(SortAggregateExec aggregate) {
    return !disabled.contains("SortAggregateExec")
        && AriadneHashAggregateExec.tryConvert(aggregate, ConversionScope.trial(disabled))
            .node()
            .isPresent();
  }

  /** Returns whether a node or a node above it may depend on the order of its input. */
  private static boolean seesOrder(SparkPlan plan, boolean isOrderSeen) {
    if (plan instanceof ProjectExec || plan instanceof FilterExec) {
      return isOrderSeen;
    }
    if (plan instanceof HashAggregateExec || plan instanceof ObjectHashAggregateExec) {
      return !ScalaCollections.<AggregateExpression>list(
              ((BaseAggregateExec) plan).aggregateExpressions())
          .stream()
          .allMatch(aggregate -> aggregate.aggregateFunction().deterministic()); // first, lists
    }
    return !(plan instanceof Exchange || plan instanceof SortExec);
  }

  private static SparkPlan withoutSort(SortAggregateExec aggregate) {
    SparkPlan child = aggregate.child();
    boolean isForKeys =
        child instanceof SortExec sort
            && !sort.global()
            && isOrder(
                ScalaCollections.<SortOrder>list(sort.sortOrder()),
                ScalaCollections.<NamedExpression>list(aggregate.groupingExpressions()));
    return isForKeys ? ((SortExec) child).child() : child;
  }

  private static boolean isOrder(List<SortOrder> order, List<NamedExpression> keys) {
    if (order.size() != keys.size()) {
      return false;
    }
    for (int i = 0; i < keys.size(); i++) {
      if (!order.get(i).child().semanticEquals((Expression) keys.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static SparkPlan asHash(SortAggregateExec aggregate, SparkPlan child) {
    ObjectHashAggregateExec hash =
        new ObjectHashAggregateExec(
            aggregate.requiredChildDistributionExpressions(),
            aggregate.isStreaming(),
            aggregate.numShufflePartitions(),
            aggregate.groupingExpressions(),
            aggregate.aggregateExpressions(),
            aggregate.aggregateAttributes(),
            aggregate.initialInputBufferOffset(),
            aggregate.resultExpressions(),
            child);
    hash.copyTagsFrom(aggregate);
    return hash;
  }
}
