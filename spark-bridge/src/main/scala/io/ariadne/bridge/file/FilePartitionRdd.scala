package io.ariadne.bridge.file

import java.util.{Iterator => JavaIterator}

import org.apache.spark.{Partition, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.execution.datasources.{FilePartition, FileScanRDD}
import org.apache.spark.sql.vectorized.ColumnarBatch

/**
 * The partitions Spark has planned for a file scan (splits, buckets, dynamic pruning included),
 * read by a function of ours instead of Spark's reader.
 *
 * @param scan Spark's RDD; only its partitions and preferred locations are used
 * @param read reads one partition, in its task
 */
final class FilePartitionRdd(@transient private val scan: FileScanRDD, read: FilePartitionReader)
    extends RDD[ColumnarBatch](scan.sparkContext, Nil) {

  override protected def getPartitions: Array[Partition] = scan.filePartitions.toArray

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
