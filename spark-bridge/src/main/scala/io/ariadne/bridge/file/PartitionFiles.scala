package io.ariadne.bridge.file

import org.apache.spark.Partition
import org.apache.spark.sql.execution.datasources.FilePartition

/** The files of partitions. */
object PartitionFiles {

  /** Returns the files of a partition of Ariadne's scans or Spark's; none for other partitions. */
  def of(partition: Partition): Option[FilePartition] = partition match {
    case files: FilePartition => Some(files)
    case shipped: ShippedPartition => Some(shipped.files)
    case _ => None
  }
}
