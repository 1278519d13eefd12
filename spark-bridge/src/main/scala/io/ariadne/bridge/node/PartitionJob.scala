package io.ariadne.bridge.node

import java.util.{Iterator => JavaIterator, List => JavaList}

import scala.reflect.ClassTag

import io.ariadne.bridge.ScalaCollections
import org.apache.spark.TaskContext
import org.apache.spark.rdd.RDD

/** Runs jobs whose tasks each compute one value from a partition. */
object PartitionJob {

  /**
   * Runs a job over all partitions.
   *
   * @param input the partitions
   * @param function computes the value, in a task
   * @return the values by partition
   */
  def run[T, R: ClassTag](input: RDD[T], function: PartitionValue[T, R]): JavaList[R] =
    ScalaCollections.list(input.sparkContext.runJob(input, new PartitionTask(function)))

  /**
   * Runs a job over some partitions.
   *
   * @param input the partitions
   * @param function computes the value, in a task
   * @param partitions their numbers
   * @return the values in the order of the numbers
   */
  def run[T, R: ClassTag](
      input: RDD[T],
      function: PartitionValue[T, R],
      partitions: JavaList[Integer]): JavaList[R] =
    ScalaCollections.list(
      input.sparkContext.runJob(
        input,
        new PartitionTask(function),
        ScalaCollections.seq[Integer](partitions).map(_.intValue)))
}

/** Not a closure, so that Spark does not read its byte code to clean it for every query. */
private final class PartitionTask[T, R](function: PartitionValue[T, R])
    extends ((TaskContext, Iterator[T]) => R)
    with Serializable {
  override def apply(task: TaskContext, input: Iterator[T]): R =
    function(ScalaCollections.javaIterator(input))
}

/** Computes a value from a partition. Shipped to executors. */
trait PartitionValue[T, R] extends Serializable {

  /** Returns the value. */
  def apply(input: JavaIterator[T]): R
}
