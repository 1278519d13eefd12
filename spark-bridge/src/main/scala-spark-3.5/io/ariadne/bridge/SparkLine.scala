package io.ariadne.bridge

import java.util.Optional

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.{Average, Sum}
import org.apache.spark.sql.execution.{SampleExec, SparkPlan}
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec

/**
 * What differs between Spark lines in the code this module and its users call: here line
 * 3.5. Every line has an object of this name with the same methods.
 */
object SparkLine {

  /** The source line this was compiled for: "3.5" or "4.x". */
  def name: String = "3.5"

  /**
   * What an expression does on overflow, division by zero and invalid casts: "LEGACY", "ANSI" or
   * "TRY" for arithmetic, casts, sums and averages; null for expressions that do not say.
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

  /** How many bytes the session's broadcasts may have. */
  def maxBroadcastBytes: Long = BroadcastExchangeExec.MAX_BROADCAST_TABLE_BYTES

  /** Returns whether an expression is null where any column it uses is. */
  def isNullIntolerant(expression: Expression): Boolean =
    expression.isInstanceOf[NullIntolerant] && expression.children.forall(isNullIntolerant)

  /** Returns the seed of a sample. */
  def seed(sample: SampleExec): Long = sample.seed

  /** Returns the leaf that adaptive execution puts in the place of what it found empty, if any. */
  def emptyRelation: Optional[Class[_ <: SparkPlan]] = Optional.empty()
}
