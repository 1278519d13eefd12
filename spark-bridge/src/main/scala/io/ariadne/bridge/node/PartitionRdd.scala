package io.ariadne.bridge.node

import java.util.{Iterator => JavaIterator}

import scala.reflect.ClassTag

import io.ariadne.bridge.ScalaCollections
import org.apache.spark.{Partition, TaskContext}
import org.apache.spark.rdd.RDD

/**
 * Applies a function to each partition of another RDD. Like `mapPartitions`, but the function is
 * not a closure, so that Spark does not read its byte code to clean it for every query.
 *
 * @param input the other RDD
 * @param function makes a partition's output from its input, in its task
 */
final class PartitionRdd[T, U: ClassTag](input: RDD[T], function: PartitionFunction[T, U])
    extends RDD[U](input) {

  // Use the dependency, which a checkpoint cuts, instead of the constructor's argument.
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
   * Returns the output, computed on demand.
   *
   * @param index the partition's number in this RDD; a union above it uses other numbers
   */
  def apply(index: Int, input: JavaIterator[T]): JavaIterator[U]
}
