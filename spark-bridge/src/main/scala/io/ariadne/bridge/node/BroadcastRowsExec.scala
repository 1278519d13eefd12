package io.ariadne.bridge.node

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.adaptive.BroadcastQueryStageExec
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec

/**
 * Stands between a broadcast of rows that are not looked up by key and a node of Spark's that reads
 * it as an array: makes that array of what was broadcast in columns, and passes on what is an array
 * already. Whose broadcast it is shows when it is read, as a reuse may replace one by the other.
 *
 * @param child a broadcast, a finished stage of one or the reuse of either
 */
final case class BroadcastRowsExec(child: SparkPlan) extends UnaryExecNode {
  override def output: Seq[Attribute] = child.output

  override def outputPartitioning: Partitioning = child.outputPartitioning

  override def doExecuteBroadcast[T](): Broadcast[T] = {
    val value = child.executeBroadcast[Any]()
    val read: Broadcast[_] = BroadcastRowsExec.exchange(child).map(_.kept) match {
      case Some(rows: BroadcastRows) => new RowsBroadcast(value, rows)
      case _ => value
    }
    read.asInstanceOf[Broadcast[T]]
  }

  override protected def doExecute(): RDD[InternalRow] =
    throw new IllegalStateException(s"$nodeName is read as a broadcast")

  /** The form of the broadcast: to those who compare plans nothing is between it and its reader. */
  override protected def doCanonicalize(): SparkPlan = child.canonicalized

  override protected def withNewChildInternal(newChild: SparkPlan): BroadcastRowsExec =
    copy(child = newChild)
}

object BroadcastRowsExec {

  /** Returns the broadcast of ours that a plan is, a stage of or a reuse of. */
  def exchange(plan: SparkPlan): Option[AriadneBroadcastExchangeExec] =
    plan match {
      case exchange: AriadneBroadcastExchangeExec => Some(exchange)
      case stage: BroadcastQueryStageExec => exchange(stage.plan)
      case reused: ReusedExchangeExec => exchange(reused.child)
      case _ => None
    }

  /** Returns whether a plan is a broadcast of ours, a stage of one or the reuse of either. */
  def isOurs(plan: SparkPlan): Boolean = exchange(plan).isDefined
}

/** What is broadcast in columns and can be had as Spark's array of rows. */
trait BroadcastRows {

  /**
   * Returns the rows in their order, not to be changed; all of a process get the same array as long
   * as somebody uses it.
   */
  def rows(): Array[InternalRow]
}

/**
 * A broadcast of columns, as the array that Spark's joins without keys ask for. Whoever reads it
 * first in a process makes the array, and others there have the same: tasks, and on the driver
 * Spark's code generation, which looks at its length.
 *
 * @param columns a broadcast of [[BroadcastRows]]
 * @param kept its value on the driver, where Spark itself may have kept bytes only
 */
final class RowsBroadcast(columns: Broadcast[Any], @transient private val kept: BroadcastRows)
    extends Broadcast[Array[InternalRow]](columns.id) {

  override protected def getValue(): Array[InternalRow] =
    (if (kept == null) columns.value.asInstanceOf[BroadcastRows] else kept).rows()

  override protected def doUnpersist(blocking: Boolean): Unit = columns.unpersist(blocking)

  override protected def doDestroy(blocking: Boolean): Unit = columns.destroy()
}
