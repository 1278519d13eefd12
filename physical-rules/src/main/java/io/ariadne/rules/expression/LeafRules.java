package io.ariadne.rules.expression;

import io.ariadne.expression.Literal;
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
            (e, walk) -> Constants.of(e.value(), walk.type(e))),
        ExpressionRule.structural(
            ScalarSubquery.class,
            "constant, once the subquery has run",
            (e, walk) -> new Literal(null, walk.type(e))));
  }
}
