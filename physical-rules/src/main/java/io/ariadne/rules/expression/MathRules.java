package io.ariadne.rules.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.BRound;
import org.apache.spark.sql.catalyst.expressions.BitwiseCount;
import org.apache.spark.sql.catalyst.expressions.BitwiseGet;
import org.apache.spark.sql.catalyst.expressions.Ceil;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Factorial;
import org.apache.spark.sql.catalyst.expressions.Floor;
import org.apache.spark.sql.catalyst.expressions.Greatest;
import org.apache.spark.sql.catalyst.expressions.Least;
import org.apache.spark.sql.catalyst.expressions.NaNvl;
import org.apache.spark.sql.catalyst.expressions.Rint;
import org.apache.spark.sql.catalyst.expressions.Round;
import org.apache.spark.sql.catalyst.expressions.RoundBase;
import org.apache.spark.sql.catalyst.expressions.RoundCeil;
import org.apache.spark.sql.catalyst.expressions.RoundFloor;
import org.apache.spark.sql.catalyst.expressions.Signum;
import org.apache.spark.sql.catalyst.expressions.ToDegrees;
import org.apache.spark.sql.catalyst.expressions.ToRadians;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.FractionalType;

/** Rounding, extremes and functions of numbers beyond arithmetic. */
final class MathRules {
  private static final String EXTREMES = "and strings that cannot raise";

  private MathRules() {}

  /** Behind the point: of the least double. */
  private static final int MAX_DIGITS_OF_DOUBLE = 325;

  static List<ExpressionRule<?>> rules() {
    return List.of(
        ExpressionRule.of(Greatest.class, Function.GREATEST, EXTREMES, extreme(Function.GREATEST)),
        ExpressionRule.of(Least.class, Function.LEAST, EXTREMES, extreme(Function.LEAST)),
        ExpressionRule.of(NaNvl.class, Function.NANVL, MathRules::nanvl),
        ExpressionRule.of(
            Round.class,
            Function.ROUND,
            (e, walk) -> round(Function.ROUND, e, ExpressionWalk.mode(e.ansiEnabled()), walk)),
        ExpressionRule.of(
            BRound.class,
            Function.ROUND_HALF_EVEN,
            (e, walk) ->
                round(Function.ROUND_HALF_EVEN, e, ExpressionWalk.mode(e.ansiEnabled()), walk)),
        ExpressionRule.of(
            RoundCeil.class,
            Function.CEILING,
            (e, walk) -> round(Function.CEILING, e, EvaluationMode.LEGACY, walk)),
        ExpressionRule.of(
            RoundFloor.class,
            Function.FLOOR,
            (e, walk) -> round(Function.FLOOR, e, EvaluationMode.LEGACY, walk)),
        ExpressionRule.of(
            Ceil.class, Function.CEILING, (e, walk) -> whole(Function.CEILING, e, e.child(), walk)),
        ExpressionRule.of(
            Floor.class, Function.FLOOR, (e, walk) -> whole(Function.FLOOR, e, e.child(), walk)),
        simple(Signum.class, Function.SIGNUM),
        simple(Rint.class, Function.RINT),
        simple(ToDegrees.class, Function.TO_DEGREES),
        simple(ToRadians.class, Function.TO_RADIANS),
        simple(Factorial.class, Function.FACTORIAL),
        simple(BitwiseCount.class, Function.BIT_COUNT),
        ExpressionRule.of(
            BitwiseGet.class,
            Function.BIT_GET,
            (e, walk) -> walk.call(Function.BIT_GET, e, EvaluationMode.ANSI, walk.children(e))));
  }

  private static <E extends Expression> ExpressionRule<E> simple(
      Class<E> sparkClass, Function function) {
    return ExpressionRule.of(sparkClass, function, (e, walk) -> walk.call(function, e));
  }

  private static <E extends Expression> ExpressionRule.Recipe<E> extreme(Function function) {
    return (e, walk) -> {
      List<io.ariadne.expression.Expression> arguments = new ArrayList<>();
      for (Expression child : ScalaCollections.<Expression>list(e.children())) {
        arguments.add(walk.operand(child));
      }
      return StringChoices.conditional(function, e, walk, arguments);
    };
  }

  private static io.ariadne.expression.Expression nanvl(NaNvl e, ExpressionWalk walk) {
    List<io.ariadne.expression.Expression> arguments =
        List.of(walk.operand(e.left()), walk.guardedOperand(e.right()));
    return walk.call(Function.NANVL, e, EvaluationMode.LEGACY, arguments);
  }

  private static io.ariadne.expression.Expression round(
      Function function, RoundBase e, EvaluationMode mode, ExpressionWalk walk) {
    Literal digits = walk.constant(e.right());
    int scale = ((Number) digits.value()).intValue();
    if (scale < -DecimalType.MAX_PRECISION()) {
      throw new NoKernelException("it rounds to more digits than a number has");
    }
    boolean isDecimal = e.left().dataType() instanceof DecimalType;
    if (isDecimal) {
      requireRoom((DecimalType) e.left().dataType(), scale);
    } else if (e.dataType() instanceof FractionalType && scale > MAX_DIGITS_OF_DOUBLE) {
      throw new NoKernelException("it asks for more digits than a double has");
    }
    EvaluationMode errors = isDecimal ? EvaluationMode.LEGACY : mode;
    return walk.call(function, e, errors, List.of(walk.operand(e.left()), digits));
  }

  /** Rounding to whole tens and the like raises where the result has more digits than its type. */
  private static void requireRoom(DecimalType type, int scale) {
    int integral = type.precision() - type.scale() + 1;
    boolean hasRoom = scale >= 0 || Math.max(integral, 1 - scale) <= DecimalType.MAX_PRECISION();
    if (!hasRoom || type.scale() - scale > DecimalType.MAX_PRECISION()) {
      throw new NoKernelException("its result may have more digits than a decimal");
    }
  }

  private static io.ariadne.expression.Expression whole(
      Function function, Expression e, Expression child, ExpressionWalk walk) {
    boolean isWhole = child.dataType().equals(e.dataType());
    return isWhole
        ? walk.operand(child)
        : walk.call(
            function,
            e,
            EvaluationMode.LEGACY,
            List.of(walk.operand(child), new Literal(0, PrimitiveType.INT32)));
  }
}
