package io.ariadne.bridge.node

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.optimizer.BuildSide
import org.apache.spark.sql.catalyst.plans.JoinType
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.joins.{BroadcastHashJoinExec, ShuffledHashJoinExec}

/**
 * Creates Spark's hash joins, whose other parameters, which have defaults, differ between Spark
 * lines.
 */
object HashJoinNodes {

  /** Returns a join with a broadcast side. */
  def broadcast(
      leftKeys: Seq[Expression],
      rightKeys: Seq[Expression],
      joinType: JoinType,
      buildSide: BuildSide,
      condition: Option[Expression],
      left: SparkPlan,
      right: SparkPlan,
      isNullAwareAntiJoin: Boolean): SparkPlan =
    BroadcastHashJoinExec(
      leftKeys, rightKeys, joinType, buildSide, condition, left, right, isNullAwareAntiJoin)

  /** Returns a join of two sides that are partitioned alike. */
  def shuffled(
      leftKeys: Seq[Expression],
      rightKeys: Seq[Expression],
      joinType: JoinType,
      buildSide: BuildSide,
      condition: Option[Expression],
      left: SparkPlan,
      right: SparkPlan): SparkPlan =
    ShuffledHashJoinExec(leftKeys, rightKeys, joinType, buildSide, condition, left, right)
}
