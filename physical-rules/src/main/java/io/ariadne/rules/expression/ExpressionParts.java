package io.ariadne.rules.expression;

import io.ariadne.bridge.ScalaCollections;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.runtime.AbstractPartialFunction;

/** Inspects and rewrites Spark expressions for translations. */
final class ExpressionParts {
  private ExpressionParts() {}

  /** Returns the position of an attribute in a list by its id, or -1. */
  static int positionOf(Attribute attribute, List<? extends Attribute> input) {
    for (int i = 0; i < input.size(); i++) {
      if (input.get(i).exprId().equals(attribute.exprId())) {
        return i;
      }
    }
    return -1;
  }

  /** Replaces, top down, every part that matches. */
  static Expression rewrite(
      Expression expression,
      Predicate<Expression> matches,
      Function<Expression, Expression> replacement) {
    return expression.transform(
        new AbstractPartialFunction<Expression, Expression>() {
          @Override
          public boolean isDefinedAt(Expression part) {
            return matches.test(part);
          }

          @Override
          public Expression apply(Expression part) {
            return replacement.apply(part);
          }
        });
  }

  /** Returns the expression and everything below it, parents first. */
  static List<Expression> parts(Expression expression) {
    List<Expression> parts = new ArrayList<>();
    collect(expression, parts);
    return parts;
  }

  private static void collect(Expression expression, List<Expression> parts) {
    parts.add(expression);
    for (Expression child : ScalaCollections.<Expression>list(expression.children())) {
      collect(child, parts);
    }
  }
}
