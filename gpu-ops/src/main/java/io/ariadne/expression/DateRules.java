package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.FunctionRule.ResultRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Signatures of date functions. */
final class DateRules {
  private DateRules() {}

  static List<FunctionRule> rules() {
    List<FunctionRule> rules = new ArrayList<>();
    for (Function function :
        List.of(
            Function.YEAR,
            Function.QUARTER,
            Function.MONTH,
            Function.DAY_OF_MONTH,
            Function.DAY_OF_YEAR)) {
      rules.add(FunctionRule.of(function, 1, Set.of(TypeKind.DATE), ResultRule.INT32));
    }
    for (Function function : List.of(Function.DATE_ADD, Function.DATE_SUB)) {
      rules.add(
          FunctionRule.of(
                  function,
                  2,
                  Set.of(TypeKind.DATE, TypeKind.INT8, TypeKind.INT16, TypeKind.INT32),
                  ResultRule.CHECKED)
              .with(DateRules::addDays, "a date and a number of days"));
    }
    return rules;
  }

  private static Optional<String> addDays(
      List<DataType> arguments, DataType result, EvaluationMode mode) {
    return arguments.get(0) == PrimitiveType.DATE32
            && arguments.get(1) != PrimitiveType.DATE32
            && result == PrimitiveType.DATE32
        ? Optional.empty()
        : Optional.of("this date arithmetic has no kernel");
  }
}
