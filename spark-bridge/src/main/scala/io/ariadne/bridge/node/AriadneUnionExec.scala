package io.ariadne.bridge.node

import java.util.{List => JavaList}

import org.apache.spark.Partition
import org.apache.spark.rdd.{PartitionCoalescer, PartitionGroup, RDD}
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.physical.{Partitioning, UnknownPartitioning}
import org.apache.spark.sql.execution.{SparkPlan, UnionExec}
import org.apache.spark.sql.vectorized.ColumnarBatch

/**
 * The rows of all children, in columns, like Spark's `UnionExec`. The partitions of the children
 * follow one another. If the children are partitioned alike and the union keeps that
 * partitioning (Spark 4.1, `spark.sql.unionOutputPartitioning`), partitions with the same number
 * are concatenated; Spark's own node returns rows in that case.
 *
 * @param keepsPartitioning whether nodes above may rely on the children's partitioning
 * @param children the inputs, in columns
 */
final class AriadneUnionExec(keepsPartitioning: java.lang.Boolean, override val children: Seq[SparkPlan])
    extends SparkPlan
    with AriadneExec {
  override protected def nodeArguments: Array[AnyRef] = Array(keepsPartitioning)

  override protected def childArguments: Seq[AnyRef] = Seq(children)

  override protected def declaredMetrics: JavaList[NodeMetric] = JavaList.of()

  @transient private lazy val spark: UnionExec = UnionExec(children)

  override def output: Seq[Attribute] = spark.output

  override def outputPartitioning: Partitioning =
    if (keepsPartitioning) spark.outputPartitioning else UnknownPartitioning(0)

  override protected def doExecuteColumnar(): RDD[ColumnarBatch] = {
    val inputs = children.map(_.executeColumnar())
    if (keepsPartitioning) AriadneUnionExec.concatenatedByNumber(inputs) else sparkContext.union(inputs)
  }

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[SparkPlan]): SparkPlan =
    new AriadneUnionExec(keepsPartitioning, newChildren)
}

object AriadneUnionExec {

  /** Returns the node that replaces Spark's. */
  def of(union: UnionExec, inputs: Seq[SparkPlan]): AriadneUnionExec =
    new AriadneUnionExec(!union.outputPartitioning.isInstanceOf[UnknownPartitioning], inputs)

  /** Returns an RDD in which each partition concatenates the inputs' partitions with its number. */
  def concatenatedByNumber(inputs: Seq[RDD[ColumnarBatch]]): RDD[ColumnarBatch] = {
    val present = inputs.filter(_.getNumPartitions > 0)
    val counts = present.map(_.getNumPartitions).distinct
    require(counts.size <= 1, s"a union of equal partitionings has inputs of $counts partitions")
    if (present.size > 1) {
      val all = present.head.sparkContext.union(present)
      all.coalesce(counts.head, shuffle = false, Some(SameNumber(counts.head)))
    } else {
      present.headOption.getOrElse(inputs.head)
    }
  }

  private def commonest(locations: Seq[String]): Option[String] =
    locations.groupBy(identity).toSeq.sortBy(-_._2.size).headOption.map(_._1)

  /** Groups partitions that have the same index modulo the number of partitions per input. */
  final private case class SameNumber(partitions: Int) extends PartitionCoalescer {
    override def coalesce(maxPartitions: Int, parent: RDD[_]): Array[PartitionGroup] = {
      val all: Array[Partition] = parent.partitions
      Array.tabulate(partitions) { number =>
        val members = (number until all.length by partitions).map(all(_))
        val group = new PartitionGroup(commonest(members.flatMap(parent.preferredLocations)))
        group.partitions ++= members
        group
      }
    }
  }
}
