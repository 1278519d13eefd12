package io.ariadne.bridge.node

import java.util.concurrent.{ExecutorService, Future => JavaFuture}

import scala.concurrent.{Future, Promise}

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.plans.physical.BroadcastMode
import org.apache.spark.sql.execution.{SparkPlan, SQLExecution}
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec

/**
 * A broadcast of columns: Spark's `BroadcastExchangeExec` over an Ariadne node. It broadcasts a
 * value that is also a relation of Spark's, so that every reader of Spark's broadcast can read
 * it, or, for joins without keys, [[BroadcastRows]], which a [[BroadcastRowsExec]] converts to
 * Spark's array.
 *
 * @param columnarMode the mode that Spark's joins read
 * @param input the input, an Ariadne node
 * @param broadcasts makes the value
 */
final class AriadneBroadcastExchangeExec(
    columnarMode: BroadcastMode,
    input: SparkPlan,
    val broadcasts: ColumnarBroadcasts)
    extends BroadcastExchangeExec(columnarMode, input) {

  @transient private lazy val completion = Promise[Broadcast[Any]]()

  /** The broadcast value. In a cluster Spark itself keeps only its bytes on Spark's driver. */
  @transient @volatile private var value: AnyRef = _

  /** Returns the broadcast value, null before it is made. */
  def kept: AnyRef = value

  /** Keeps the broadcast value for lookups on Spark's driver. */
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

  /**
   * The canonical form of Spark's broadcast of the same rows, so that either can replace the
   * other.
   */
  override def doCanonicalize(): SparkPlan =
    BroadcastExchangeExec(mode.canonicalized, broadcasts.rowsOf(child).canonicalized)

  override protected def otherCopyArgs: Seq[AnyRef] = Seq(broadcasts)

  override def stringArgs: Iterator[Any] = Iterator(mode, s"[plan_id=$id]")

  override protected def withNewChildInternal(newChild: SparkPlan): AriadneBroadcastExchangeExec =
    new AriadneBroadcastExchangeExec(mode, newChild, broadcasts)
}

/** Makes the values that nodes broadcast. */
trait ColumnarBroadcasts extends Serializable {

  /** Returns the threads on which broadcasts are made. */
  def executor(): ExecutorService

  /** Returns the exception with which Spark's broadcast would fail. */
  def failure(cause: Throwable): Throwable

  /** Returns the rows of an input as Spark's broadcast would collect them. */
  def rowsOf(input: SparkPlan): SparkPlan

  /** Runs the input and broadcasts its rows. Called once per node, on a thread of the executor. */
  def create(node: AriadneBroadcastExchangeExec): Broadcast[Any]
}
