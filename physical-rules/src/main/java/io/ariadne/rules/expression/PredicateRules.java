package io.ariadne.rules.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Function;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.InSet;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;

/** Comparisons and Boolean logic. */
final class PredicateRules {
  private PredicateRules() {}

  static List<ExpressionRule<?>> rules() {
    return List.of(
        simple(EqualTo.class, Function.EQUAL),
        simple(EqualNullSafe.class, Function.NULL_SAFE_EQUAL),
        simple(LessThan.class, Function.LESS),
        simple(LessThanOrEqual.class, Function.LESS_OR_EQUAL),
        simple(GreaterThan.class, Function.GREATER),
        simple(GreaterThanOrEqual.class, Function.GREATER_OR_EQUAL),
        simple(Not.class, Function.NOT),
        ExpressionRule.of(
            And.class,
            Function.AND,
            (e, walk) -> shortCircuit(Function.AND, e, e.left(), e.right(), walk)),
        ExpressionRule.of(
            Or.class,
            Function.OR,
            (e, walk) -> shortCircuit(Function.OR, e, e.left(), e.right(), walk)),
        ExpressionRule.of(In.class, Function.IN, "list of literals", PredicateRules::in),
        ExpressionRule.of(InSet.class, Function.IN, PredicateRules::inSet));
  }

  private static <E extends Expression> ExpressionRule<E> simple(
      Class<E> sparkClass, Function function) {
    return ExpressionRule.of(sparkClass, function, (e, walk) -> walk.call(function, e));
  }

  /** Spark computes the right side only where the left side does not decide. */
  private static io.ariadne.expression.Expression shortCircuit(
      Function function,
      Expression expression,
      Expression left,
      Expression right,
      ExpressionWalk walk) {
    List<io.ariadne.expression.Expression> arguments =
        List.of(walk.operand(left), walk.guardedOperand(right));
    return walk.call(function, expression, EvaluationMode.LEGACY, arguments);
  }

  private static io.ariadne.expression.Expression in(In in, ExpressionWalk walk) {
    List<io.ariadne.expression.Expression> arguments = new ArrayList<>();
    arguments.add(walk.operand(in.value()));
    for (Expression candidate : ScalaCollections.<Expression>list(in.list())) {
      if (!(candidate instanceof Literal)) {
        throw new NoKernelException("its list has " + candidate + ", which is no literal");
      }
      arguments.add(walk.operand(candidate));
    }
    return walk.call(Function.IN, in, EvaluationMode.LEGACY, arguments);
  }

  /** The set is ordered so that equal sets give equal plans. */
  private static io.ariadne.expression.Expression inSet(InSet in, ExpressionWalk walk) {
    List<io.ariadne.expression.Expression> arguments = new ArrayList<>();
    arguments.add(walk.operand(in.child()));
    List<Literal> literals = new ArrayList<>();
    for (Object value : ScalaCollections.<Object>list(in.hset())) {
      literals.add(Literal.create(value, in.child().dataType()));
    }
    literals.sort(Comparator.comparing(literal -> Objects.toString(literal.value())));
    literals.forEach(literal -> arguments.add(walk.operand(literal)));
    return walk.call(Function.IN, in, EvaluationMode.LEGACY, arguments);
  }
}
