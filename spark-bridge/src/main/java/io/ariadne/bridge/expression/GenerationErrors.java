package io.ariadne.bridge.expression;

import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.internal.SQLConf;

/**
 * Errors that Spark raises on the driver while it generates a stage's code, such as those of a
 * constant pattern that is wrong. Spark 3.5 wraps what a task raises into a failed job, so without
 * this its users would see another exception than Spark's. Stateless.
 */
final class GenerationErrors {
  private GenerationErrors() {}

  /**
   * Generates an expression's code, and throws it away. What Spark raises leaves unchanged, also
   * checked exceptions such as AnalysisException.
   *
   * <p>Does nothing for an expression that Spark interprets in the tasks ({@code
   * CollapseCodegenStages}).
   *
   * @param bound an expression without attributes, on the thread that executes the query
   */
  static void raise(Expression bound) {
    if (SQLConf.get().wholeStageEnabled() && !ExpressionBridge.isInterpreted(bound)) {
      bound.genCode(new CodegenContext());
    }
  }
}
