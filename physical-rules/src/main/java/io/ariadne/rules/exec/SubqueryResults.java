package io.ariadne.rules.exec;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.execution.ScalarSubquery;
import scala.runtime.AbstractPartialFunction;

/** Puts the results of scalar subqueries, which have run, in the place of the subqueries. */
final class SubqueryResults {
  private SubqueryResults() {}

  /** Returns the expression with literals instead of scalar subqueries. */
  static Expression insert(Expression expression) {
    return expression.transform(
        new AbstractPartialFunction<Expression, Expression>() {
          @Override
          public boolean isDefinedAt(Expression part) {
            return part.getClass() == ScalarSubquery.class;
          }

          @Override
          public Expression apply(Expression part) {
            return Literal.create(part.eval(null), part.dataType());
          }
        });
  }

  /** Does the same to each of some expressions. */
  static List<Expression> insertInto(List<Expression> expressions) {
    return expressions.stream().map(SubqueryResults::insert).toList();
  }

  /** Does the same to each expression of a list. */
  static List<NamedExpression> insert(List<NamedExpression> expressions) {
    return expressions.stream()
        .map(expression -> (NamedExpression) insert((Expression) expression))
        .toList();
  }
}
