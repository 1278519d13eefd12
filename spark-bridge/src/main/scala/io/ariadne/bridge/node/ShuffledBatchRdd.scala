package io.ariadne.bridge.node

import java.util.{Iterator => JavaIterator, List => JavaList}

import io.ariadne.bridge.ScalaCollections
import org.apache.spark.{Dependency, Partition, ShuffleDependency, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.execution.ShufflePartitionSpec
import org.apache.spark.sql.vectorized.ColumnarBatch

/**
 * What reduce tasks read of a shuffle.
 *
 * @param dependency the shuffle
 * @param specs what each partition reads
 * @param read reads one partition, in its task
 */
final class ShuffledBatchRdd(
    dependency: ShuffleDependency[_, _, _],
    @transient private val specs: Array[ShufflePartitionSpec],
    read: ShuffledBatchReader)
    extends RDD[ColumnarBatch](dependency.rdd.context, Nil) {

  override protected def getDependencies: Seq[Dependency[_]] = Seq(dependency)

  override protected def getPartitions: Array[Partition] =
    Array.tabulate[Partition](specs.length)(i => new ShuffledPartition(i, specs(i)))

  override protected def getPreferredLocations(partition: Partition): Seq[String] = {
    val hosts = Vector.newBuilder[String]
    read
      .preferredHosts(dependency, partition.asInstanceOf[ShuffledPartition].spec)
      .forEach(host => hosts += host)
    hosts.result()
  }

  override def compute(partition: Partition, context: TaskContext): Iterator[ColumnarBatch] = {
    val spec = partition.asInstanceOf[ShuffledPartition].spec
    ScalaCollections.iterator(read.read(dependency, spec, context))
  }
}

private final class ShuffledPartition(override val index: Int, val spec: ShufflePartitionSpec)
    extends Partition

/** Reads partitions of a shuffle. Shipped to executors. */
trait ShuffledBatchReader extends Serializable {

  /** Returns the hosts that have most of a partition; on the driver. */
  def preferredHosts(
      dependency: ShuffleDependency[_, _, _],
      spec: ShufflePartitionSpec): JavaList[String]

  /** Returns a partition's batches, each valid until the next one is asked for; in a task. */
  def read(
      dependency: ShuffleDependency[_, _, _],
      spec: ShufflePartitionSpec,
      context: TaskContext): JavaIterator[ColumnarBatch]
}
