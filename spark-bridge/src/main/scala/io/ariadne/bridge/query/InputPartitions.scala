package io.ariadne.bridge.query

import java.util.{Optional, Set => JavaSet}

import io.ariadne.bridge.file.PartitionFiles
import org.apache.spark.NarrowDependency
import org.apache.spark.rdd.{PartitionPruningRDD, RDD}
import org.apache.spark.sql.vectorized.ColumnarBatch

/** Some of the partitions of an input. On Spark's driver. */
object InputPartitions {

  /**
   * Returns an RDD of some partitions of another, in their order.
   *
   * @param indexes the numbers of the partitions
   */
  def chosen(rows: RDD[ColumnarBatch], indexes: JavaSet[Integer]): RDD[ColumnarBatch] =
    PartitionPruningRDD.create(rows, (index: Int) => indexes.contains(index))

  /**
   * Returns the bytes of the files that each partition reads; empty where partitions are not of
   * files, or read other rows too.
   */
  def bytes(rows: RDD[_]): Optional[Array[Long]] = {
    val files = rows.partitions.map(PartitionFiles.of)
    if (files.nonEmpty && files.forall(_.isDefined)) {
      Optional.of(files.map(_.get.files.map(_.length).sum))
    } else {
      onlyParent(rows).fold(Optional.empty[Array[Long]]())(bytes)
    }
  }

  private def onlyParent(rows: RDD[_]): Option[RDD[_]] = rows.dependencies match {
    case Seq(narrow: NarrowDependency[_])
        if narrow.rdd.getNumPartitions == rows.getNumPartitions =>
      Some(narrow.rdd)
    case _ => None
  }
}
