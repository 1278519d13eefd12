package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Tells which aggregates kernels compute for which types, and why they do not compute the rest.
 * Tagging, documentation and tests use this single table. Immutable.
 */
public final class AggregateSupport {
  /** The most grouping keys. */
  public static final int MAX_KEYS = 16;

  private static final Set<TypeKind> TEXTS = EnumSet.of(TypeKind.STRING, TypeKind.BINARY);

  private AggregateSupport() {}

  /**
   * Returns why kernels cannot compute an aggregate, or empty when they can.
   *
   * @param function the aggregate
   * @param argumentTypes types of its arguments
   * @param bufferFields the buffer's columns, as Spark declares them
   * @param resultType type of its result
   * @param mode what happens when a sum overflows
   * @return a short reason for people
   */
  public static Optional<String> reasonAgainst(
      AggregateFunction function,
      List<DataType> argumentTypes,
      List<Field> bufferFields,
      DataType resultType,
      EvaluationMode mode) {
    List<DataType> buffers = bufferFields.stream().map(Field::type).toList();
    return switch (function) {
      case COUNT -> count(argumentTypes, buffers);
      case SUM -> sum(argumentTypes, buffers);
      case AVERAGE -> average(argumentTypes, buffers, resultType);
      case MIN, MAX -> extreme(function, argumentTypes, buffers);
      case FIRST, FIRST_NON_NULL, LAST, LAST_NON_NULL -> pick(function, argumentTypes, buffers);
      case BIT_AND, BIT_OR, BIT_XOR -> bits(function, argumentTypes, buffers);
      case COLLECT_LIST -> collection(argumentTypes, buffers, resultType);
    };
  }

  /**
   * Returns whether an aggregate returns one of its values unchanged and therefore needs the values
   * as a column: first and last, and the extremes of strings.
   */
  public static boolean isPick(AggregateCall call) {
    return switch (call.function()) {
      case FIRST, FIRST_NON_NULL, LAST, LAST_NON_NULL -> true;
      case MIN, MAX -> TEXTS.contains(TypeKind.of(call.bufferFields().get(0).type()));
      default -> false;
    };
  }

  /**
   * Returns whether an aggregate collects all of its values and therefore needs them as a column.
   */
  public static boolean isCollection(AggregateCall call) {
    return call.function() == AggregateFunction.COLLECT_LIST;
  }

  /** Returns whether rows can be grouped by values of a type. */
  public static boolean canGroupBy(DataType type) {
    return TypeKind.FLAT.contains(TypeKind.of(type));
  }

  /**
   * Returns the types that an aggregate accepts, for the documentation.
   *
   * @param function the aggregate
   * @return one line per group of signatures
   */
  public static List<String> supportedTypes(AggregateFunction function) {
    return switch (function) {
      case COUNT -> List.of("any");
      case SUM, AVERAGE ->
          List.of(
              "tinyint, smallint, int, bigint", "decimal", "float, double: in any order of rows");
      case FIRST, FIRST_NON_NULL, LAST, LAST_NON_NULL ->
          List.of("as MIN and MAX; on one thread of a task, in the order of the rows");
      case BIT_AND, BIT_OR, BIT_XOR -> List.of("tinyint, smallint, int, bigint");
      case COLLECT_LIST ->
          List.of(
              "as MIN and MAX, decimal of at most 18 digits; on one thread of a task, in the order"
                  + " of the rows");
      case MIN, MAX ->
          List.of(
              "string, binary",
              "boolean, tinyint, smallint, int, bigint, float, double, decimal, date, timestamp,"
                  + " timestamp_ntz, interval year to month, interval day to second");
    };
  }

  private static Optional<String> count(List<DataType> arguments, List<DataType> buffers) {
    if (!buffers.equals(List.of(PrimitiveType.INT64))) {
      return unexpectedBuffer(AggregateFunction.COUNT);
    }
    return arguments.stream()
        .filter(type -> !FunctionSupport.canPassThrough(type))
        .findFirst()
        .map(type -> "COUNT of " + FunctionSignature.describe(type) + " has no kernel");
  }

  private static Optional<String> sum(List<DataType> arguments, List<DataType> buffers) {
    if (arguments.size() != 1) {
      return Optional.of("SUM of " + arguments.size() + " arguments");
    }
    TypeKind kind = TypeKind.of(arguments.get(0));
    if (TypeKind.FLOATS.contains(kind)) {
      return buffers.equals(List.of(PrimitiveType.FLOAT64))
          ? Optional.empty()
          : unexpectedBuffer(AggregateFunction.SUM);
    }
    if (TypeKind.INTEGERS.contains(kind)) {
      return buffers.equals(List.of(PrimitiveType.INT64))
          ? Optional.empty()
          : unexpectedBuffer(AggregateFunction.SUM);
    }
    if (kind != TypeKind.DECIMAL) {
      return Optional.of(
          "SUM of " + FunctionSignature.describe(arguments.get(0)) + " has no kernel");
    }
    boolean isExpected =
        buffers.size() == 2
            && sameScale(buffers.get(0), arguments.get(0))
            && buffers.get(1) == PrimitiveType.BOOLEAN;
    return isExpected ? Optional.empty() : unexpectedBuffer(AggregateFunction.SUM);
  }

  private static Optional<String> average(
      List<DataType> arguments, List<DataType> buffers, DataType result) {
    if (arguments.size() != 1) {
      return Optional.of("AVERAGE of " + arguments.size() + " arguments");
    }
    TypeKind kind = TypeKind.of(arguments.get(0));
    if (TypeKind.INTEGERS.contains(kind) || TypeKind.FLOATS.contains(kind)) {
      return buffers.equals(List.of(PrimitiveType.FLOAT64, PrimitiveType.INT64))
          ? Optional.empty()
          : unexpectedBuffer(AggregateFunction.AVERAGE);
    }
    if (kind != TypeKind.DECIMAL) {
      return Optional.of(
          "AVERAGE of " + FunctionSignature.describe(arguments.get(0)) + " has no kernel");
    }
    boolean isExpected =
        buffers.size() == 2
            && sameScale(buffers.get(0), arguments.get(0))
            && buffers.get(1) == PrimitiveType.INT64;
    return isExpected && result instanceof DecimalType
        ? Optional.empty()
        : unexpectedBuffer(AggregateFunction.AVERAGE);
  }

  private static Optional<String> extreme(
      AggregateFunction function, List<DataType> arguments, List<DataType> buffers) {
    if (arguments.size() != 1 || !canPick(arguments.get(0))) {
      return noKernel(function, arguments);
    }
    return buffers.equals(arguments) ? Optional.empty() : unexpectedBuffer(function);
  }

  private static Optional<String> pick(
      AggregateFunction function, List<DataType> arguments, List<DataType> buffers) {
    if (arguments.size() != 1 || !canPick(arguments.get(0))) {
      return noKernel(function, arguments);
    }
    return buffers.equals(List.of(arguments.get(0), PrimitiveType.BOOLEAN))
        ? Optional.empty()
        : unexpectedBuffer(function);
  }

  private static boolean canPick(DataType type) {
    TypeKind kind = TypeKind.of(type);
    return TypeKind.FIXED_WIDTH.contains(kind) || TEXTS.contains(kind);
  }

  private static Optional<String> bits(
      AggregateFunction function, List<DataType> arguments, List<DataType> buffers) {
    if (arguments.size() != 1 || !TypeKind.INTEGERS.contains(TypeKind.of(arguments.get(0)))) {
      return noKernel(function, arguments);
    }
    return buffers.equals(arguments) ? Optional.empty() : unexpectedBuffer(function);
  }

  private static Optional<String> collection(
      List<DataType> arguments, List<DataType> buffers, DataType result) {
    if (arguments.size() != 1 || !canCollect(arguments.get(0))) {
      return noKernel(AggregateFunction.COLLECT_LIST, arguments);
    }
    boolean isExpected =
        buffers.equals(List.of(PrimitiveType.BINARY))
            && result.equals(new ListType(arguments.get(0), false));
    return isExpected ? Optional.empty() : unexpectedBuffer(AggregateFunction.COLLECT_LIST);
  }

  private static boolean canCollect(DataType type) {
    return canPick(type) && type.defaultPhysicalType() != PhysicalType.I128;
  }

  private static Optional<String> noKernel(AggregateFunction function, List<DataType> arguments) {
    String types = arguments.stream().map(FunctionSignature::describe).toList().toString();
    return Optional.of(function + " of " + types + " has no kernel");
  }

  private static boolean sameScale(DataType a, DataType b) {
    return a instanceof DecimalType x && b instanceof DecimalType y && x.scale() == y.scale();
  }

  private static Optional<String> unexpectedBuffer(AggregateFunction function) {
    return Optional.of(function + " has buffer columns of unexpected types");
  }
}
