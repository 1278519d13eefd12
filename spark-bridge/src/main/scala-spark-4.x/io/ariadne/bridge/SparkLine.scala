package io.ariadne.bridge

import java.util.Optional

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.{Average, Sum}
import org.apache.spark.sql.execution.{EmptyRelationExec, SampleExec, SparkPlan}
import org.apache.spark.sql.internal.SQLConf

import scala.util.Random

/**
 * What differs between Spark lines in the code that this module and its users call, here for
 * lines 4.1 and 4.2. Every line has an object of this name with the same methods.
 */
object SparkLine {

  /** The source line for which this was compiled: "3.5" or "4.x". */
  def name: String = "4.x"

  /**
   * How an expression treats overflow, division by zero and invalid casts: "LEGACY", "ANSI" or
   * "TRY" for arithmetic, casts, sums and averages; null for other expressions. (Since 4.1
   * arithmetic keeps it in a context.)
   */
  def evalMode(expression: Expression): String = {
    val mode = expression match {
      case e: Add => e.evalContext.evalMode
      case e: Subtract => e.evalContext.evalMode
      case e: Multiply => e.evalContext.evalMode
      case e: Divide => e.evalContext.evalMode
      case e: IntegralDivide => e.evalContext.evalMode
      case e: Remainder => e.evalContext.evalMode
      case e: Pmod => e.evalContext.evalMode
      case e: Sum => e.evalContext.evalMode
      case e: Average => e.evalMode
      case e: Cast => e.evalMode
      case e: UnaryMinus => if (e.failOnError) EvalMode.ANSI else EvalMode.LEGACY
      case e: Abs => if (e.failOnError) EvalMode.ANSI else EvalMode.LEGACY
      case _ => null
    }
    if (mode == null) null else mode.toString
  }

  /** The largest size of the session's broadcasts, in bytes. */
  def maxBroadcastBytes: Long = SQLConf.get.maxBroadcastTableSizeInBytes

  /** Returns whether an expression is null when any of its columns is null. */
  def isNullIntolerant(expression: Expression): Boolean =
    expression.nullIntolerant && expression.children.forall(isNullIntolerant)

  /**
   * Returns the seed of a sample. (Since 4.2 the node may have none, and Spark draws one per
   * copy of the node, as this method does.)
   */
  def seed(sample: SampleExec): Long =
    sample.productElement(3) match {
      case None => Random.nextInt(1000).toLong
      case Some(seed) => seed.asInstanceOf[Long]
      case seed => seed.asInstanceOf[Long]
    }

  /** Returns the leaf node that adaptive execution substitutes for an empty relation, if any. */
  def emptyRelation: Optional[Class[_ <: SparkPlan]] = Optional.of(classOf[EmptyRelationExec])
}
