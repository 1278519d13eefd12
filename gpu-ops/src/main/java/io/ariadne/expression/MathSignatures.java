package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.FunctionSignature.ResultRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Signatures of rounding and of functions of numbers beyond arithmetic. */
final class MathSignatures {
  private static final int MAX_ARGUMENTS = 129;
  private static final Set<TypeKind> DOUBLES = Set.of(TypeKind.FLOAT64);

  private MathSignatures() {}

  static List<FunctionSignature> rules() {
    List<FunctionSignature> rules = new ArrayList<>();
    for (Function function : List.of(Function.GREATEST, Function.LEAST)) {
      rules.add(
          FunctionSignature.of(function, 2, TypeKind.FIXED_WIDTH, ResultRule.SAME)
              .withArguments(2, MAX_ARGUMENTS));
    }
    rules.add(FunctionSignature.of(Function.NANVL, 2, TypeKind.FLOATS, ResultRule.SAME));
    rules.add(FunctionSignature.of(Function.POSITIVE_MODULO, 2, TypeKind.NUMBERS, ResultRule.SAME));
    for (Function function : List.of(Function.ROUND, Function.ROUND_HALF_EVEN)) {
      rules.add(
          FunctionSignature.of(function, 2, TypeKind.INTEGERS, ResultRule.CHECKED)
              .with(MathSignatures::roundInteger, ""));
      rules.add(
          FunctionSignature.of(
                  function,
                  2,
                  Set.of(TypeKind.FLOAT32, TypeKind.FLOAT64, TypeKind.INT32),
                  ResultRule.CHECKED)
              .with(MathSignatures::roundFloat, "")
              .documentedAs(TypeKind.FLOATS));
    }
    for (Function function :
        List.of(Function.ROUND, Function.ROUND_HALF_EVEN, Function.CEILING, Function.FLOOR)) {
      rules.add(
          FunctionSignature.of(
                  function, 2, Set.of(TypeKind.DECIMAL, TypeKind.INT32), ResultRule.CHECKED)
              .with(MathSignatures::roundDecimal, "")
              .documentedAs(Set.of(TypeKind.DECIMAL)));
    }
    for (Function function : List.of(Function.CEILING, Function.FLOOR)) {
      rules.add(
          FunctionSignature.of(
                  function, 2, Set.of(TypeKind.FLOAT64, TypeKind.INT32), ResultRule.CHECKED)
              .with(MathSignatures::wholeNumber, "to bigint")
              .documentedAs(DOUBLES));
    }
    rules.addAll(functionsOfNumbers());
    return rules;
  }

  private static List<FunctionSignature> functionsOfNumbers() {
    List<FunctionSignature> rules = new ArrayList<>();
    for (Function function : List.of(Function.RINT, Function.TO_DEGREES, Function.TO_RADIANS)) {
      rules.add(FunctionSignature.of(function, 1, DOUBLES, ResultRule.SAME));
    }
    Set<TypeKind> signed =
        Set.of(TypeKind.FLOAT64, TypeKind.INTERVAL_YEAR_MONTH, TypeKind.INTERVAL_DAY_TIME);
    rules.add(
        FunctionSignature.of(Function.SIGNUM, 1, signed, ResultRule.CHECKED)
            .with((a, result, mode) -> required(result == PrimitiveType.FLOAT64), ""));
    rules.add(
        FunctionSignature.of(Function.FACTORIAL, 1, Set.of(TypeKind.INT32), ResultRule.CHECKED)
            .with((a, result, mode) -> required(result == PrimitiveType.INT64), ""));
    rules.add(FunctionSignature.of(Function.BIT_COUNT, 1, TypeKind.INTEGERS, ResultRule.INT32));
    rules.add(
        FunctionSignature.of(Function.BIT_COUNT, 1, Set.of(TypeKind.BOOLEAN), ResultRule.INT32));
    rules.add(
        FunctionSignature.of(Function.BIT_GET, 2, TypeKind.INTEGERS, ResultRule.CHECKED)
            .with(
                (a, result, mode) ->
                    required(a.get(1) == PrimitiveType.INT32 && result == PrimitiveType.INT8),
                "at an int"));
    return rules;
  }

  private static Optional<String> required(boolean holds) {
    return holds ? Optional.empty() : Optional.of("this signature has no kernel");
  }

  private static Optional<String> roundInteger(
      List<DataType> arguments, DataType result, EvaluationMode mode) {
    return required(arguments.get(1) == PrimitiveType.INT32 && result.equals(arguments.get(0)));
  }

  private static Optional<String> roundFloat(
      List<DataType> arguments, DataType result, EvaluationMode mode) {
    boolean isFloat = TypeKind.FLOATS.contains(TypeKind.of(arguments.get(0)));
    return required(
        isFloat && arguments.get(1) == PrimitiveType.INT32 && result.equals(arguments.get(0)));
  }

  private static Optional<String> roundDecimal(
      List<DataType> arguments, DataType result, EvaluationMode mode) {
    return required(
        arguments.get(0) instanceof DecimalType
            && arguments.get(1) == PrimitiveType.INT32
            && result instanceof DecimalType);
  }

  private static Optional<String> wholeNumber(
      List<DataType> arguments, DataType result, EvaluationMode mode) {
    return required(
        arguments.get(0) == PrimitiveType.FLOAT64
            && arguments.get(1) == PrimitiveType.INT32
            && result == PrimitiveType.INT64);
  }
}
