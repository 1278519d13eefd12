package io.ariadne.bridge.node

import scala.reflect.ClassTag

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, SortOrder}
import org.apache.spark.sql.catalyst.plans.physical.{Partitioning, SinglePartition}
import org.apache.spark.sql.execution.{SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec
import org.apache.spark.sql.vectorized.ColumnarBatch

/**
 * Combines the child's partitions in one task, without an exchange. It replaces an exchange to
 * few partitions whose input is small, or a single task's work anyway. One task computes all
 * partitions of the child, one after the other.
 *
 * @param instead the partitioning of the exchange that it replaces
 * @param onlyCollected whether it may replace the exchange only where Spark's driver collects all
 * rows; see [[AriadneCollectedResultExec]]
 */
final case class OnePartitionExec(instead: Partitioning, onlyCollected: Boolean, child: SparkPlan)
    extends UnaryExecNode {

  /**
   * The canonical form of the exchange that it replaces. A plan that kept the exchange (the
   * broadcast of dynamic pruning, planned separately) then still equals the join's.
   */
  override def doCanonicalize(): SparkPlan = exchange.canonicalized

  /** Returns the exchange that it replaces. */
  def exchange: SparkPlan = ShuffleExchangeExec(instead, child)

  override protected def stringArgs: Iterator[Any] = Iterator.empty

  override def output: Seq[Attribute] = child.output

  override def outputPartitioning: Partitioning = SinglePartition

  /** No ordering where several partitions follow one another. */
  override def outputOrdering: Seq[SortOrder] =
    if (child.outputPartitioning == SinglePartition) child.outputOrdering else Nil

  override def supportsColumnar: Boolean = child.supportsColumnar

  override protected def doExecute(): RDD[InternalRow] = OnePartitionExec.together(child.execute())

  override protected def doExecuteColumnar(): RDD[ColumnarBatch] =
    OnePartitionExec.together(child.executeColumnar())

  override protected def withNewChildInternal(newChild: SparkPlan): OnePartitionExec =
    copy(child = newChild)
}

object OnePartitionExec {

  /**
   * Returns an RDD of exactly one partition, also for an input without any: an aggregation
   * without groups returns one row for an empty input.
   *
   * @param input its partitions are computed one after the other, and each row or batch is used
   * before the next one is requested
   */
  def together[T: ClassTag](input: RDD[T]): RDD[T] =
    input.getNumPartitions match {
      case 1 => input
      case 0 => input.sparkContext.parallelize(Seq.empty[T], 1)
      case _ => input.coalesce(1, shuffle = false)
    }

  /** Returns an RDD of at most so many partitions; input as above, partitions at least 1. */
  def together[T: ClassTag](input: RDD[T], partitions: Int): RDD[T] =
    if (partitions == 1) together(input) else input.coalesce(partitions, shuffle = false)
}
