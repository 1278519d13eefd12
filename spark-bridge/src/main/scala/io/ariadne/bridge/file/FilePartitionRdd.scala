package io.ariadne.bridge.file

import java.util.{Iterator => JavaIterator, List => JavaList}

import org.apache.spark.{Partition, SparkContext, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.execution.datasources.FilePartition
import org.apache.spark.sql.vectorized.ColumnarBatch

/**
 * Partitions of a file scan, read by a function of ours instead of Spark's reader.
 *
 * @param context the application
 * @param files the partitions, numbered from 0 in order
 * @param read reads one partition, in its task
 */
final class FilePartitionRdd(
    context: SparkContext,
    @transient private val files: JavaList[FilePartition],
    read: FilePartitionReader)
    extends RDD[ColumnarBatch](context, Nil) {

  override protected def getPartitions: Array[Partition] = files.toArray(Array.empty[Partition])

  override protected def getPreferredLocations(partition: Partition): Seq[String] =
    partition.asInstanceOf[FilePartition].preferredLocations().toVector

  override def compute(partition: Partition, context: TaskContext): Iterator[ColumnarBatch] = {
    val batches = read.read(partition.asInstanceOf[FilePartition])
    new Iterator[ColumnarBatch] {
      override def hasNext: Boolean = batches.hasNext
      override def next(): ColumnarBatch = batches.next()
    }
  }
}

/** Reads one partition of a file scan. Shipped to executors. */
trait FilePartitionReader extends Serializable {

  /** Returns the partition's batches, each valid until the next one is asked for. */
  def read(partition: FilePartition): JavaIterator[ColumnarBatch]
}
