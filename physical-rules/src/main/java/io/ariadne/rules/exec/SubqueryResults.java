package io.ariadne.rules.exec;

import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.Unevaluable;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.ScalarSubquery;
import org.apache.spark.sql.types.AtomicType;
import scala.PartialFunction;
import scala.runtime.AbstractPartialFunction;

/**
 * Replaces scalar subqueries that have run by their results. Spark may have merged several
 * subqueries into one: each is then replaced by its field of the common result. A subquery that has
 * not run is an error ({@code ScalarSubquery.eval}).
 */
final class SubqueryResults {
  private static final PartialFunction<Expression, Expression> RESULTS = new Results();
  private static final PartialFunction<Expression, Expression> CONSTANTS = new Constants();

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

  /**
   * Computes expressions of results and constants. A kernel that computes a function of an unknown
   * constant need not compute it of every constant, such as {@code lower} of text beyond ASCII.
   */
  private static final class Constants extends AbstractPartialFunction<Expression, Expression> {
    @Override
    public boolean isDefinedAt(Expression part) {
      return folded(part) != null;
    }

    @Override
    public Expression apply(Expression part) {
      return folded(part);
    }

    /**
     * Returns an expression with subqueries as a literal; null when it is no constant, or raises an
     * error, which belongs to the rows that it is computed for.
     */
    private static Expression folded(Expression part) {
      if (part instanceof NamedExpression || part instanceof Unevaluable) {
        return null;
      }
      Expression known = part.transform(RESULTS);
      boolean isConstant =
          known != part
              && known.foldable()
              && known.deterministic()
              && known.dataType() instanceof AtomicType;
      if (!isConstant) {
        return null;
      }
      try {
        return Literal.create(known.eval(null), known.dataType());
      } catch (RuntimeException e) {
        return null;
      }
    }
  }

  /**
   * Returns a node with literals instead of scalar subqueries, and of what is constant with them:
   * itself when it has none.
   */
  static AriadneFragmentExec insert(AriadneFragmentExec node) {
    return (AriadneFragmentExec) node.transformExpressions(CONSTANTS).transformExpressions(RESULTS);
  }

  /** Returns a partitioning with literals instead of scalar subqueries: itself without any. */
  static Partitioning insert(Partitioning partitioning) {
    return partitioning instanceof Expression expression
        ? (Partitioning) expression.transform(RESULTS)
        : partitioning;
  }
}
