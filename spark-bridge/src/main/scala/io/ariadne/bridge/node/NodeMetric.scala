package io.ariadne.bridge.node

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
    factory: (SparkContext, String) => SQLMetric) {

  private[node] def create(context: SparkContext): SQLMetric = factory(context, description)

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
}
