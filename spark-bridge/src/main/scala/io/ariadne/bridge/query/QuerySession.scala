package io.ariadne.bridge.query

import java.util.{List => JavaList, Map => JavaMap}

import org.apache.spark.SparkContext
import org.apache.spark.sql.{Dataset, Row, SparkSession}
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LeafNode, LogicalPlan}
import org.apache.spark.sql.execution.{QueryExecution, SparkPlan, SQLExecution}
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.execution.reuse.ReuseExchangeAndSubquery

/**
 * A copy of a query's session, with settings of its own, in which parts of the query are planned
 * and executed, by calls within [[active]]. Views, functions and settings are those that the
 * session had when it was copied.
 *
 * @param dataset the query; one of Spark Connect has no plan, and is an
 * `UnsupportedOperationException` of Spark's
 * @param copy a clone of the query's session: Spark lets only Java code outside its own packages
 * make one
 * @param settings settings that differ from those of the query's session
 */
final class QuerySession(
    dataset: Dataset[_],
    copy: SparkSession,
    settings: JavaMap[String, String]) {
  private val original = dataset.queryExecution
  private val session = QuerySession.likewise(original.sparkSession, copy)

  settings.forEach((key, value) => session.conf.set(key, value))

  private val query = new QueryExecution(
    session,
    QuerySession.reading(original.commandExecuted)(files => files.copy()(session)))

  def sparkContext: SparkContext = session.sparkContext

  /** Whether the query reads a stream. */
  def isStreaming: Boolean = original.logical.isStreaming

  /** Whether the query aggregates, also if Spark has found its result without a job. */
  def isAggregation: Boolean = original.analyzed.exists(_.isInstanceOf[Aggregate])

  /** Spark's physical plan before its preparation: without exchanges, sorts and transitions. */
  def plan: SparkPlan = query.sparkPlan.clone()

  /** Returns a part of the plan with all that Spark adds for its execution. */
  def prepare(part: SparkPlan): SparkPlan =
    ReuseExchangeAndSubquery(QueryExecution.prepareExecutedPlan(session, part))

  /**
   * Executes a prepared plan as a query of its own, with a number and a page in Spark's UI.
   *
   * @param label what the UI and listeners show
   */
  def collect(label: String, prepared: SparkPlan): JavaList[Row] = {
    val execution = new PartExecution(prepared)
    val rows = SQLExecution.withNewExecutionId(execution, Some(label)) {
      execution.executedPlan.executeCollectPublic()
    }
    java.util.Arrays.asList(rows: _*)
  }

  /** Returns what a function returns while this session is active. */
  def active[T](body: java.util.function.Supplier[T]): T = {
    val before = SparkSession.getActiveSession
    SparkSession.setActiveSession(session)
    try body.get()
    finally before.fold(SparkSession.clearActiveSession())(SparkSession.setActiveSession(_))
  }

  final private class PartExecution(prepared: SparkPlan)
      extends QueryExecution(session, query.logical) {
    override lazy val executedPlan: SparkPlan = prepared
  }
}

private object QuerySession {

  /** Returns an object by the type of another: of sessions, which differs between Spark lines. */
  private def likewise[T](other: T, copy: AnyRef): T = copy.asInstanceOf[T]

  /**
   * Returns a plan with other file relations: files are split by the settings of the session that
   * their relation knows. That session is no part of equality, and Spark replaces no node by an
   * equal one; so another node takes the place of each relation in between.
   */
  private def reading(plan: LogicalPlan)(
      other: HadoopFsRelation => HadoopFsRelation): LogicalPlan =
    plan
      .transformWithSubqueries { case relation: LogicalRelation =>
        relation.relation match {
          case files: HadoopFsRelation => Replaced(relation.copy(relation = other(files)))
          case _ => relation
        }
      }
      .transformWithSubqueries { case Replaced(relation) => relation }
}

/** Represents a relation while another one takes its place. */
final private case class Replaced(relation: LogicalRelation) extends LeafNode {
  override def output: Seq[Attribute] = relation.output
}
