package io.ariadne.rules.exec;

import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.ScalarSubquery;
import scala.PartialFunction;
import scala.runtime.AbstractPartialFunction;

/**
 * Replaces scalar subqueries that have run by their results. Spark may have merged several
 * subqueries into one: each is then replaced by its field of the common result. A subquery that has
 * not run is an error ({@code ScalarSubquery.eval}).
 */
final class SubqueryResults {
  private static final PartialFunction<Expression, Expression> RESULTS = new Results();

  private SubqueryResults() {}

  private static final class Results extends AbstractPartialFunction<Expression, Expression> {
    @Override
    public boolean isDefinedAt(Expression part) {
      return isSubquery(part)
          || (part instanceof GetStructField field && isSubquery(field.child()));
    }

    private static boolean isSubquery(Expression part) {
      return part.getClass() == ScalarSubquery.class;
    }

    @Override
    public Expression apply(Expression part) {
      return Literal.create(part.eval(null), part.dataType());
    }
  }

  /** Returns a node with literals instead of scalar subqueries: itself when it has none. */
  static AriadneFragmentExec insert(AriadneFragmentExec node) {
    return (AriadneFragmentExec) node.transformExpressions(RESULTS);
  }

  /** Returns a partitioning with literals instead of scalar subqueries: itself without any. */
  static Partitioning insert(Partitioning partitioning) {
    return partitioning instanceof Expression expression
        ? (Partitioning) expression.transform(RESULTS)
        : partitioning;
  }
}
