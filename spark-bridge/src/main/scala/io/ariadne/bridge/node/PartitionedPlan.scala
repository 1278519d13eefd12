package io.ariadne.bridge.node

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.SortOrder
import org.apache.spark.sql.catalyst.plans.physical.{Partitioning, UnknownPartitioning}
import org.apache.spark.sql.execution.{QueryExecution, SparkPlan}
import org.apache.spark.sql.execution.adaptive.{AdaptiveExecutionContext, AdaptiveSparkPlanExec}
import org.apache.spark.sql.execution.exchange.Exchange
import org.apache.spark.sql.execution.reuse.ReuseExchangeAndSubquery

/**
 * A plan, or the last stage of an adaptive one, that is prepared for execution when a consumer of
 * its partitions executes it. Spark's rules run on the consumer's thread, in the plan's session.
 * Thread-safe.
 *
 * Adaptive execution runs the stage of an exchange in it, on a thread of the pool on which the
 * outer plan waits for it, as Spark's subqueries do: with fewer threads
 * (`spark.sql.resultQueryStage.maxThreadThreshold`, 1024) than twice the consumers that execute
 * such plans at once, they wait forever.
 *
 * @param source the plan, without subqueries: finished stages as leaves, and the exchanges that it
 * needs
 */
final class PartitionedPlan(@transient private val source: SparkPlan) extends Serializable {
  @transient private var prepared: SparkPlan = _

  /** The prepared plan, if a consumer has executed it; of an adaptive plan, what it has become. */
  def planned: Option[SparkPlan] = synchronized {
    Option(prepared).map {
      case adaptive: AdaptiveSparkPlanExec => adaptive.executedPlan
      case plan => plan
    }
  }

  /** How the rows are partitioned: not known before a consumer has executed the plan. */
  def outputPartitioning: Partitioning =
    planned.map(_.outputPartitioning).getOrElse(UnknownPartitioning(0))

  /** The order of the rows of each partition: none before a consumer has executed the plan. */
  def outputOrdering: Seq[SortOrder] = planned.map(_.outputOrdering).getOrElse(Nil)

  /** Returns the rows. Adaptive execution applies rules while it executes, so this forbids, too. */
  def execute(): RDD[InternalRow] = PartitionedPlan.forbidding(preparedOnce().execute())

  private def preparedOnce(): SparkPlan = synchronized {
    if (prepared == null) {
      prepared = withActiveSession(prepare())
    }
    prepared
  }

  /** Adaptive execution coalesces the partitions of exchanges, as it does in Spark's own plan. */
  private def prepare(): SparkPlan = {
    val session = source.session
    source.logicalLink match {
      case Some(logical) if isAdaptive && source.exists(_.isInstanceOf[Exchange]) =>
        val context = AdaptiveExecutionContext(session, new QueryExecution(session, logical))
        AdaptiveSparkPlanExec(source, context, Nil, isSubquery = false)
      case _ =>
        ReuseExchangeAndSubquery(QueryExecution.prepareExecutedPlan(session, source))
    }
  }

  private def isAdaptive: Boolean = source.conf.adaptiveExecutionEnabled

  private def withActiveSession[T](body: => T): T = {
    val before = SparkSession.getActiveSession
    SparkSession.setActiveSession(source.session)
    try body
    finally before.fold(SparkSession.clearActiveSession())(SparkSession.setActiveSession(_))
  }
}

object PartitionedPlan {
  private val forbidden = new ThreadLocal[java.lang.Boolean]

  /**
   * Returns whether a plan that is planned on the calling thread may have a partitioned plan beside
   * it: it is not itself one.
   */
  def isAllowed: Boolean = forbidden.get == null

  private def forbidding[T](body: => T): T = {
    val before = forbidden.get
    forbidden.set(true)
    try body
    finally forbidden.set(before)
  }
}
