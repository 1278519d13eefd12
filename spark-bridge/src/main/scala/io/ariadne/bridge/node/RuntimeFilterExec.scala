package io.ariadne.bridge.node

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, SortOrder}
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{SparkPlan, UnaryExecNode}
import org.apache.spark.sql.vectorized.ColumnarBatch

/**
 * Marks the input of an exchange that makes or tests runtime filters. It passes all rows; the
 * exchange does the work, if it becomes one of ours. As a node of its own it keeps Spark from
 * using the exchange in the place of another one, whose reader wants all rows.
 *
 * @param roles what the exchange does; a plain value with equality
 */
final case class RuntimeFilterExec(roles: AnyRef, child: SparkPlan) extends UnaryExecNode {
  override def output: Seq[Attribute] = child.output

  override def outputPartitioning: Partitioning = child.outputPartitioning

  override def outputOrdering: Seq[SortOrder] = child.outputOrdering

  override def supportsColumnar: Boolean = child.supportsColumnar

  override protected def doExecute(): RDD[InternalRow] = child.execute()

  override protected def doExecuteColumnar(): RDD[ColumnarBatch] = child.executeColumnar()

  override protected def withNewChildInternal(newChild: SparkPlan): RuntimeFilterExec =
    copy(child = newChild)
}
