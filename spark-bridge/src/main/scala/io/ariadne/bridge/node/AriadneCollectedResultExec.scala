package io.ariadne.bridge.node

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, SortOrder}
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{SparkPlan, UnaryExecNode}

/**
 * Root of a plan whose child computes all rows in one task. `executeCollect` returns the
 * rows of the child: Spark's driver gets all rows at once, so it cannot see how they are
 * partitioned. Every other consumer gets partitions (`toLocalIterator`, a cache, a checkpoint, a
 * write, an RDD). For these consumers the node executes the partitioned plan.
 *
 * Spark prepares the child for either kind of consumer. Without adaptive execution a consumer of
 * partitions therefore also starts the broadcasts of the child, which it does not read.
 *
 * A Dataset reuses its plan, so both kinds of consumers may execute the same node. Thread-safe.
 *
 * @param partitioned the same rows with Spark's partitions
 */
final case class AriadneCollectedResultExec(partitioned: PartitionedPlan, child: SparkPlan)
    extends UnaryExecNode {
  override def output: Seq[Attribute] = child.output

  /** Of the partitioned plan, because a consumer that asks executes that. */
  override def outputPartitioning: Partitioning = partitioned.outputPartitioning

  override def outputOrdering: Seq[SortOrder] = partitioned.outputOrdering

  /** Shows the partitioned plan, too, after a consumer has executed it. */
  override def innerChildren: Seq[SparkPlan] = partitioned.planned.toSeq

  override protected def stringArgs: Iterator[Any] = Iterator.empty

  override protected def doCanonicalize(): SparkPlan = child.canonicalized

  override def executeCollect(): Array[InternalRow] = child.executeCollect()

  override protected def doExecute(): RDD[InternalRow] = partitioned.execute()

  override protected def withNewChildInternal(newChild: SparkPlan): AriadneCollectedResultExec =
    copy(child = newChild)
}
