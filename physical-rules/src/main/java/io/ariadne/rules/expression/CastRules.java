package io.ariadne.rules.expression;

import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Function;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.CheckOverflow;
import org.apache.spark.sql.catalyst.expressions.MakeDecimal;
import org.apache.spark.sql.catalyst.expressions.UnscaledValue;

/** Conversions between types, decimals among them. */
final class CastRules {
  private CastRules() {}

  static List<ExpressionRule<?>> rules() {
    return List.of(
        ExpressionRule.of(
            Cast.class, Function.CAST, "none that depends on the time zone", CastRules::cast),
        ExpressionRule.of(
            CheckOverflow.class,
            Function.CHECK_OVERFLOW,
            (e, walk) ->
                walk.call(
                    Function.CHECK_OVERFLOW, e, overflow(e.nullOnOverflow()), walk.children(e))),
        ExpressionRule.of(
            MakeDecimal.class,
            Function.MAKE_DECIMAL,
            (e, walk) ->
                walk.call(
                    Function.MAKE_DECIMAL, e, overflow(e.nullOnOverflow()), walk.children(e))),
        ExpressionRule.of(
            UnscaledValue.class,
            Function.UNSCALED_VALUE,
            (e, walk) -> walk.call(Function.UNSCALED_VALUE, e)));
  }

  private static EvaluationMode overflow(boolean nullOnOverflow) {
    return nullOnOverflow ? EvaluationMode.LEGACY : EvaluationMode.ANSI;
  }

  private static io.ariadne.expression.Expression cast(Cast cast, ExpressionWalk walk) {
    if (cast.child().dataType().equals(cast.dataType())) {
      return walk.operand(cast.child());
    }
    if (walk.type(cast.child()).equals(walk.type(cast))) {
      throw new NoKernelException("it drops fields of an interval");
    }
    if (cast.needsTimeZone()) {
      throw new NoKernelException("it depends on the session's time zone");
    }
    return walk.call(
        Function.CAST, cast, ExpressionWalk.mode(cast.evalMode()), walk.children(cast));
  }
}
