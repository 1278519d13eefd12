package io.ariadne.bridge.node

import java.util.{List => JavaList}

import scala.concurrent.Future

import org.apache.spark.ShuffleDependency
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.plans.logical.Statistics
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{
  CoalescedPartitionSpec,
  ShufflePartitionSpec,
  SparkPlan,
  SQLExecution
}
import org.apache.spark.sql.execution.exchange.{ShuffleExchangeLike, ShuffleOrigin}
import org.apache.spark.sql.execution.metric.{
  SQLMetric,
  SQLMetrics,
  SQLShuffleReadMetricsReporter,
  SQLShuffleWriteMetricsReporter
}
import org.apache.spark.sql.vectorized.ColumnarBatch

/**
 * An exchange of columns: Spark's `ShuffleExchangeExec` on Ariadne. Its map tasks run the fragment
 * below it, Spark's shuffle manager moves blocks of rows, and reduce tasks make batches of these.
 *
 * In Scala, because Java cannot inherit from `Exchange`: javac generates methods that are final
 * there.
 *
 * @param outputPartitioning how rows are placed
 * @param shuffleOrigin who has asked for the shuffle
 * @param advisoryPartitionSize the size of partitions that adaptive execution aims at
 * @param shuffles makes the shuffle
 * @param child the input, one of our nodes
 */
final class AriadneShuffleExchangeExec(
    override val outputPartitioning: Partitioning,
    override val shuffleOrigin: ShuffleOrigin,
    override val advisoryPartitionSize: Option[Long],
    val shuffles: ColumnarShuffles,
    override val child: SparkPlan)
    extends ShuffleExchangeLike
    with AriadneExec {

  /** How the shuffle moves its rows; none until it is made, null in a deserialized node. */
  @transient @volatile private var strategy: Option[String] = None

  /** The shuffle, made when it is first asked for. */
  @transient private lazy val shuffle: ColumnarShuffle = {
    val created = shuffles.create(this)
    strategy = Some(created.strategy)
    val partitions = metrics("numPartitions")
    partitions.set(created.dependency.partitioner.numPartitions)
    SQLMetrics.postDriverMetricUpdates(
      sparkContext,
      sparkContext.getLocalProperty(SQLExecution.EXECUTION_ID_KEY),
      Seq(partitions))
    created
  }

  override protected def nodeArguments: Array[AnyRef] =
    Array(outputPartitioning, shuffleOrigin, advisoryPartitionSize, shuffles)

  override def stringArgs: Iterator[Any] =
    Iterator[Any](outputPartitioning, shuffleOrigin, s"[plan_id=$id]") ++
      Option(strategy).flatten.map(text => s"[strategy: $text]")

  override protected def declaredMetrics: JavaList[NodeMetric] =
    JavaList.of(
      NodeMetric.bytes("dataSize", "data size"),
      NodeMetric.sum("numPartitions", "number of partitions"),
      NodeMetric.sum(
        AriadneShuffleExchangeExec.FILTERED_ROWS,
        "number of rows dropped by a runtime filter"),
      NodeMetric.outputBatches)

  /** The metrics of Spark's reports of what is written. */
  @transient lazy val writeMetrics: Map[String, SQLMetric] =
    SQLShuffleWriteMetricsReporter.createShuffleWriteMetrics(sparkContext)

  /** The metrics of Spark's reports of what is read, and those of the shuffles. */
  @transient lazy val readMetrics: Map[String, SQLMetric] =
    SQLShuffleReadMetricsReporter.createShuffleReadMetrics(sparkContext) ++
      NodeMetric.create(shuffles.readMetrics, sparkContext)

  @transient override lazy val metrics: Map[String, SQLMetric] =
    NodeMetric.create(declaredMetrics, sparkContext) ++ readMetrics ++ writeMetrics

  /** Of a type that Spark hides, to which this one conforms. */
  @transient override lazy val mapOutputStatisticsFuture: Future[Nothing] = shuffle.runMaps()

  override def numMappers: Int = shuffle.dependency.rdd.getNumPartitions

  override def numPartitions: Int = shuffle.dependency.partitioner.numPartitions

  /** Spark's number of the shuffle. */
  def shuffleId: Int = shuffle.dependency.shuffleId

  override def getShuffleRDD(partitionSpecs: Array[ShufflePartitionSpec]): RDD[_] =
    shuffle.read(partitionSpecs)

  override def runtimeStatistics: Statistics =
    Statistics(
      metrics("dataSize").value,
      Some(metrics(SQLShuffleWriteMetricsReporter.SHUFFLE_RECORDS_WRITTEN).value))

  @transient private lazy val everything: RDD[ColumnarBatch] =
    shuffle.read(Array.tabulate(numPartitions)(i => CoalescedPartitionSpec(i, i + 1)))

  override protected def doExecuteColumnar(): RDD[ColumnarBatch] = everything

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
    copyWith(Seq(newChild))
}

object AriadneShuffleExchangeExec {

  /** The metric of rows that a runtime filter has dropped before they were written. */
  val FILTERED_ROWS = "numFilteredRows"
}

/** Makes shuffles of nodes. Compared by equality with those of other nodes. */
trait ColumnarShuffles extends Serializable {

  /** The metrics of nodes for what is read, besides Spark's. */
  def readMetrics: JavaList[NodeMetric]

  /** Makes the shuffle of a node; called once for each, on the driver. */
  def create(node: AriadneShuffleExchangeExec): ColumnarShuffle
}

/** A shuffle as Spark's scheduler knows it. */
trait ColumnarShuffle {

  /** What the scheduler runs map tasks for. */
  def dependency: ShuffleDependency[_, _, _]

  /** How the rows get from map tasks to reduce tasks, and why so, for people. */
  def strategy: String

  /**
   * Starts the map tasks; the result is null for a shuffle without any. Of `MapOutputStatistics`,
   * which Spark hides.
   */
  def runMaps(): Future[Nothing]

  /**
   * Returns what reduce tasks read.
   *
   * @param specs what each partition reads
   */
  def read(specs: Array[ShufflePartitionSpec]): RDD[ColumnarBatch]
}
