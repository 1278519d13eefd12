package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.FunctionSignature.ResultRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Signatures of date functions. */
final class DateSignatures {
  private DateSignatures() {}

  static List<FunctionSignature> rules() {
    List<FunctionSignature> rules = new ArrayList<>();
    for (Function function :
        List.of(
            Function.YEAR,
            Function.QUARTER,
            Function.MONTH,
            Function.DAY_OF_MONTH,
            Function.DAY_OF_YEAR,
            Function.DAY_OF_WEEK,
            Function.WEEK_DAY,
            Function.WEEK_OF_YEAR,
            Function.YEAR_OF_WEEK)) {
      rules.add(FunctionSignature.of(function, 1, Set.of(TypeKind.DATE), ResultRule.INT32));
    }
    for (Function function : List.of(Function.DATE_ADD, Function.DATE_SUB)) {
      rules.add(
          FunctionSignature.of(
                  function,
                  2,
                  Set.of(TypeKind.DATE, TypeKind.INT8, TypeKind.INT16, TypeKind.INT32),
                  ResultRule.CHECKED)
              .with(DateSignatures::addDays, "a date and a number of days"));
    }
    rules.addAll(months());
    return rules;
  }

  private static List<FunctionSignature> months() {
    Set<TypeKind> dates = Set.of(TypeKind.DATE);
    Set<TypeKind> datesAndInts = Set.of(TypeKind.DATE, TypeKind.INT32);
    return List.of(
        FunctionSignature.of(Function.LAST_DAY, 1, dates, ResultRule.SAME),
        FunctionSignature.of(Function.DATE_DIFF, 2, dates, ResultRule.INT32),
        FunctionSignature.of(
                Function.ADD_MONTHS,
                2,
                Set.of(TypeKind.DATE, TypeKind.INT32, TypeKind.INTERVAL_YEAR_MONTH),
                ResultRule.CHECKED)
            .with(DateSignatures::addDays, "a date and a number of months"),
        FunctionSignature.of(Function.NEXT_DAY, 2, datesAndInts, ResultRule.CHECKED)
            .with(DateSignatures::addDays, "")
            .documentedAs(dates),
        FunctionSignature.of(Function.TRUNC_DATE, 2, datesAndInts, ResultRule.CHECKED)
            .with(DateSignatures::addDays, "")
            .documentedAs(dates),
        FunctionSignature.of(
                Function.MAKE_DATE, 4, Set.of(TypeKind.INT32, TypeKind.BOOLEAN), ResultRule.CHECKED)
            .with(DateSignatures::makeDate, "year, month, day")
            .documentedAs(Set.of(TypeKind.INT32)));
  }

  private static Optional<String> makeDate(
      List<DataType> arguments, DataType result, EvaluationMode mode) {
    boolean areInts =
        arguments.subList(0, 3).stream().allMatch(type -> type == PrimitiveType.INT32);
    return areInts && result == PrimitiveType.DATE32
        ? Optional.empty()
        : Optional.of("this date has no kernel");
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
