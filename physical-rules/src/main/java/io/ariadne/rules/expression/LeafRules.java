package io.ariadne.rules.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.expression.Expression;
import io.ariadne.expression.FunctionSupport;
import io.ariadne.expression.UnknownConstant;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.execution.ScalarSubquery;

/** Columns, constants and names. */
final class LeafRules {
  private LeafRules() {}

  static List<ExpressionRule<?>> rules() {
    return List.of(
        ExpressionRule.structural(AttributeReference.class, "column", (e, walk) -> walk.column(e)),
        ExpressionRule.structural(Alias.class, "name", (e, walk) -> walk.operand(e.child())),
        ExpressionRule.structural(
            org.apache.spark.sql.catalyst.expressions.Literal.class,
            "constant",
            (e, walk) -> Constants.of(e.value(), flatType(e, walk))),
        ExpressionRule.structural(
            ScalarSubquery.class, "constant, once the subquery has run", LeafRules::unknown));
  }

  /**
   * Returns a placeholder for the result of a subquery, or a field of it, until the result is
   * known.
   */
  static Expression unknown(
      org.apache.spark.sql.catalyst.expressions.Expression result, ExpressionWalk walk) {
    return new UnknownConstant(flatType(result, walk));
  }

  /** Returns the type of a constant, which must be one that kernels make columns of. */
  private static DataType flatType(
      org.apache.spark.sql.catalyst.expressions.Expression constant, ExpressionWalk walk) {
    DataType type = walk.type(constant);
    if (!FunctionSupport.canBeConstant(type)) {
      throw new NoKernelException("constants of " + constant.dataType().sql());
    }
    return type;
  }
}
