package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.OnePartitionExec;
import io.ariadne.rules.exec.translation.NodeConversion;
import io.ariadne.rules.expression.TotalExpressions;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.BaseLimitExec;
import org.apache.spark.sql.execution.CollectLimitExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.GenerateExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SampleExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.TakeOrderedAndProjectExec;
import org.apache.spark.sql.execution.UnionExec;
import org.apache.spark.sql.execution.adaptive.AQEShuffleReadExec;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.exchange.Exchange;
import org.apache.spark.sql.execution.joins.BaseJoinExec;
import org.apache.spark.sql.execution.joins.CartesianProductExec;

/**
 * Leaves a node to Spark where it may raise for rows that Spark would not compute.
 *
 * <p>Spark's generated code computes a projection only for rows that the filters, joins and limits
 * above it do not drop. Ariadne computes whole batches. Therefore a projection that may raise stays
 * with Spark below such a node, and a filter that may raise stays with Spark below a limit, which
 * stops early. Below a filter of Ariadne's, a projection may be converted: {@code
 * FilterTranslation} computes it after the filter, unless Spark generates no code for one of the
 * two. A node that drops rows also stays with Spark above a projection that stays there and may
 * raise. A limit stays with Spark above any node that Spark computes row by row.
 */
final class SkippedRowErrors {
  private SkippedRowErrors() {}

  /**
   * Describes the nodes above a node, up to the next node that computes all of its rows in any
   * case.
   *
   * @param drops the next node that does not use every row, or null
   * @param isBehind whether the node's own projection is computed after all nodes that drop rows
   * @param stops a node that does not ask for every row, or null
   */
  private record Above(SparkPlan drops, boolean isBehind, SparkPlan stops) {
    static final Above NOTHING = new Above(null, false, null);

    /** Returns the node that drops rows of a node's own projection, or null. */
    SparkPlan dropsProjection() {
      return isBehind ? null : drops;
    }
  }

  /** Adds reasons to the tags of a plan: of a whole plan, or of one stage of an adaptive plan. */
  static void guard(PlanTag root) {
    guard(root, Above.NOTHING);
    guardImports(root);
    guardLimits(root);
  }

  /**
   * Leaves nodes to Spark that drop rows of a projection of Spark's that may raise, because an
   * import computes all rows of it.
   */
  private static void guardImports(PlanTag tag) {
    SparkPlan plan = tag.plan();
    if (tag.converts()
        && (plan instanceof FilterExec || isDropping(plan))
        && tag.children().stream().anyMatch(SkippedRowErrors::isLazy)) {
      tag.against("a node of Spark's below may raise for rows it is not asked for");
    }
    tag.children().forEach(SkippedRowErrors::guardImports);
  }

  /**
   * Returns whether Spark may compute, and raise for, fewer than all rows of a node or of a node
   * below.
   */
  private static boolean isLazy(PlanTag tag) {
    if (projects(tag.plan()) && !tag.converts() && !neverRaises(tag)) {
      return true;
    }
    return !computesAllRows(tag.plan())
        && tag.children().stream().anyMatch(SkippedRowErrors::isLazy);
  }

  private static boolean neverRaises(PlanTag tag) {
    return ScalaCollections.<Expression>list(tag.plan().expressions()).stream()
            .allMatch(TotalExpressions::neverRaises)
        || tag.conversion().filter(made -> made.node().isPresent() && !made.mayRaise()).isPresent();
  }

  /**
   * Leaves limits to Spark below which a node of Spark's computes row by row: an import reads more
   * of its rows than a limit asks for.
   */
  private static void guardLimits(PlanTag tag) {
    tag.children().forEach(SkippedRowErrors::guardLimits);
    if (tag.converts()
        && isLimit(tag.plan())
        && !tag.children().stream().allMatch(SkippedRowErrors::mayBeReadAhead)) {
      tag.against("a node of Spark's below computes the rows it is asked for");
    }
  }

  private static boolean mayBeReadAhead(PlanTag tag) {
    SparkPlan plan = tag.plan();
    if (tag.children().isEmpty()
        || plan instanceof Exchange
        || plan instanceof AQEShuffleReadExec
        || plan instanceof SortExec
        || (tag.converts() && computesAllRows(plan))) {
      return true;
    }
    boolean passesRowsOn =
        tag.converts() || plan instanceof OnePartitionExec || plan instanceof UnionExec;
    return passesRowsOn && tag.children().stream().allMatch(SkippedRowErrors::mayBeReadAhead);
  }

  private static boolean isLimit(SparkPlan plan) {
    return plan instanceof BaseLimitExec || plan instanceof CollectLimitExec;
  }

  private static void guard(PlanTag tag, Above above) {
    SparkPlan dropping = projects(tag.plan()) ? above.dropsProjection() : above.stops;
    if (tag.converts() && dropping != null && mayRaise(tag)) {
      tag.against("it may raise for rows that " + dropping.nodeName() + " does not ask for");
    }
    for (PlanTag child : tag.children()) {
      guard(child, below(tag, child, above));
    }
  }

  private static boolean projects(SparkPlan plan) {
    return plan instanceof ProjectExec || plan instanceof BaseAggregateExec;
  }

  private static boolean mayRaise(PlanTag tag) {
    return tag.conversion().map(NodeConversion::mayRaise).orElse(false);
  }

  private static Above below(PlanTag tag, PlanTag child, Above above) {
    SparkPlan plan = tag.plan();
    if (computesAllRows(plan)) {
      return Above.NOTHING;
    }
    if (isLimit(plan)) {
      return new Above(plan, false, plan);
    }
    if (plan instanceof FilterExec || isDropping(plan)) {
      boolean isFirst = above.drops == null || (above.isBehind && isJoin(plan));
      return new Above(plan, isFirst && computesBehind(tag, child), above.stops);
    }
    return new Above(above.drops, above.isBehind && JoinProjections.passesOn(tag), above.stops);
  }

  /**
   * Returns whether a node of ours computes a projection below it only for the rows it does not
   * drop, or a join of ours that of its own input.
   */
  private static boolean computesBehind(PlanTag tag, PlanTag child) {
    if (!tag.converts() || !child.converts()) {
      return false;
    }
    return isJoin(tag.plan())
        ? JoinProjections.computesBehind(tag, child)
        : projects(child.plan()) || isJoin(child.plan());
  }

  private static boolean isJoin(SparkPlan plan) {
    return plan instanceof BaseJoinExec;
  }

  private static boolean isDropping(SparkPlan plan) {
    return plan instanceof BaseJoinExec
        || plan instanceof SampleExec
        || plan instanceof GenerateExec;
  }

  private static boolean computesAllRows(SparkPlan plan) {
    return plan instanceof Exchange
        || plan instanceof SortExec
        || plan instanceof BaseAggregateExec
        || plan instanceof CartesianProductExec
        || plan instanceof TakeOrderedAndProjectExec;
  }
}
