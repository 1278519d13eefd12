package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.MapType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.StructType;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Tells which functions kernels compute for which types, and why they do not compute the rest.
 * Tagging, documentation and tests use this single table. Immutable.
 */
public final class FunctionSupport {
  private static final Map<Function, List<FunctionSignature>> RULES = table();

  private FunctionSupport() {}

  private static Map<Function, List<FunctionSignature>> table() {
    Map<Function, List<FunctionSignature>> table = new EnumMap<>(Function.class);
    Stream.of(
            ArithmeticSignatures.rules(),
            PredicateSignatures.rules(),
            CastSignatures.rules(),
            DateSignatures.rules(),
            MathSignatures.rules(),
            TimeSignatures.rules(),
            HashSignatures.rules(),
            StringSignatures.rules())
        .flatMap(List::stream)
        .forEach(
            rule ->
                table.merge(
                    rule.function(),
                    List.of(rule),
                    (a, b) -> Stream.concat(a.stream(), b.stream()).toList()));
    return table;
  }

  /**
   * Returns why kernels cannot compute a function, or empty when they can.
   *
   * @param function the function
   * @param argumentTypes types of its arguments, in order
   * @param resultType type of its result
   * @param mode what it does on overflow
   * @return a short reason for people
   */
  public static Optional<String> reasonAgainst(
      Function function, List<DataType> argumentTypes, DataType resultType, EvaluationMode mode) {
    Optional<String> reason = Optional.empty();
    for (FunctionSignature rule : RULES.getOrDefault(function, List.of())) {
      Optional<String> ruleReason = rule.reasonAgainst(argumentTypes, resultType, mode);
      if (ruleReason.isEmpty()) {
        return ruleReason;
      }
      if (reason.isEmpty() || rule.acceptsKinds(argumentTypes)) {
        reason = ruleReason;
      }
    }
    return reason.or(() -> Optional.of(function + " has no kernel"));
  }

  /**
   * Returns why an expression cannot be computed, or empty when it can; checks the whole tree.
   *
   * @param expression any expression
   * @return the first reason found, depth first
   */
  public static Optional<String> reasonAgainst(Expression expression) {
    if (expression instanceof Call call) {
      return firstReason(call.arguments())
          .or(() -> reasonAgainstConstants(call))
          .or(() -> reasonAgainstCall(call));
    }
    if (expression instanceof BridgedCall bridged) {
      return firstReason(bridged.arguments());
    }
    if (expression instanceof Member member) {
      return reasonAgainst(member.struct());
    }
    boolean isConstant = expression instanceof Literal || expression instanceof UnknownConstant;
    boolean isSupported =
        isConstant ? canBeConstant(expression.type()) : canPassThrough(expression.type());
    return isSupported
        ? Optional.empty()
        : Optional.of(FunctionSignature.describe(expression.type()) + " values are not supported");
  }

  private static Optional<String> reasonAgainstConstants(Call call) {
    List<Expression> arguments = call.arguments();
    int first = Math.min(firstConstant(call.function()), arguments.size());
    return arguments.subList(first, arguments.size()).stream()
        .filter(argument -> !(argument instanceof Literal literal && literal.value() != null))
        .findFirst()
        .map(argument -> call.function() + " of " + argument + ", which is no constant");
  }

  /**
   * Returns the first argument of a function that must be a constant other than null, for example a
   * unit or a number of digits. All later arguments must be such constants, too.
   *
   * @param function any function
   * @return the argument's index, or a large number when there is none
   */
  public static int firstConstant(Function function) {
    return switch (function) {
      case ROUND, ROUND_HALF_EVEN, CEILING, FLOOR, NEXT_DAY, TRUNC_DATE -> 1;
      case LOCAL_DATE, START_OF_DAY, TO_LOCAL, FROM_LOCAL, TRUNC_TIMESTAMP -> 1;
      case HOUR, MINUTE, SECOND, SECOND_WITH_FRACTION, UNIX_TIME, FROM_UNIX_TIME, INTERVAL_FIELD ->
          1;
      case ADD_MONTHS_TO_TIME, ADD_DAY_TIME, SUBTRACT_TIMESTAMPS -> 2;
      case TIMESTAMP_ADD, TIMESTAMP_DIFF, MONTHS_BETWEEN -> 2;
      case MAKE_DATE -> 3;
      default -> Integer.MAX_VALUE;
    };
  }

  /**
   * Returns why a call cannot be computed although its operands can, or empty when it can.
   *
   * @param call any call
   * @return a short reason for people
   */
  public static Optional<String> reasonAgainstCall(Call call) {
    return reasonAgainst(
            call.function(),
            call.arguments().stream().map(Expression::type).toList(),
            call.type(),
            call.mode())
        .or(() -> StringHeaps.reasonAgainst(call));
  }

  private static Optional<String> firstReason(List<Expression> expressions) {
    return expressions.stream().flatMap(e -> reasonAgainst(e).stream()).findFirst();
  }

  /**
   * Returns whether columns and bridged results of a type may be inputs and outputs: every type
   * except the type of nulls and types that contain it.
   *
   * @param type any type
   */
  public static boolean canPassThrough(DataType type) {
    if (type instanceof ListType list) {
      return canPassThrough(list.element());
    }
    if (type instanceof MapType map) {
      return canPassThrough(map.key()) && canPassThrough(map.value());
    }
    if (type instanceof StructType struct) {
      return struct.fields().stream().allMatch(field -> canPassThrough(field.type()));
    }
    return type != PrimitiveType.NULL;
  }

  /**
   * Returns whether literals of a type may be outputs.
   *
   * @param type any type
   */
  public static boolean canBeConstant(DataType type) {
    return TypeKind.FLAT.contains(TypeKind.of(type));
  }

  /**
   * Returns the types that a function accepts, for the documentation: one line per group of
   * signatures.
   *
   * @param function the function
   * @return lines such as {@code tinyint, smallint, int, bigint}; empty when it has no kernel
   */
  public static List<String> supportedTypes(Function function) {
    return RULES.getOrDefault(function, List.of()).stream()
        .map(FunctionSignature::describe)
        .distinct()
        .toList();
  }
}
