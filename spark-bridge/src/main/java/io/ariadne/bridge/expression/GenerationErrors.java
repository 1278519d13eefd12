package io.ariadne.bridge.expression;

import org.apache.spark.sql.catalyst.expressions.CodegenObjectFactoryMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.internal.SQLConf;

/**
 * Errors that Spark raises on the driver while it generates a stage's code, such as those of a
 * constant pattern that is wrong. Spark 3.5 wraps what a task raises into a failed job, so without
 * this its users would see another exception than Spark's. Stateless.
 */
final class GenerationErrors {
  private static final String NO_CODEGEN = CodegenObjectFactoryMode.NO_CODEGEN().toString();

  private GenerationErrors() {}

  /**
   * Generates an expression's code, and throws it away. What Spark raises leaves unchanged, also
   * checked exceptions such as AnalysisException.
   *
   * <p>Does nothing where Spark generates no code on the driver: by the session's settings, and for
   * an expression that it interprets ({@code CollapseCodegenStages}). Spark decides that for a
   * whole plan node. Where it interprets a node because of another of its expressions or of more
   * than {@code spark.sql.codegen.maxFields} columns, or where it sorts by this one, Spark raises
   * the error in a task, and only if there are rows; here it is raised on the driver all the same.
   *
   * @param bound an expression without attributes, on the thread that executes the query
   */
  static void raise(Expression bound) {
    if (isCodeGenerated(SQLConf.get()) && !StageCode.isRefusedBy(bound)) {
      bound.genCode(new CodegenContext());
    }
  }

  private static boolean isCodeGenerated(SQLConf conf) {
    return conf.wholeStageEnabled()
        && !conf.getConfString(SQLConf.CODEGEN_FACTORY_MODE().key()).equals(NO_CODEGEN);
  }
}
