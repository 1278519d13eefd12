package io.ariadne.expression.compiler;

import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.Call;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Function;
import io.ariadne.expression.Member;
import io.ariadne.expression.StringFunction;
import io.ariadne.expression.compiler.Lowered.Form;
import io.ariadne.expression.compiler.TileValue.Kind;
import io.ariadne.expression.nested.NestedFunction;
import io.ariadne.kernel.abi.TileOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Lowers expressions that evaluate an operand only on some rows: AND, OR, CASE, COALESCE, and
 * functions of two operands where the first one may be null.
 *
 * <p>Programs compute every operand for every row. While an operand that can raise or reads
 * characters is lowered, {@link Lowering#live()} is the set of rows on which Spark would evaluate
 * it.
 */
final class ConditionalLowering {
  private static final Set<Function> DIVISIONS =
      Set.of(
          Function.DIVIDE, Function.INTEGRAL_DIVIDE, Function.REMAINDER, Function.POSITIVE_MODULO);

  private final Lowering lowering;
  private final TileBuilder builder;
  private final ExpressionLowering expressions;
  private final PredicateLowering predicates;

  ConditionalLowering(
      Lowering lowering, ExpressionLowering expressions, PredicateLowering predicates) {
    this.lowering = lowering;
    this.builder = lowering.builder();
    this.expressions = expressions;
    this.predicates = predicates;
  }

  /** Returns whether an expression has a node that may raise. */
  static boolean mayRaise(Expression expression) {
    if (expression instanceof Call call) {
      return call.mode() == EvaluationMode.ANSI
          || call.arguments().stream().anyMatch(ConditionalLowering::mayRaise);
    }
    if (expression instanceof Member member) {
      return mayRaise(member.struct());
    }
    if (expression instanceof BridgedCall call
        && (call.function() instanceof NestedFunction
            || (call.function() instanceof StringFunction function && !function.mayRaise()))) {
      return call.arguments().stream().anyMatch(ConditionalLowering::mayRaise);
    }
    return expression instanceof BridgedCall;
  }

  /**
   * Returns whether it matters for which rows an expression is computed: for errors, or for speed.
   */
  private static boolean dependsOnRows(Expression expression) {
    return mayRaise(expression) || StringLowering.readsCharacters(expression);
  }

  /**
   * Lowers the operands of a function of two operands that is null where either is null. Spark
   * computes the second operand only where the first is not null, so it may raise only there. A
   * division computes the divisor first and, without ANSI mode, omits the dividend where the
   * divisor is zero.
   *
   * @return the operands, in the order of the arguments
   */
  List<Lowered> operands(Call call) {
    boolean isDivision = DIVISIONS.contains(call.function());
    Lowered first = expressions.lower(call.arguments().get(isDivision ? 1 : 0));
    Expression second = call.arguments().get(isDivision ? 0 : 1);
    TileValue outer = lowering.live();
    if (mayRaise(second) && call.function() != Function.NULL_SAFE_EQUAL) {
      TileValue rows = builder.and(outer, first.validity());
      // Without ANSI a division by zero is null before its dividend is computed.
      boolean skipsZeros = isDivision && call.mode() != EvaluationMode.ANSI;
      lowering.setLive(skipsZeros ? builder.andNot(rows, isZero(first)) : rows);
    }
    Lowered other = expressions.lower(second);
    lowering.setLive(outer);
    return isDivision ? List.of(other, first) : List.of(first, other);
  }

  private TileValue isZero(Lowered divisor) {
    return switch (divisor.form()) {
      case DOUBLE ->
          builder.compare(TileOpcode.EQ_F64, Kind.LANE, divisor.value(), Operand.of(0.0));
      case WIDE -> builder.compare(TileOpcode.EQ_I128, Kind.PAIR, divisor.value(), Operand.of(0L));
      default -> builder.compare(TileOpcode.EQ_I64, Kind.LANE, divisor.value(), Operand.of(0L));
    };
  }

  /** Lowers AND: the right side is evaluated unless the left one is false. */
  Lowered and(Call call) {
    Lowered a = expressions.lower(call.arguments().get(0));
    Expression right = call.arguments().get(1);
    TileValue outer = lowering.live();
    if (dependsOnRows(right)) {
      lowering.setLive(builder.andNot(outer, lowering.isFalse(a)));
    }
    Lowered b = expressions.lower(right);
    lowering.setLive(outer);
    return predicates.and(a, b);
  }

  /** Lowers OR: the right side is evaluated unless the left one is true. */
  Lowered or(Call call) {
    Lowered a = expressions.lower(call.arguments().get(0));
    Expression right = call.arguments().get(1);
    TileValue outer = lowering.live();
    if (dependsOnRows(right)) {
      lowering.setLive(builder.andNot(outer, lowering.isTrue(a)));
    }
    Lowered b = expressions.lower(right);
    lowering.setLive(outer);
    return predicates.or(a, b);
  }

  /**
   * Lowers the condition of a filter to the rows it keeps. Conjuncts are evaluated in order, each
   * on the rows that passed the ones before.
   */
  TileValue filter(Expression condition) {
    if (condition instanceof Call call && call.function() == Function.AND) {
      TileValue left = filter(call.arguments().get(0));
      Expression right = call.arguments().get(1);
      TileValue outer = lowering.live();
      if (dependsOnRows(right)) {
        lowering.setLive(builder.and(outer, left));
      }
      TileValue both = builder.and(left, filter(right));
      lowering.setLive(outer);
      return both;
    }
    return lowering.isTrue(expressions.lower(condition));
  }

  /** Lowers CASE: the value of the first condition that is true, else the last argument. */
  Lowered caseWhen(Call call) {
    List<Expression> arguments = call.arguments();
    boolean mayRaise = arguments.stream().anyMatch(ConditionalLowering::mayRaise);
    TileValue outer = lowering.live();
    TileValue decided = builder.constantMask(false);
    Lowered result = null;
    for (int i = 0; i + 1 < arguments.size(); i += 2) {
      TileValue reached = mayRaise ? builder.andNot(outer, decided) : outer;
      lowering.setLive(reached);
      TileValue holds = lowering.isTrue(expressions.lower(arguments.get(i)));
      lowering.setLive(mayRaise ? builder.and(reached, holds) : outer);
      Lowered value = expressions.lower(arguments.get(i + 1));
      result = result == null ? value : select(decided, result, value);
      decided = builder.or(decided, holds);
    }
    lowering.setLive(mayRaise ? builder.andNot(outer, decided) : outer);
    Lowered otherwise = expressions.lower(arguments.get(arguments.size() - 1));
    lowering.setLive(outer);
    return select(decided, result, otherwise).withType(call.type());
  }

  /** Lowers COALESCE. */
  Lowered coalesce(Call call) {
    TileValue outer = lowering.live();
    Lowered result = null;
    for (Expression argument : call.arguments()) {
      if (result == null) {
        result = expressions.lower(argument);
      } else if (result.validity() != null) {
        TileValue decided = result.validity();
        if (mayRaise(argument)) {
          lowering.setLive(builder.andNot(outer, decided));
        }
        Lowered next = expressions.lower(argument);
        lowering.setLive(outer);
        TileValue validity = next.validity() == null ? null : builder.or(decided, next.validity());
        result = select(decided, result, next).withValidity(validity);
      }
    }
    return result.withType(call.type());
  }

  /** Lowers GREATEST and LEAST, whose arguments are all computed. */
  Lowered extreme(Call call) {
    Function order = call.function() == Function.GREATEST ? Function.GREATER : Function.LESS;
    Lowered result = null;
    for (Expression argument : call.arguments()) {
      Lowered next = expressions.lower(argument);
      if (result == null) {
        result = next;
        continue;
      }
      TileValue better = predicates.comparison(order, next, result).maskValue();
      TileValue isFirst =
          result.validity() == null ? builder.constantMask(false) : builder.not(result.validity());
      TileValue taken = builder.and(next.validity(), builder.or(isFirst, better));
      boolean hasNulls = result.validity() != null && next.validity() != null;
      TileValue validity = hasNulls ? builder.or(result.validity(), next.validity()) : null;
      result = select(taken, next, result).withValidity(validity);
    }
    return result.withType(call.type());
  }

  /** Lowers NANVL: the second argument is computed where the first is NaN. */
  Lowered nanvl(Call call, FloatLowering floats) {
    Lowered a = expressions.lower(call.arguments().get(0));
    TileValue isNan = builder.and(a.validity(), floats.isNan(a));
    Expression second = call.arguments().get(1);
    TileValue outer = lowering.live();
    if (mayRaise(second)) {
      lowering.setLive(builder.and(outer, isNan));
    }
    Lowered b = expressions.lower(second);
    lowering.setLive(outer);
    return select(isNan, b, a).withType(call.type());
  }

  /**
   * Lowers the operands of a function that is null where any of them is null. Spark computes each
   * operand only where no earlier one is null.
   */
  List<Lowered> inOrder(List<Expression> arguments) {
    TileValue outer = lowering.live();
    TileValue valid = null;
    List<Lowered> operands = new ArrayList<>();
    for (Expression argument : arguments) {
      if (mayRaise(argument)) {
        lowering.setLive(builder.and(outer, valid));
      }
      Lowered operand = expressions.lower(argument);
      lowering.setLive(outer);
      valid = builder.and(valid, operand.validity());
      operands.add(operand);
    }
    return operands;
  }

  private Lowered select(TileValue condition, Lowered a, Lowered b) {
    TileValue validity =
        a.validity() == null && b.validity() == null
            ? null
            : builder.select(condition, a.validity(), b.validity());
    if (a.form() == Form.MASK) {
      TileValue value = builder.select(condition, a.maskValue(), b.maskValue());
      return Lowered.mask(a.type(), value, validity);
    }
    boolean isMixed = a.form() != b.form();
    Lowered x = isMixed ? lowering.widened(a) : a;
    Lowered y = isMixed ? lowering.widened(b) : b;
    Operand value = builder.select(x.form().kind(), condition, x.value(), y.value());
    return new Lowered(
        a.type(), x.form(), value, validity, a.bound() == null ? null : a.bound().max(b.bound()));
  }
}
