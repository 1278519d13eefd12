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
 * Adapts a broadcast of rows without keys for a Spark node that reads it as an array. It
 * converts columns to that array, and passes on a value that is an array already. The kind of
 * broadcast is known only when it is read, because a reuse may replace one by the other.
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

  /** The canonical form of the broadcast, so that plan comparison ignores this node. */
  override protected def doCanonicalize(): SparkPlan = child.canonicalized

  override protected def withNewChildInternal(newChild: SparkPlan): BroadcastRowsExec =
    copy(child = newChild)
}

object BroadcastRowsExec {

  /** Returns Ariadne's broadcast that a plan is, is a stage of, or reuses. */
  def exchange(plan: SparkPlan): Option[AriadneBroadcastExchangeExec] =
    plan match {
      case exchange: AriadneBroadcastExchangeExec => Some(exchange)
      case stage: BroadcastQueryStageExec => exchange(stage.plan)
      case reused: ReusedExchangeExec => exchange(reused.child)
      case _ => None
    }

  /** Returns whether a plan is Ariadne's broadcast, a stage of one or the reuse of either. */
  def isOurs(plan: SparkPlan): Boolean = exchange(plan).isDefined
}

/** A broadcast of columns that can be converted to Spark's array of rows. */
trait BroadcastRows {

  /**
   * Returns the rows in order, not to be changed. All callers in a process get the same array as
   * long as it is in use.
   */
  def rows(): Array[InternalRow]
}

/**
 * A broadcast of columns, presented as the array that Spark's joins without keys read. The first
 * reader in a process makes the array and later readers share it: tasks and, on Spark's driver,
 * Spark's code generation, which reads its length.
 *
 * @param columns a broadcast of [[BroadcastRows]]
 * @param kept its value on Spark's driver, where Spark itself may have only bytes
 */
final class RowsBroadcast(columns: Broadcast[Any], @transient private val kept: BroadcastRows)
    extends Broadcast[Array[InternalRow]](columns.id) {

  override protected def getValue(): Array[InternalRow] =
    (if (kept == null) columns.value.asInstanceOf[BroadcastRows] else kept).rows()

  override protected def doUnpersist(blocking: Boolean): Unit = columns.unpersist(blocking)

  override protected def doDestroy(blocking: Boolean): Unit = columns.destroy()
}
