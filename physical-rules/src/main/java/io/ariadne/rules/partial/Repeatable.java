package io.ariadne.rules.partial;

import io.ariadne.bridge.ScalaCollections;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.optimizer.BuildLeft$;
import org.apache.spark.sql.catalyst.optimizer.BuildRight$;
import org.apache.spark.sql.catalyst.optimizer.BuildSide;
import org.apache.spark.sql.catalyst.plans.FullOuter$;
import org.apache.spark.sql.catalyst.plans.InnerLike;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.execution.joins.BroadcastNestedLoopJoinExec;

/**
 * Checks that a plan may be evaluated partition by partition, in any order: its rows over all
 * partitions are the same, however they are divided.
 */
final class Repeatable {
  private static final String KEEP = "write the rows to a table first, and aggregate that";

  /** Nodes that treat every row on its own, by the names of Spark's classes. */
  private static final Set<String> ROW_BY_ROW =
      Set.of(
          "ProjectExec",
          "FilterExec",
          "ExpandExec",
          "GenerateExec",
          "UnionExec",
          "DeserializeToObjectExec",
          "MapElementsExec",
          "SerializeFromObjectExec");

  /** Leaves, by name, as some lines of Spark lack some. */
  private static final Set<String> LEAVES =
      Set.of(
          "FileSourceScanExec",
          "BatchScanExec",
          "RowDataSourceScanExec",
          "HiveTableScanExec",
          "InMemoryTableScanExec",
          "LocalTableScanExec",
          "OneRowRelationExec",
          "RangeExec",
          "RDDScanExec",
          "ExternalRDDScanExec");

  private Repeatable() {}

  /**
   * Checks a plan.
   *
   * @param plan Spark's plan before exchanges and sorts are added
   * @throws io.ariadne.error.EngineException UNSUPPORTED if it may not, with the reason
   */
  static void require(SparkPlan plan) {
    ScalaCollections.<Expression>list(plan.expressions()).forEach(Repeatable::requireDeterministic);
    if (!isAllowed(plan)) {
      throw Unsupported.query(
          plan.nodeName() + " below the aggregation needs all rows, or rows in an order", KEEP);
    }
    partitionedChildren(plan).forEach(Repeatable::require);
  }

  /** Checks that an expression has the same value for the same row, in every partition. */
  static void requireDeterministic(Expression expression) {
    if (!expression.deterministic()) {
      throw Unsupported.query(
          expression.sql() + " below the aggregation is not deterministic", KEEP);
    }
  }

  /** Returns the children whose rows are divided among tasks: no build sides of broadcasts. */
  static List<SparkPlan> partitionedChildren(SparkPlan plan) {
    if (plan instanceof BroadcastHashJoinExec join) {
      return List.of(streamed(join.buildSide(), join.left(), join.right()));
    }
    if (plan instanceof BroadcastNestedLoopJoinExec join) {
      return List.of(streamed(join.buildSide(), join.left(), join.right()));
    }
    return ScalaCollections.list(plan.children());
  }

  private static SparkPlan streamed(BuildSide side, SparkPlan left, SparkPlan right) {
    return side == BuildLeft$.MODULE$ ? right : left;
  }

  private static boolean isAllowed(SparkPlan plan) {
    if (plan instanceof BroadcastNestedLoopJoinExec join) {
      return !marksBuildRows(join.joinType(), join.buildSide());
    }
    String name = plan.getClass().getSimpleName();
    boolean isSparks = plan.getClass().getName().startsWith("org.apache.spark.sql.");
    return plan instanceof BroadcastHashJoinExec
        || (isSparks && (ROW_BY_ROW.contains(name) || LEAVES.contains(name)));
  }

  /** Returns whether the result depends on which rows of the build side have a pair. */
  private static boolean marksBuildRows(JoinType type, BuildSide side) {
    if (type instanceof InnerLike) {
      return false;
    }
    boolean keepsRight = type == RightOuter$.MODULE$;
    return type == FullOuter$.MODULE$ || keepsRight == (side == BuildRight$.MODULE$);
  }
}
