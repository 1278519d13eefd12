package io.ariadne.bridge.node

import java.util.{List => JavaList}

import org.apache.spark.SparkContext
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}

/**
 * Declares one metric of a plan node, as shown in Spark's SQL tab.
 *
 * @param name the key in `SparkPlan.metrics`
 * @param description the text that the SQL tab shows
 */
final class NodeMetric private (
    val name: String,
    val description: String,
    private val factory: (SparkContext, String) => SQLMetric) {

  override def toString: String = name
}

/** Creates metrics by the way their values are added up and printed. */
object NodeMetric {

  /**
   * Output rows of a node. The key is that of Spark's own nodes, which statistics and tests
   * read.
   */
  val outputRows: NodeMetric = sum("numOutputRows", "number of output rows")

  /** Output batches of a node. The key is that of Spark's own columnar nodes. */
  val outputBatches: NodeMetric = sum("numOutputBatches", "number of output batches")

  /** A plain sum. */
  def sum(name: String, description: String): NodeMetric =
    new NodeMetric(name, description, (context, text) => SQLMetrics.createMetric(context, text))

  /** Bytes: total, minimum, median and maximum over tasks. */
  def bytes(name: String, description: String): NodeMetric =
    new NodeMetric(name, description, (context, text) => SQLMetrics.createSizeMetric(context, text))

  /** Milliseconds: total, minimum, median and maximum over tasks. */
  def milliseconds(name: String, description: String): NodeMetric =
    new NodeMetric(
      name,
      description,
      (context, text) => SQLMetrics.createTimingMetric(context, text))

  /** Nanoseconds, printed as milliseconds: total, minimum, median and maximum over tasks. */
  def nanoseconds(name: String, description: String): NodeMetric =
    new NodeMetric(
      name,
      description,
      (context, text) => SQLMetrics.createNanoTimingMetric(context, text))

  /** Creates the metrics of a node on Spark's driver, by name. */
  private[node] def create(
      declared: JavaList[NodeMetric],
      context: SparkContext): Map[String, SQLMetric] = {
    val created = Map.newBuilder[String, SQLMetric]
    declared.forEach(metric =>
      created += metric.name -> metric.factory(context, metric.description))
    created.result()
  }
}
