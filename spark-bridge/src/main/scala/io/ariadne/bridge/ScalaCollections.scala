package io.ariadne.bridge

import java.util.{ArrayList, Iterator => JavaIterator, List => JavaList, Map => JavaMap}

import scala.collection.immutable

/**
 * Converts collections between Java and Scala, with types that are the same on Scala 2.12 and
 * 2.13. Java code that must compile on all Spark lines takes `scala.collection.Seq` from Spark
 * and passes `scala.collection.immutable.Seq` to it.
 */
object ScalaCollections {

  /** Returns the elements as an immutable Scala sequence. */
  def seq[T](elements: JavaList[_ <: T]): immutable.Seq[T] = {
    val builder = immutable.Vector.newBuilder[T]
    elements.forEach(element => builder += element)
    builder.result()
  }

  /** Returns the elements as a Java list, which is a copy. */
  def list[T](elements: scala.collection.Iterable[_ <: T]): JavaList[T] = {
    val copy = new ArrayList[T](elements.size)
    elements.foreach(element => copy.add(element))
    copy
  }

  /** Returns the entries as an immutable Scala map. */
  def map[K, V](entries: JavaMap[_ <: K, _ <: V]): immutable.Map[K, V] = {
    val builder = immutable.Map.newBuilder[K, V]
    entries.forEach((key, value) => builder += ((key: K) -> (value: V)))
    builder.result()
  }

  /** Returns a view of an iterator. */
  def iterator[T](elements: JavaIterator[_ <: T]): Iterator[T] =
    new Iterator[T] {
      override def hasNext: Boolean = elements.hasNext
      override def next(): T = elements.next()
    }

  /** Returns a view of an iterator. */
  def javaIterator[T](elements: Iterator[_ <: T]): JavaIterator[T] =
    new JavaIterator[T] {
      override def hasNext: Boolean = elements.hasNext
      override def next(): T = elements.next()
    }
}
