package io.ariadne.rules.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.columnar.type.DataType;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.CaseWhen;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.IsNaN;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.KnownFloatingPointNormalized;
import org.apache.spark.sql.catalyst.expressions.KnownNotNull;
import scala.Tuple2;

/** Conditional expressions and tests for null. */
final class ConditionalRules {
  private static final String SEVERAL =
      "strings of several columns, or with long constants, when no operand can raise";

  private ConditionalRules() {}

  static List<ExpressionRule<?>> rules() {
    return List.of(
        ExpressionRule.of(If.class, Function.CASE_WHEN, SEVERAL, ConditionalRules::ifThenElse),
        ExpressionRule.of(CaseWhen.class, Function.CASE_WHEN, SEVERAL, ConditionalRules::caseWhen),
        ExpressionRule.of(Coalesce.class, Function.COALESCE, SEVERAL, ConditionalRules::coalesce),
        ExpressionRule.of(
            IsNull.class, Function.IS_NULL, (e, walk) -> walk.call(Function.IS_NULL, e)),
        ExpressionRule.of(
            IsNotNull.class, Function.IS_NOT_NULL, (e, walk) -> walk.call(Function.IS_NOT_NULL, e)),
        ExpressionRule.of(IsNaN.class, Function.IS_NAN, (e, walk) -> walk.call(Function.IS_NAN, e)),
        ExpressionRule.structural(KnownNotNull.class, "", (e, walk) -> walk.operand(e.child())),
        ExpressionRule.structural(
            KnownFloatingPointNormalized.class, "", (e, walk) -> walk.operand(e.child())));
  }

  private static io.ariadne.expression.Expression ifThenElse(If e, ExpressionWalk walk) {
    return StringChoices.conditional(
        Function.CASE_WHEN,
        e,
        walk,
        List.of(
            walk.operand(e.predicate()),
            walk.guardedOperand(e.trueValue()),
            walk.guardedOperand(e.falseValue())));
  }

  private static io.ariadne.expression.Expression caseWhen(CaseWhen e, ExpressionWalk walk) {
    List<io.ariadne.expression.Expression> arguments = new ArrayList<>();
    for (Tuple2<Expression, Expression> branch :
        ScalaCollections.<Tuple2<Expression, Expression>>list(e.branches())) {
      arguments.add(
          arguments.isEmpty() ? walk.operand(branch._1()) : walk.guardedOperand(branch._1()));
      arguments.add(walk.guardedOperand(branch._2()));
    }
    DataType type = walk.type(e);
    arguments.add(
        e.elseValue().isDefined()
            ? walk.guardedOperand(e.elseValue().get())
            : new Literal(null, type));
    return StringChoices.conditional(Function.CASE_WHEN, e, walk, arguments);
  }

  private static io.ariadne.expression.Expression coalesce(Coalesce e, ExpressionWalk walk) {
    List<io.ariadne.expression.Expression> arguments = new ArrayList<>();
    for (Expression child : ScalaCollections.<Expression>list(e.children())) {
      arguments.add(arguments.isEmpty() ? walk.operand(child) : walk.guardedOperand(child));
    }
    return StringChoices.conditional(Function.COALESCE, e, walk, arguments);
  }
}
