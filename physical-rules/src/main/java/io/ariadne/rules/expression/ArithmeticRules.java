package io.ariadne.rules.expression;

import io.ariadne.expression.Function;
import java.util.List;
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
import org.apache.spark.sql.catalyst.expressions.Remainder;
import org.apache.spark.sql.catalyst.expressions.ShiftLeft;
import org.apache.spark.sql.catalyst.expressions.ShiftRight;
import org.apache.spark.sql.catalyst.expressions.ShiftRightUnsigned;
import org.apache.spark.sql.catalyst.expressions.Sqrt;
import org.apache.spark.sql.catalyst.expressions.Subtract;
import org.apache.spark.sql.catalyst.expressions.UnaryMinus;
import org.apache.spark.sql.catalyst.expressions.UnaryPositive;
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero;

/** Arithmetic and bitwise expressions. */
final class ArithmeticRules {
  private ArithmeticRules() {}

  static List<ExpressionRule<?>> rules() {
    return List.of(
        arithmetic(Add.class, Function.ADD),
        arithmetic(Subtract.class, Function.SUBTRACT),
        arithmetic(Multiply.class, Function.MULTIPLY),
        arithmetic(Divide.class, Function.DIVIDE),
        arithmetic(IntegralDivide.class, Function.INTEGRAL_DIVIDE),
        arithmetic(Remainder.class, Function.REMAINDER),
        ExpressionRule.of(
            UnaryMinus.class,
            Function.NEGATE,
            (e, walk) ->
                walk.call(
                    Function.NEGATE, e, ExpressionWalk.mode(e.failOnError()), walk.children(e))),
        ExpressionRule.of(
            Abs.class,
            Function.ABS,
            (e, walk) ->
                walk.call(Function.ABS, e, ExpressionWalk.mode(e.failOnError()), walk.children(e))),
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
        (e, walk) -> walk.call(function, e, ExpressionWalk.mode(e.evalMode()), walk.children(e)));
  }
}
