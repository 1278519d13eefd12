package io.ariadne.bridge.expression;

import io.ariadne.bridge.ScalaCollections;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Tells whether Spark generates the code of a plan node ({@code
 * CollapseCodegenStages.supportCodegen}). A node without generated code evaluates all its
 * expressions for every row.
 */
public final class StageCodegen {
  private StageCodegen() {}

  /** Returns whether an expression prevents code generation for its node. */
  public static boolean isPreventedBy(Expression expression) {
    List<Expression> children = ScalaCollections.list(expression.children());
    return !children.isEmpty()
        && (expression instanceof CodegenFallback
            || children.stream().anyMatch(StageCodegen::isPreventedBy));
  }

  /**
   * Returns whether one of a node's expressions prevents code generation. Nodes below it do not
   * matter.
   */
  public static boolean isPreventedIn(SparkPlan node) {
    List<Expression> expressions = ScalaCollections.list(node.expressions());
    return expressions.stream().anyMatch(StageCodegen::isPreventedBy);
  }
}
