package io.ariadne.bridge.expression;

import org.apache.spark.sql.catalyst.expressions.CodegenObjectFactoryMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.internal.SQLConf;

/**
 * Raises errors that Spark's driver raises while it generates a stage's code, such as those of an
 * invalid constant pattern. Spark 3.5 wraps an exception of a task into a failed job, so users
 * would otherwise see another exception than Spark's. Stateless.
 */
final class GenerationErrors {
  private static final String NO_CODEGEN = CodegenObjectFactoryMode.NO_CODEGEN().toString();

  private GenerationErrors() {}

  /**
   * Generates an expression's code and discards it. Spark's exceptions are thrown unchanged,
   * including checked ones such as AnalysisException.
   *
   * <p>Does nothing where Spark's driver generates no code: because of the session's settings, or
   * because Spark interprets the expression ({@code CollapseCodegenStages}). Spark decides that for
   * a whole plan node. Spark raises the error in a task, and only if there are rows, where it
   * interprets a node because of another of its expressions, because of more than {@code
   * spark.sql.codegen.maxFields} columns, or where it sorts by this expression. Here the error is
   * raised on Spark's driver in these cases, too.
   *
   * @param bound an expression without attributes, on the thread that executes the query
   */
  static void raise(Expression bound) {
    if (isCodeGenerated(SQLConf.get()) && !StageCodegen.isPreventedBy(bound)) {
      bound.genCode(new CodegenContext());
    }
  }

  private static boolean isCodeGenerated(SQLConf conf) {
    return conf.wholeStageEnabled()
        && !conf.getConfString(SQLConf.CODEGEN_FACTORY_MODE().key()).equals(NO_CODEGEN);
  }
}
