package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.FunctionSignature.ResultRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Signatures of functions of timestamps; a time zone is a string, the last argument. */
final class TimeSignatures {
  private static final DataType ZONE = PrimitiveType.STRING;
  private static final DataType UNIT = PrimitiveType.INT32;
  private static final DataType INSTANT = PrimitiveType.TIMESTAMP_MICROS;
  private static final DataType LOCAL = PrimitiveType.TIMESTAMP_NTZ_MICROS;
  private static final DataType INTERVAL = PrimitiveType.INTERVAL_DAY_TIME;

  private TimeSignatures() {}

  static List<FunctionSignature> rules() {
    List<FunctionSignature> rules = new ArrayList<>();
    for (DataType time : List.of(INSTANT, LOCAL)) {
      for (Function field : List.of(Function.HOUR, Function.MINUTE, Function.SECOND)) {
        rules.add(rule(field, PrimitiveType.INT32, time, ZONE));
      }
      rules.add(rule(Function.SECOND_WITH_FRACTION, new DecimalType(8, 6), time, ZONE));
      rules.add(rule(Function.LOCAL_DATE, PrimitiveType.DATE32, time, ZONE));
      rules.add(rule(Function.START_OF_DAY, time, PrimitiveType.DATE32, ZONE));
      rules.add(rule(Function.TRUNC_TIMESTAMP, time, time, UNIT, ZONE));
      rules.add(rule(Function.ADD_DAY_TIME, time, time, INTERVAL, ZONE));
      rules.add(rule(Function.SUBTRACT_TIMESTAMPS, INTERVAL, time, time, ZONE));
      rules.add(rule(Function.TIMESTAMP_DIFF, PrimitiveType.INT64, time, time, UNIT, ZONE));
      for (DataType months : List.of(PrimitiveType.INT32, PrimitiveType.INTERVAL_YEAR_MONTH)) {
        rules.add(rule(Function.ADD_MONTHS_TO_TIME, time, time, months, ZONE));
      }
      for (DataType number : List.of(PrimitiveType.INT32, PrimitiveType.INT64)) {
        rules.add(rule(Function.TIMESTAMP_ADD, time, number, time, UNIT, ZONE));
      }
      for (DataType result : List.of(INSTANT, LOCAL)) {
        rules.add(rule(Function.TO_LOCAL, result, time, ZONE));
        rules.add(rule(Function.FROM_LOCAL, result, time, ZONE));
      }
      rules.add(rule(Function.UNIX_TIME, PrimitiveType.INT64, time, UNIT));
    }
    rules.add(
        rule(
            Function.MONTHS_BETWEEN,
            PrimitiveType.FLOAT64,
            INSTANT,
            INSTANT,
            PrimitiveType.BOOLEAN,
            ZONE));
    rules.add(rule(Function.SUBTRACT_DATES, INTERVAL, PrimitiveType.DATE32, PrimitiveType.DATE32));
    rules.addAll(intervals());
    for (DataType integer :
        List.of(
            PrimitiveType.INT8, PrimitiveType.INT16, PrimitiveType.INT32, PrimitiveType.INT64)) {
      rules.add(rule(Function.FROM_UNIX_TIME, INSTANT, integer, UNIT));
    }
    return rules;
  }

  private static List<FunctionSignature> intervals() {
    List<FunctionSignature> rules = new ArrayList<>();
    for (DataType interval : List.of(PrimitiveType.INTERVAL_YEAR_MONTH, INTERVAL)) {
      for (DataType integer :
          List.of(
              PrimitiveType.INT8, PrimitiveType.INT16, PrimitiveType.INT32, PrimitiveType.INT64)) {
        rules.add(rule(Function.SCALE_INTERVAL, interval, interval, integer));
      }
      for (DataType field : List.of(PrimitiveType.INT8, PrimitiveType.INT32)) {
        rules.add(rule(Function.INTERVAL_FIELD, field, interval, UNIT));
      }
    }
    rules.add(rule(Function.INTERVAL_FIELD, new DecimalType(8, 6), INTERVAL, UNIT));
    return rules;
  }

  private static FunctionSignature rule(Function function, DataType result, DataType... arguments) {
    List<TypeKind> kinds = Arrays.stream(arguments).map(TypeKind::of).toList();
    int constants = Math.min(FunctionSupport.firstConstant(function), arguments.length);
    List<DataType> expected = Arrays.asList(arguments);
    return FunctionSignature.of(function, arguments.length, Set.copyOf(kinds), ResultRule.CHECKED)
        .with(
            (actual, type, mode) ->
                actual.equals(expected) && type.equals(result)
                    ? Optional.empty()
                    : Optional.of("this signature has no kernel"),
            "")
        .documentedAs(Set.copyOf(kinds.subList(0, constants)));
  }
}
