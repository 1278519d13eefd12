package io.ariadne.bridge.node

import java.io.{IOException, ObjectOutputStream}
import java.util.{ArrayList, Iterator => JavaIterator, List => JavaList}

import io.ariadne.bridge.ScalaCollections
import io.ariadne.bridge.file.ShippedPartition
import org.apache.spark.{OneToOneDependency, Partition, SparkContext, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.execution.datasources.FilePartition
import org.apache.spark.sql.vectorized.ColumnarBatch

/**
 * Applies a function to the partitions with the same number of several RDDs and file scans.
 *
 * @param context the application
 * @param inputs RDDs with as many partitions as this one
 * @param scans the partitions of each scan, equally many
 * @param count number of partitions
 * @param function makes a partition's output, in its task
 */
final class FragmentRdd(
    context: SparkContext,
    inputs: JavaList[RDD[_]],
    @transient private val scans: JavaList[JavaList[FilePartition]],
    count: Int,
    function: FragmentFunction)
    extends RDD[ColumnarBatch](
      context,
      ScalaCollections.seq[RDD[_]](inputs).map(new OneToOneDependency(_))) {

  // Use the dependencies, which a checkpoint cuts, instead of the constructor's argument.
  private def parents: Seq[RDD[_]] = dependencies.map(_.rdd)

  override protected def getPartitions: Array[Partition] =
    Array.tabulate(count) { index =>
      val files =
        ScalaCollections.seq[JavaList[FilePartition]](scans).map { scan =>
          new ShippedPartition(scan.get(index))
        }
      new FragmentPartition(index, parents, files)
    }

  override protected def getPreferredLocations(partition: Partition): Seq[String] = {
    val fragment = partition.asInstanceOf[FragmentPartition]
    val ofInputs = parents.zip(fragment.inputs).flatMap { case (parent, input) =>
      parent.preferredLocations(input)
    }
    (ofInputs ++ fragment.scans.flatMap(_.files.preferredLocations())).distinct
  }

  override def compute(partition: Partition, context: TaskContext): Iterator[ColumnarBatch] = {
    val fragment = partition.asInstanceOf[FragmentPartition]
    val rows = new ArrayList[JavaIterator[_]]
    parents.zip(fragment.inputs).foreach { case (parent, input) =>
      rows.add(ScalaCollections.javaIterator(parent.iterator(input, context)))
    }
    val files = new ArrayList[FilePartition]
    fragment.scans.foreach(scan => files.add(scan.files))
    ScalaCollections.iterator(function(partition.index, rows, files))
  }
}

/**
 * The partitions with one number.
 *
 * @param index the number
 * @param parents the RDDs, needed until the partition is shipped
 * @param scans the files of each scan
 */
private final class FragmentPartition(
    override val index: Int,
    @transient private val parents: Seq[RDD[_]],
    val scans: Seq[ShippedPartition])
    extends Partition {

  /** The partition of each RDD. */
  var inputs: Seq[Partition] = parents.map(_.partitions(index))

  @throws(classOf[IOException])
  private def writeObject(out: ObjectOutputStream): Unit = {
    // A checkpoint may have replaced the parents' partitions.
    inputs = parents.map(_.partitions(index))
    out.defaultWriteObject()
  }
}

/** Makes a partition's output from its inputs. Shipped to executors. */
trait FragmentFunction extends Serializable {

  /**
   * Returns the output, computed on demand.
   *
   * @param index the partition's number in its RDD
   * @param inputs the elements of each RDD
   * @param files the files that each scan must read
   */
  def apply(
      index: Int,
      inputs: JavaList[JavaIterator[_]],
      files: JavaList[FilePartition]): JavaIterator[ColumnarBatch]
}
