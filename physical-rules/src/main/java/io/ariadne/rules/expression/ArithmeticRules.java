package io.ariadne.rules.expression;

import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Function;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Abs;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.BinaryArithmetic;
import org.apache.spark.sql.catalyst.expressions.BitwiseAnd;
import org.apache.spark.sql.catalyst.expressions.BitwiseNot;
import org.apache.spark.sql.catalyst.expressions.BitwiseOr;
import org.apache.spark.sql.catalyst.expressions.BitwiseXor;
import org.apache.spark.sql.catalyst.expressions.Divide;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.IntegralDivide;
import org.apache.spark.sql.catalyst.expressions.Multiply;
import org.apache.spark.sql.catalyst.expressions.Pmod;
import org.apache.spark.sql.catalyst.expressions.Remainder;
import org.apache.spark.sql.catalyst.expressions.ShiftLeft;
import org.apache.spark.sql.catalyst.expressions.ShiftRight;
import org.apache.spark.sql.catalyst.expressions.ShiftRightUnsigned;
import org.apache.spark.sql.catalyst.expressions.Sqrt;
import org.apache.spark.sql.catalyst.expressions.Subtract;
import org.apache.spark.sql.catalyst.expressions.UnaryMinus;
import org.apache.spark.sql.catalyst.expressions.UnaryPositive;
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero;
import org.apache.spark.sql.types.AnsiIntervalType;
import org.apache.spark.sql.types.DoubleType$;
import org.apache.spark.sql.types.FloatType$;

/** Arithmetic and bitwise expressions. */
final class ArithmeticRules {
  /** Functions that never raise on floating point, nor on decimals whose type fits every result. */
  private static final Set<Function> UNBOUNDED =
      Set.of(Function.ADD, Function.SUBTRACT, Function.MULTIPLY);

  private ArithmeticRules() {}

  static List<ExpressionRule<?>> rules() {
    return List.of(
        arithmetic(Add.class, Function.ADD),
        arithmetic(Subtract.class, Function.SUBTRACT),
        arithmetic(Multiply.class, Function.MULTIPLY),
        arithmetic(Divide.class, Function.DIVIDE),
        arithmetic(IntegralDivide.class, Function.INTEGRAL_DIVIDE),
        arithmetic(Remainder.class, Function.REMAINDER),
        arithmetic(Pmod.class, Function.POSITIVE_MODULO),
        ExpressionRule.of(
            UnaryMinus.class,
            Function.NEGATE,
            (e, walk) -> walk.call(Function.NEGATE, e, mode(e, e.failOnError()), walk.children(e))),
        ExpressionRule.of(
            Abs.class,
            Function.ABS,
            (e, walk) -> walk.call(Function.ABS, e, mode(e, e.failOnError()), walk.children(e))),
        ExpressionRule.structural(UnaryPositive.class, "", (e, walk) -> walk.operand(e.child())),
        simple(BitwiseAnd.class, Function.BITWISE_AND),
        simple(BitwiseOr.class, Function.BITWISE_OR),
        simple(BitwiseXor.class, Function.BITWISE_XOR),
        simple(BitwiseNot.class, Function.BITWISE_NOT),
        simple(ShiftLeft.class, Function.SHIFT_LEFT),
        simple(ShiftRight.class, Function.SHIFT_RIGHT),
        simple(ShiftRightUnsigned.class, Function.SHIFT_RIGHT_UNSIGNED),
        simple(Sqrt.class, Function.SQRT),
        simple(NormalizeNaNAndZero.class, Function.NORMALIZE_FLOATING));
  }

  private static <E extends Expression> ExpressionRule<E> simple(
      Class<E> sparkClass, Function function) {
    return ExpressionRule.of(sparkClass, function, (e, walk) -> walk.call(function, e));
  }

  private static <E extends BinaryArithmetic> ExpressionRule<E> arithmetic(
      Class<E> sparkClass, Function function) {
    return ExpressionRule.of(
        sparkClass,
        function,
        (e, walk) -> {
          EvaluationMode mode =
              UNBOUNDED.contains(function) && (isFloating(e) || ExactDecimals.isExact(e))
                  ? EvaluationMode.LEGACY
                  : ExpressionWalk.mode(e.evalMode());
          return walk.call(
              function, e, isInterval(e) ? EvaluationMode.ANSI : mode, walk.children(e));
        });
  }

  private static boolean isFloating(Expression expression) {
    return expression.dataType().equals(DoubleType$.MODULE$)
        || expression.dataType().equals(FloatType$.MODULE$);
  }

  /** Intervals that do not fit raise in every mode, floating point in none. */
  private static EvaluationMode mode(Expression expression, boolean failOnError) {
    return isFloating(expression)
        ? EvaluationMode.LEGACY
        : ExpressionWalk.mode(failOnError || isInterval(expression));
  }

  private static boolean isInterval(Expression expression) {
    return expression.dataType() instanceof AnsiIntervalType;
  }
}
