package io.ariadne.bridge.node

import java.util.{Iterator => JavaIterator}

import scala.reflect.ClassTag

import io.ariadne.bridge.ScalaCollections
import org.apache.spark.{Partition, TaskContext}
import org.apache.spark.rdd.RDD

/**
 * What a function makes of each partition of another RDD. As `mapPartitions`, but the function is
 * no closure, so Spark need not read its byte code to clean it, for every query anew.
 *
 * @param input the other RDD
 * @param function makes a partition's output from its input, in its task
 */
final class PartitionRdd[T, U: ClassTag](input: RDD[T], function: PartitionFunction[T, U])
    extends RDD[U](input) {

  // Through the dependency, which a checkpoint cuts, and not the constructor's argument.
  private def parent: RDD[T] = dependencies.head.rdd.asInstanceOf[RDD[T]]

  override protected def getPartitions: Array[Partition] = parent.partitions

  override def compute(partition: Partition, context: TaskContext): Iterator[U] = {
    val rows = parent.iterator(partition, context)
    ScalaCollections.iterator(function(partition.index, ScalaCollections.javaIterator(rows)))
  }
}

/** Makes a partition's output from its input. Shipped to executors. */
trait PartitionFunction[T, U] extends Serializable {

  /**
   * Returns the output, computed as it is asked for.
   *
   * @param index the partition's number in this RDD, which a union above it numbers otherwise
   */
  def apply(index: Int, input: JavaIterator[T]): JavaIterator[U]
}
