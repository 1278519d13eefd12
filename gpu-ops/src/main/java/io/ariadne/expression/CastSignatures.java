package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.expression.FunctionSignature.ResultRule;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Signatures of casts. */
final class CastSignatures {
  private static final int MAX_LONG_DIGITS = 18;
  private static final Map<TypeKind, Set<TypeKind>> TARGETS = targets();

  private CastSignatures() {}

  private static Map<TypeKind, Set<TypeKind>> targets() {
    Map<TypeKind, Set<TypeKind>> targets = new EnumMap<>(TypeKind.class);
    for (TypeKind kind : TypeKind.FIXED_WIDTH) {
      targets.put(kind, EnumSet.of(kind));
    }
    Set<TypeKind> numbers = EnumSet.copyOf(TypeKind.INTEGERS);
    numbers.addAll(TypeKind.FLOATS);
    for (TypeKind integer : TypeKind.INTEGERS) {
      targets.get(integer).addAll(numbers);
      targets.get(integer).addAll(Set.of(TypeKind.BOOLEAN, TypeKind.DECIMAL));
    }
    for (TypeKind floating : TypeKind.FLOATS) {
      targets.get(floating).addAll(numbers);
      targets.get(floating).addAll(Set.of(TypeKind.BOOLEAN, TypeKind.DECIMAL));
    }
    targets.get(TypeKind.BOOLEAN).addAll(numbers);
    targets.get(TypeKind.DECIMAL).addAll(TypeKind.INTEGERS);
    targets.get(TypeKind.DECIMAL).addAll(Set.of(TypeKind.FLOAT64, TypeKind.BOOLEAN));
    targets.get(TypeKind.TIMESTAMP).addAll(numbers);
    targets.get(TypeKind.TIMESTAMP).add(TypeKind.BOOLEAN);
    targets.get(TypeKind.BOOLEAN).add(TypeKind.TIMESTAMP);
    for (TypeKind number : numbers) {
      targets.get(number).add(TypeKind.TIMESTAMP);
    }
    targets.get(TypeKind.TIMESTAMP_NTZ).add(TypeKind.DATE);
    return targets;
  }

  private static final Set<TypeKind> TEXTS = Set.of(TypeKind.STRING, TypeKind.BINARY);

  static List<FunctionSignature> rules() {
    List<FunctionSignature> rules = new ArrayList<>();
    for (TypeKind from : TypeKind.values()) {
      Set<TypeKind> to = TARGETS.get(from);
      if (to != null) {
        rules.add(
            FunctionSignature.of(Function.CAST, 1, Set.of(from), ResultRule.CHECKED)
                .with((a, result, mode) -> check(a.get(0), result, mode), "to " + names(to)));
      }
    }
    rules.add(
        FunctionSignature.of(Function.REINTERPRET, 1, TypeKind.INTEGER_LIKE, ResultRule.CHECKED)
            .with(CastSignatures::sameWidth, "to a type of the same width"));
    rules.add(
        FunctionSignature.of(Function.REINTERPRET, 1, TEXTS, ResultRule.CHECKED)
            .with(CastSignatures::sameWidth, "the one as the other"));
    return rules;
  }

  private static Optional<String> sameWidth(
      List<DataType> arguments, DataType result, EvaluationMode mode) {
    boolean isText = TEXTS.contains(TypeKind.of(arguments.get(0)));
    return (isText ? TEXTS : TypeKind.INTEGER_LIKE).contains(TypeKind.of(result))
            && result.defaultPhysicalType() == arguments.get(0).defaultPhysicalType()
        ? Optional.empty()
        : Optional.of("these types differ in width");
  }

  private static Optional<String> check(DataType from, DataType to, EvaluationMode mode) {
    TypeKind kind = TypeKind.of(from);
    if (!TARGETS.get(kind).contains(TypeKind.of(to))) {
      return Optional.of(
          "CAST from "
              + kind.sqlName()
              + " to "
              + FunctionSignature.describe(to)
              + " has no kernel");
    }
    boolean ofTime = kind == TypeKind.TIMESTAMP || TypeKind.of(to) == TypeKind.TIMESTAMP;
    boolean isFloat = TypeKind.FLOATS.contains(kind);
    boolean isTried = mode == EvaluationMode.TRY && kind != TypeKind.of(to);
    if (ofTime && (isTried || (isFloat && mode == EvaluationMode.ANSI))) {
      return Optional.of("CAST of a timestamp that checks its range has no kernel");
    }
    return mode != EvaluationMode.LEGACY && from instanceof DecimalType decimal
        ? checkedDecimal(decimal, TypeKind.of(to))
        : Optional.empty();
  }

  /**
   * Rejects checked casts that {@code Decimal.roundToInt} and similar methods compute with doubles,
   * which they do unless the value is a long.
   */
  private static Optional<String> checkedDecimal(DecimalType from, TypeKind to) {
    boolean isShort = from.precision() <= MAX_LONG_DIGITS || from.scale() == 0;
    boolean isSmall = TypeKind.INTEGERS.contains(to) && to != TypeKind.INT64;
    return isSmall && !isShort
        ? Optional.of("Spark rounds this decimal to a double before it is cast")
        : Optional.empty();
  }

  private static String names(Set<TypeKind> kinds) {
    return kinds.stream().sorted().map(TypeKind::sqlName).collect(Collectors.joining(", "));
  }
}
