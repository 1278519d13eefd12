package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.FunctionSignature.ResultRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Signatures of arithmetic, decimal and bitwise functions. */
final class ArithmeticSignatures {
  /** Digits to which Spark's Decimal limits quotients of a remainder (its MATH_CONTEXT). */
  private static final int MAX_QUOTIENT_DIGITS = DecimalType.MAX_PRECISION + 1;

  /** Digits to which Scala's BigDecimal rounds where Spark's Decimal negates. */
  private static final int MAX_NEGATED_DIGITS = 34;

  private static final int MAX_LONG_DIGITS = 18;

  private static final Set<TypeKind> DECIMALS = Set.of(TypeKind.DECIMAL);

  private ArithmeticSignatures() {}

  static List<FunctionSignature> rules() {
    List<FunctionSignature> rules = new ArrayList<>();
    for (Function function : List.of(Function.ADD, Function.SUBTRACT, Function.MULTIPLY)) {
      rules.add(FunctionSignature.of(function, 2, TypeKind.NUMBERS, ResultRule.SAME));
    }
    rules.add(FunctionSignature.of(Function.REMAINDER, 2, TypeKind.NUMBERS, ResultRule.SAME));
    rules.add(FunctionSignature.of(Function.DIVIDE, 2, TypeKind.FLOATS, ResultRule.SAME));
    rules.add(
        FunctionSignature.of(Function.INTEGRAL_DIVIDE, 2, Set.of(TypeKind.INT64), ResultRule.SAME));
    for (Function function : List.of(Function.NEGATE, Function.ABS)) {
      rules.add(FunctionSignature.of(function, 1, TypeKind.NUMBERS, ResultRule.SAME));
      rules.add(
          FunctionSignature.of(function, 1, DECIMALS, ResultRule.SAME)
              .with(ArithmeticSignatures::negate, "at most 34 digits"));
    }
    Set<TypeKind> intervals = Set.of(TypeKind.INTERVAL_YEAR_MONTH, TypeKind.INTERVAL_DAY_TIME);
    for (Function function : List.of(Function.ADD, Function.SUBTRACT)) {
      rules.add(FunctionSignature.of(function, 2, intervals, ResultRule.SAME));
    }
    for (Function function : List.of(Function.NEGATE, Function.ABS)) {
      rules.add(FunctionSignature.of(function, 1, intervals, ResultRule.SAME));
    }
    rules.addAll(decimalRules());
    rules.addAll(bitwiseRules());
    Set<TypeKind> doubles = Set.of(TypeKind.FLOAT64);
    rules.add(FunctionSignature.of(Function.SQRT, 1, doubles, ResultRule.SAME));
    rules.add(
        FunctionSignature.of(Function.NORMALIZE_FLOATING, 1, TypeKind.FLOATS, ResultRule.SAME));
    return rules;
  }

  private static List<FunctionSignature> decimalRules() {
    Set<TypeKind> integers = Set.of(TypeKind.INT64);
    return List.of(
        decimal(Function.ADD).with((a, result, mode) -> decimalResult(result), ""),
        decimal(Function.SUBTRACT).with((a, result, mode) -> decimalResult(result), ""),
        decimal(Function.MULTIPLY).with(ArithmeticSignatures::multiply, ""),
        decimal(Function.DIVIDE).with((a, result, mode) -> decimalResult(result), ""),
        decimal(Function.REMAINDER)
            .with(ArithmeticSignatures::remainder, "result scale is the larger scale"),
        FunctionSignature.of(Function.CHECK_OVERFLOW, 1, DECIMALS, ResultRule.CHECKED)
            .with((a, result, mode) -> decimalResult(result), ""),
        FunctionSignature.of(Function.UNSCALED_VALUE, 1, DECIMALS, ResultRule.CHECKED)
            .with(ArithmeticSignatures::unscaledValue, "at most 18 digits"),
        FunctionSignature.of(Function.MAKE_DECIMAL, 1, integers, ResultRule.CHECKED)
            .with((a, result, mode) -> decimalResult(result), ""));
  }

  private static List<FunctionSignature> bitwiseRules() {
    List<FunctionSignature> rules = new ArrayList<>();
    for (Function function :
        List.of(Function.BITWISE_AND, Function.BITWISE_OR, Function.BITWISE_XOR)) {
      rules.add(FunctionSignature.of(function, 2, TypeKind.INTEGERS, ResultRule.SAME));
    }
    rules.add(FunctionSignature.of(Function.BITWISE_NOT, 1, TypeKind.INTEGERS, ResultRule.SAME));
    Set<TypeKind> shifted = Set.of(TypeKind.INT32, TypeKind.INT64);
    for (Function function :
        List.of(Function.SHIFT_LEFT, Function.SHIFT_RIGHT, Function.SHIFT_RIGHT_UNSIGNED)) {
      rules.add(
          FunctionSignature.of(function, 2, shifted, ResultRule.CHECKED)
              .with(ArithmeticSignatures::shift, "shifted by int"));
    }
    return rules;
  }

  private static FunctionSignature decimal(Function function) {
    return FunctionSignature.of(function, 2, DECIMALS, ResultRule.CHECKED);
  }

  private static Optional<String> decimalResult(DataType result) {
    return result instanceof DecimalType
        ? Optional.empty()
        : Optional.of("the result is not a decimal");
  }

  private static Optional<String> negate(
      List<DataType> arguments, DataType result, EvaluationMode mode) {
    return ((DecimalType) result).precision() > MAX_NEGATED_DIGITS
        ? Optional.of("Spark rounds negated decimals to 34 digits")
        : Optional.empty();
  }

  /**
   * Spark truncates a product to 39 digits before it rounds to the result's scale; as results have
   * at most 38, that is rounding once. The same holds for quotients, which it truncates to scale
   * 39.
   */
  private static Optional<String> multiply(
      List<DataType> arguments, DataType result, EvaluationMode mode) {
    if (!(result instanceof DecimalType product)) {
      return decimalResult(result);
    }
    int scale = 0;
    for (DataType argument : arguments) {
      scale += ((DecimalType) argument).scale();
    }
    return product.scale() > scale
        ? Optional.of("a product of a larger scale than its factors has no kernel")
        : Optional.empty();
  }

  private static Optional<String> remainder(
      List<DataType> arguments, DataType result, EvaluationMode mode) {
    if (!(result instanceof DecimalType remainder)) {
      return decimalResult(result);
    }
    DecimalType left = (DecimalType) arguments.get(0);
    DecimalType right = (DecimalType) arguments.get(1);
    int scale = Math.max(left.scale(), right.scale());
    boolean isQuotientShort =
        left.precision() - left.scale() + right.scale() <= MAX_QUOTIENT_DIGITS;
    return remainder.scale() == scale && isQuotientShort
        ? Optional.empty()
        : Optional.of("this decimal remainder has no kernel");
  }

  private static Optional<String> unscaledValue(
      List<DataType> arguments, DataType result, EvaluationMode mode) {
    boolean isShort = ((DecimalType) arguments.get(0)).precision() <= MAX_LONG_DIGITS;
    return isShort && result == PrimitiveType.INT64
        ? Optional.empty()
        : Optional.of("the unscaled value does not fit 64 bits");
  }

  private static Optional<String> shift(
      List<DataType> arguments, DataType result, EvaluationMode mode) {
    return arguments.get(1) == PrimitiveType.INT32 && arguments.get(0).equals(result)
        ? Optional.empty()
        : Optional.of("a shift by other than int has no kernel");
  }
}
