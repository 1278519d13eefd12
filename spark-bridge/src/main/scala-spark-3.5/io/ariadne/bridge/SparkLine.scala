package io.ariadne.bridge

import java.util.Optional

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.{Average, Sum}
import org.apache.spark.sql.execution.{SampleExec, SparkPlan}
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec

/**
 * What differs between Spark lines in the code that this module and its users call, here for
 * line 3.5. Every line has an object of this name with the same methods.
 */
object SparkLine {

  /** The source line for which this was compiled: "3.5" or "4.x". */
  def name: String = "3.5"

  /**
   * How an expression treats overflow, division by zero and invalid casts: "LEGACY", "ANSI" or
   * "TRY" for arithmetic, casts, sums and averages; null for other expressions.
   */
  def evalMode(expression: Expression): String = {
    val mode = expression match {
      case e: Add => e.evalMode
      case e: Subtract => e.evalMode
      case e: Multiply => e.evalMode
      case e: Divide => e.evalMode
      case e: IntegralDivide => e.evalMode
      case e: Remainder => e.evalMode
      case e: Pmod => e.evalMode
      case e: Sum => e.evalMode
      case e: Average => e.evalMode
      case e: Cast => e.evalMode
      case e: UnaryMinus => if (e.failOnError) EvalMode.ANSI else EvalMode.LEGACY
      case e: Abs => if (e.failOnError) EvalMode.ANSI else EvalMode.LEGACY
      case _ => null
    }
    if (mode == null) null else mode.toString
  }

  /** The largest size of the session's broadcasts, in bytes. */
  def maxBroadcastBytes: Long = BroadcastExchangeExec.MAX_BROADCAST_TABLE_BYTES

  /** Returns whether an expression is null when any of its columns is null. */
  def isNullIntolerant(expression: Expression): Boolean =
    expression.isInstanceOf[NullIntolerant] && expression.children.forall(isNullIntolerant)

  /** Returns the seed of a sample. */
  def seed(sample: SampleExec): Long = sample.seed

  /** Returns the leaf node that adaptive execution substitutes for an empty relation, if any. */
  def emptyRelation: Optional[Class[_ <: SparkPlan]] = Optional.empty()
}
