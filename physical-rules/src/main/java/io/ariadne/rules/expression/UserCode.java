package io.ariadne.rules.expression;

import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.InputFileBlockLength;
import org.apache.spark.sql.catalyst.expressions.InputFileBlockStart;
import org.apache.spark.sql.catalyst.expressions.InputFileName;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.UserDefinedExpression;
import org.apache.spark.sql.catalyst.expressions.objects.Invoke;
import org.apache.spark.sql.catalyst.expressions.objects.InvokeLike;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;

/**
 * Finds expressions that run code that is not Spark's. Such code may ask for the file that its row
 * comes from, or for the number of its partition.
 */
public final class UserCode {
  private static final String SPARK = "org.apache.spark.";

  private UserCode() {}

  /**
   * Returns whether an expression itself, its children apart, calls code that may be a user's. Many
   * of Spark's own functions are calls of methods too: those of Spark's classes are not.
   */
  public static boolean isCalledBy(Expression expression) {
    if (expression instanceof StaticInvoke call) {
      return !call.staticObject().getName().startsWith(SPARK);
    }
    if (expression instanceof Invoke call && call.targetObject() instanceof Literal target) {
      return target.value() == null || !target.value().getClass().getName().startsWith(SPARK);
    }
    return expression instanceof UserDefinedExpression || expression instanceof InvokeLike;
  }

  /** Returns whether an expression itself, its children apart, may ask which file a row is of. */
  public static boolean mayAskForFile(Expression expression) {
    return expression instanceof InputFileName
        || expression instanceof InputFileBlockStart
        || expression instanceof InputFileBlockLength
        || isCalledBy(expression);
  }
}
