package io.ariadne.bridge.node

import java.util.concurrent.{ExecutorService, Future => JavaFuture}

import scala.concurrent.{Future, Promise}

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.plans.physical.BroadcastMode
import org.apache.spark.sql.execution.{SparkPlan, SQLExecution}
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec

/**
 * A broadcast of columns: Spark's `BroadcastExchangeExec` over one of our nodes. What it broadcasts
 * is a relation of Spark's as well, so that whoever reads Spark's broadcast reads this one, or, for
 * joins without keys, [[BroadcastRows]], which a [[BroadcastRowsExec]] makes Spark's array of.
 *
 * @param columnarMode what Spark's joins read
 * @param input the input, one of our nodes
 * @param broadcasts makes the value
 */
final class AriadneBroadcastExchangeExec(
    columnarMode: BroadcastMode,
    input: SparkPlan,
    val broadcasts: ColumnarBroadcasts)
    extends BroadcastExchangeExec(columnarMode, input) {

  @transient private lazy val completion = Promise[Broadcast[Any]]()

  /** What is broadcast: Spark itself keeps it on the driver of a cluster in bytes only. */
  @transient @volatile private var value: AnyRef = _

  /** Returns what was kept, null before. */
  def kept: AnyRef = value

  /** Keeps what is broadcast for those who look rows up in it on the driver. */
  def keep(broadcastValue: AnyRef): Unit = value = broadcastValue

  @transient override lazy val completionFuture: Future[Broadcast[Any]] = completion.future

  @transient override lazy val relationFuture: JavaFuture[Broadcast[Any]] =
    SQLExecution.withThreadLocalCaptured[Broadcast[Any]](session, broadcasts.executor()) {
      try {
        sparkContext.addJobTag(jobTag)
        sparkContext.setInterruptOnCancel(true)
        val broadcast = broadcasts.create(this)
        completion.trySuccess(broadcast)
        broadcast
      } catch {
        case e: Throwable =>
          val failure = broadcasts.failure(e)
          completion.tryFailure(failure)
          throw failure
      }
    }

  /** The form of a broadcast of Spark's of the same rows, so that either can be used for the other. */
  override def doCanonicalize(): SparkPlan =
    BroadcastExchangeExec(mode.canonicalized, broadcasts.rowsOf(child).canonicalized)

  override protected def otherCopyArgs: Seq[AnyRef] = Seq(broadcasts)

  override def stringArgs: Iterator[Any] = Iterator(mode, s"[plan_id=$id]")

  override protected def withNewChildInternal(newChild: SparkPlan): AriadneBroadcastExchangeExec =
    new AriadneBroadcastExchangeExec(mode, newChild, broadcasts)
}

/** Makes the values that nodes broadcast. */
trait ColumnarBroadcasts extends Serializable {

  /** Returns the threads that broadcasts are made on. */
  def executor(): ExecutorService

  /** Returns what Spark's broadcast would fail with. */
  def failure(cause: Throwable): Throwable

  /** Returns the rows of an input as Spark's broadcast would collect them. */
  def rowsOf(input: SparkPlan): SparkPlan

  /** Runs the input and broadcasts its rows; called once per node, on a thread of the executor. */
  def create(node: AriadneBroadcastExchangeExec): Broadcast[Any]
}
