package io.ariadne.bridge.node

import org.apache.spark.{Partition, SparkContext, TaskContext}
import org.apache.spark.rdd.RDD

/**
 * Partitions without elements, for a [[PartitionRdd]] whose function needs only the partition's
 * number.
 *
 * @param context the application
 * @param count number of partitions
 */
final class EmptyPartitionsRdd(context: SparkContext, count: Int) extends RDD[Unit](context, Nil) {
  override protected def getPartitions: Array[Partition] =
    Array.tabulate(count)(new NumberedPartition(_))

  override def compute(partition: Partition, context: TaskContext): Iterator[Unit] =
    Iterator.empty
}

private final class NumberedPartition(override val index: Int) extends Partition
