package io.ariadne.bridge.file

import java.io.{ObjectInputStream, ObjectOutputStream}
import java.util.{Iterator => JavaIterator, List => JavaList}

import io.ariadne.bridge.ScalaCollections
import org.apache.spark.{Partition, SparkContext, TaskContext}
import org.apache.spark.paths.SparkPath
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.{FilePartition, PartitionedFile}
import org.apache.spark.sql.vectorized.ColumnarBatch

/**
 * The partitions of a file scan, read by Ariadne's function instead of Spark's reader.
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

  override protected def getPartitions: Array[Partition] = {
    val partitions = Array.newBuilder[Partition]
    files.forEach(partition => partitions += new ShippedPartition(partition))
    partitions.result()
  }

  override protected def getPreferredLocations(partition: Partition): Seq[String] =
    partition.asInstanceOf[ShippedPartition].files.preferredLocations().toVector

  override def compute(partition: Partition, context: TaskContext): Iterator[ColumnarBatch] =
    ScalaCollections.iterator(read.read(partition.asInstanceOf[ShippedPartition].files))
}

/**
 * The files of a partition, serialized compactly: a partition may have thousands of them. A path
 * is written as its difference from the previous one; hosts are omitted.
 *
 * @param files the partition
 */
private[bridge] final class ShippedPartition(@transient private var partition: FilePartition)
    extends Partition {
  override def index: Int = partition.index

  /** Returns the partition. */
  def files: FilePartition = partition

  private def writeObject(out: ObjectOutputStream): Unit = {
    out.writeInt(partition.index)
    out.writeInt(partition.files.length)
    var previous = ""
    for (file <- partition.files) {
      val path = file.filePath.urlEncoded
      val shared = ShippedPartition.sharedPrefix(previous, path)
      out.writeInt(shared)
      out.writeObject(path.substring(shared))
      out.writeLong(file.start)
      out.writeLong(file.length)
      out.writeLong(file.modificationTime)
      out.writeLong(file.fileSize)
      out.writeObject(file.partitionValues)
      out.writeObject(file.otherConstantMetadataColumnValues)
      previous = path
    }
  }

  private def readObject(in: ObjectInputStream): Unit = {
    val index = in.readInt()
    val read = new Array[PartitionedFile](in.readInt())
    var path = ""
    for (i <- read.indices) {
      path = path.substring(0, in.readInt()) + in.readObject().asInstanceOf[String]
      val (start, length, modified, size) =
        (in.readLong(), in.readLong(), in.readLong(), in.readLong())
      read(i) = PartitionedFile(
        in.readObject().asInstanceOf[InternalRow],
        SparkPath.fromUrlString(path),
        start,
        length,
        Array.empty,
        modified,
        size,
        in.readObject().asInstanceOf[Map[String, Any]])
    }
    partition = FilePartition(index, read)
  }
}

private object ShippedPartition {
  private def sharedPrefix(one: String, other: String): Int = {
    val limit = math.min(one.length, other.length)
    var length = 0
    while (length < limit && one.charAt(length) == other.charAt(length)) {
      length += 1
    }
    length
  }
}

/** Reads one partition of a file scan. Shipped to executors. */
trait FilePartitionReader extends Serializable {

  /** Returns the partition's batches, each valid until the next one is requested. */
  def read(partition: FilePartition): JavaIterator[ColumnarBatch]
}
