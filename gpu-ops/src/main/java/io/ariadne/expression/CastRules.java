package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.expression.FunctionRule.ResultRule;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Signatures of casts: which type to which. */
final class CastRules {
  private static final Map<TypeKind, Set<TypeKind>> TARGETS = targets();

  private CastRules() {}

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
      targets.get(floating).add(TypeKind.BOOLEAN);
    }
    targets.get(TypeKind.BOOLEAN).addAll(numbers);
    targets.get(TypeKind.DECIMAL).addAll(TypeKind.INTEGERS);
    targets.get(TypeKind.DECIMAL).addAll(Set.of(TypeKind.FLOAT64, TypeKind.BOOLEAN));
    targets.get(TypeKind.TIMESTAMP).add(TypeKind.INT64);
    targets.get(TypeKind.TIMESTAMP_NTZ).add(TypeKind.DATE);
    return targets;
  }

  static List<FunctionRule> rules() {
    List<FunctionRule> rules = new ArrayList<>();
    for (TypeKind from : TypeKind.values()) {
      Set<TypeKind> to = TARGETS.get(from);
      if (to != null) {
        rules.add(
            FunctionRule.of(Function.CAST, 1, Set.of(from), ResultRule.CHECKED)
                .with((arguments, result, mode) -> check(from, result), "to " + names(to)));
      }
    }
    return rules;
  }

  private static Optional<String> check(TypeKind from, DataType result) {
    return TARGETS.get(from).contains(TypeKind.of(result))
        ? Optional.empty()
        : Optional.of(
            "CAST from "
                + from.sqlName()
                + " to "
                + FunctionRule.describe(result)
                + " has no kernel");
  }

  private static String names(Set<TypeKind> kinds) {
    return kinds.stream().sorted().map(TypeKind::sqlName).collect(Collectors.joining(", "));
  }
}
