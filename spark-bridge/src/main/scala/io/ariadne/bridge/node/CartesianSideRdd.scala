package io.ariadne.bridge.node

import java.io.{IOException, ObjectOutputStream}

import org.apache.spark.{NarrowDependency, Partition, TaskContext}
import org.apache.spark.rdd.RDD

/**
 * One side of a cartesian product: for each pair of a left and a right partition, the elements
 * of this side. Pairs are numbered by left partition first, so that both sides agree on the pair
 * with a number.
 *
 * @param input the side
 * @param others number of partitions of the other side
 * @param isLeft which side it is
 */
final class CartesianSideRdd private (input: RDD[Any], others: Int, isLeft: Boolean)
    extends RDD[Any](
      input.sparkContext,
      Seq(new CrossDependency(input, input.getNumPartitions, others, isLeft))) {

  private def parent: RDD[Any] = firstParent[Any]

  override protected def getPartitions: Array[Partition] = {
    val own = parent.partitions.length
    Array.tabulate(own * others) { pair =>
      new CrossPartition(pair, parent, CartesianSideRdd.place(pair, own, others, isLeft))
    }
  }

  override protected def getPreferredLocations(partition: Partition): Seq[String] =
    parent.preferredLocations(partition.asInstanceOf[CrossPartition].part)

  override def compute(partition: Partition, context: TaskContext): Iterator[Any] =
    parent.iterator(partition.asInstanceOf[CrossPartition].part, context)
}

object CartesianSideRdd {

  /** Returns one side of a cartesian product; parameters as for the class. */
  def of(input: RDD[_], others: Int, isLeft: Boolean): RDD[_] =
    new CartesianSideRdd(input.asInstanceOf[RDD[Any]], others, isLeft)

  /** Returns which partition of a side belongs to a pair. */
  private[node] def place(pair: Int, own: Int, others: Int, isLeft: Boolean): Int =
    if (isLeft) pair / others else pair % own
}

private final class CrossDependency(input: RDD[Any], own: Int, others: Int, isLeft: Boolean)
    extends NarrowDependency[Any](input) {
  override def getParents(pair: Int): Seq[Int] = Seq(CartesianSideRdd.place(pair, own, others, isLeft))
}

/**
 * One side of a pair.
 *
 * @param index the pair's number
 * @param parent the side, needed until the partition is shipped
 * @param place the number of the side's partition
 */
private final class CrossPartition(
    override val index: Int,
    @transient private val parent: RDD[_],
    place: Int)
    extends Partition {

  /** The side's partition. */
  var part: Partition = parent.partitions(place)

  @throws(classOf[IOException])
  private def writeObject(out: ObjectOutputStream): Unit = {
    // A checkpoint may have replaced the parent's partitions.
    part = parent.partitions(place)
    out.defaultWriteObject()
  }
}
