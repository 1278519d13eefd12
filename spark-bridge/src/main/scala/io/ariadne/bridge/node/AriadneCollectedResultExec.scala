package io.ariadne.bridge.node

import java.util.concurrent.Callable

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, SortOrder}
import org.apache.spark.sql.execution.{QueryExecution, SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.adaptive.{AdaptiveExecutionContext, AdaptiveSparkPlanExec}
import org.apache.spark.sql.execution.exchange.Exchange

/**
 * Root of a plan whose child computes all rows in one task. `executeCollect` returns the rows of
 * the child: Spark's driver gets all rows at once, so it cannot see how they are partitioned. Every
 * other consumer gets partitions (`toLocalIterator`, a cache, a checkpoint, a write, an RDD). For
 * these consumers the node plans the partitioned plan, once, when the first of them executes it.
 *
 * A Dataset reuses its plan, so both kinds of consumers may execute the same node. Thread-safe.
 *
 * @param partitioned the same rows with Spark's partitions, not yet prepared: Spark's nodes, and
 * finished stages as leaves
 */
final case class AriadneCollectedResultExec(partitioned: PartitionedPlan, child: SparkPlan)
    extends UnaryExecNode {
  override def output: Seq[Attribute] = child.output

  /** Rows are sorted within the partitions of either plan. */
  override def outputOrdering: Seq[SortOrder] = child.outputOrdering

  /** Shows the partitioned plan, too, after it has been planned. */
  override def innerChildren: Seq[SparkPlan] = partitioned.planned.toSeq

  override protected def stringArgs: Iterator[Any] = Iterator.empty

  override protected def doCanonicalize(): SparkPlan = child.canonicalized

  override def executeCollect(): Array[InternalRow] = child.executeCollect()

  override protected def doExecute(): RDD[InternalRow] = partitioned.execute()

  override protected def withNewChildInternal(newChild: SparkPlan): AriadneCollectedResultExec =
    copy(child = newChild)
}

object AriadneCollectedResultExec {
  private val planningPartitioned = new ThreadLocal[java.lang.Boolean]

  /**
   * Returns whether a plan that is planned on the calling thread may have a root of this kind: it
   * is not itself the partitioned plan of one.
   */
  def isAllowed: Boolean = planningPartitioned.get == null

  private[node] def forbidden[T](body: Callable[T]): T = {
    val before = planningPartitioned.get
    planningPartitioned.set(true)
    try body.call()
    finally planningPartitioned.set(before)
  }
}

/**
 * A plan that is prepared for execution when a consumer needs it. Spark's rules run on the
 * consumer's thread. Thread-safe.
 *
 * @param source the plan, with all exchanges that it needs
 */
final class PartitionedPlan(@transient private val source: SparkPlan) extends Serializable {
  @transient private var prepared: SparkPlan = _

  /** The plan, if a consumer has needed it. */
  def planned: Option[SparkPlan] = synchronized(Option(prepared))

  /** Returns the rows. Adaptive execution plans while it executes, so both forbid another root. */
  def execute(): RDD[InternalRow] =
    AriadneCollectedResultExec.forbidden(() => preparedOnce().execute())

  private def preparedOnce(): SparkPlan = synchronized {
    if (prepared == null) {
      prepared = prepare()
    }
    prepared
  }

  /** Adaptive execution coalesces the partitions of exchanges, as it does in Spark's own plan. */
  private def prepare(): SparkPlan = {
    val session = source.session
    source.logicalLink match {
      case Some(logical) if source.conf.adaptiveExecutionEnabled && hasExchange =>
        val context = AdaptiveExecutionContext(session, new QueryExecution(session, logical))
        AdaptiveSparkPlanExec(source, context, Nil, isSubquery = false)
      case _ => QueryExecution.prepareExecutedPlan(session, source)
    }
  }

  private def hasExchange: Boolean = source.exists(_.isInstanceOf[Exchange])
}
