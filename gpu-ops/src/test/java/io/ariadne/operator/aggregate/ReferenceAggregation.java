package io.ariadne.operator.aggregate;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ReferenceInterpreter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.LongBinaryOperator;

/**
 * Aggregates rows in plain Java, with ANSI mode off: the reference for hash aggregation. Returns
 * results, not buffers.
 */
public final class ReferenceAggregation {
  private static final int QUOTIENT_SCALE = 39;

  private ReferenceAggregation() {}

  /**
   * Aggregates rows.
   *
   * @param rows the input, decimals as unscaled integers
   * @param condition rows to aggregate, or null
   * @param keys grouping expressions; none for one group
   * @param aggregates in update modes
   * @return keys and results
   */
  public static List<List<Object>> aggregate(
      List<List<Object>> rows,
      Expression condition,
      List<Expression> keys,
      List<AggregateCall> aggregates) {
    Map<List<Object>, List<List<Object>>> groups = new LinkedHashMap<>();
    if (keys.isEmpty()) {
      groups.put(List.of(), new ArrayList<>());
    }
    for (List<Object> row : rows) {
      if (condition == null || isTrue(condition, row)) {
        List<Object> key = new ArrayList<>();
        keys.forEach(k -> key.add(normalized(ReferenceInterpreter.evaluate(k, row))));
        groups.computeIfAbsent(key, k -> new ArrayList<>()).add(row);
      }
    }
    List<List<Object>> results = new ArrayList<>();
    groups.forEach(
        (key, members) -> {
          List<Object> result = new ArrayList<>(key);
          aggregates.forEach(call -> result.add(result(call, members)));
          results.add(result);
        });
    return results;
  }

  private static boolean isTrue(Expression condition, List<Object> row) {
    return Boolean.TRUE.equals(ReferenceInterpreter.evaluate(condition, row));
  }

  private static Object normalized(Object value) {
    if (value instanceof Double number) {
      return number == 0 ? (Object) 0.0 : number;
    }
    if (value instanceof Float number) {
      return number == 0 ? (Object) 0.0f : number;
    }
    return value;
  }

  private static Object result(AggregateCall call, List<List<Object>> rows) {
    List<List<Object>> counted =
        rows.stream().filter(row -> call.filter() == null || isTrue(call.filter(), row)).toList();
    if (call.arguments().isEmpty()) {
      return (long) counted.size();
    }
    Expression argument = call.arguments().get(0);
    List<Object> all = new ArrayList<>();
    counted.forEach(row -> all.add(ReferenceInterpreter.evaluate(argument, row)));
    List<Object> values = all.stream().filter(Objects::nonNull).toList();
    return switch (call.function()) {
      case COUNT -> (long) values.size();
      case SUM -> sum(call, values);
      case AVERAGE ->
          call.resultType() == PrimitiveType.FLOAT64
              ? floatAverage(values)
              : average(call, argument.type(), values);
      case MIN -> values.stream().min(ReferenceAggregation::compare).orElse(null);
      case MAX -> values.stream().max(ReferenceAggregation::compare).orElse(null);
      case FIRST -> all.isEmpty() ? null : all.get(0);
      case FIRST_NON_NULL -> values.isEmpty() ? null : values.get(0);
      case LAST -> all.isEmpty() ? null : all.get(all.size() - 1);
      case LAST_NON_NULL -> values.isEmpty() ? null : values.get(values.size() - 1);
      case BIT_AND -> bits(argument.type(), values, (a, b) -> a & b);
      case BIT_OR -> bits(argument.type(), values, (a, b) -> a | b);
      case BIT_XOR -> bits(argument.type(), values, (a, b) -> a ^ b);
      case COLLECT_LIST -> values;
    };
  }

  private static Object bits(DataType type, List<Object> values, LongBinaryOperator operator) {
    OptionalLong bits =
        values.stream().mapToLong(value -> ((Number) value).longValue()).reduce(operator);
    return bits.isEmpty() ? null : ReferenceInterpreter.boxed(bits.getAsLong(), type);
  }

  /** Spark returns whichever zero comes first; here the negative zero is smaller. */
  private static int compare(Object a, Object b) {
    if (a instanceof String || a instanceof byte[]) {
      return Arrays.compareUnsigned(bytes(a), bytes(b));
    }
    if (a instanceof Double x && b instanceof Double y) {
      return Double.compare(x, y);
    }
    return a instanceof Float x && b instanceof Float y
        ? Float.compare(x, y)
        : ReferenceInterpreter.compare(a, b);
  }

  private static byte[] bytes(Object value) {
    return value instanceof String text ? text.getBytes(StandardCharsets.UTF_8) : (byte[]) value;
  }

  private static BigInteger exactSum(List<Object> values) {
    BigInteger sum = BigInteger.ZERO;
    for (Object value : values) {
      sum =
          sum.add(
              value instanceof BigInteger unscaled
                  ? unscaled
                  : BigInteger.valueOf(((Number) value).longValue()));
    }
    return sum;
  }

  private static Object sum(AggregateCall call, List<Object> values) {
    if (values.isEmpty()) {
      return null;
    }
    if (call.resultType() == PrimitiveType.FLOAT64) {
      return ReferenceFloatSum.of(values);
    }
    BigInteger sum = exactSum(values);
    return call.resultType() instanceof DecimalType decimal
        ? fitted(sum, decimal)
        : (Object) sum.longValue();
  }

  private static Object floatAverage(List<Object> values) {
    if (values.isEmpty()) {
      return null;
    }
    boolean isFloat = values.get(0) instanceof Float || values.get(0) instanceof Double;
    double sum = isFloat ? ReferenceFloatSum.of(values) : exactSum(values).doubleValue();
    return sum / values.size();
  }

  private static Object average(AggregateCall call, DataType argument, List<Object> values) {
    if (values.isEmpty() || fitted(exactSum(values), sumType(call)) == null) {
      return null;
    }
    DecimalType type = (DecimalType) call.resultType();
    BigDecimal sum = new BigDecimal(exactSum(values), ((DecimalType) argument).scale());
    BigDecimal quotient =
        sum.divide(BigDecimal.valueOf(values.size()), QUOTIENT_SCALE, RoundingMode.DOWN);
    return fitted(quotient.setScale(type.scale(), RoundingMode.HALF_UP).unscaledValue(), type);
  }

  private static DecimalType sumType(AggregateCall call) {
    return (DecimalType) call.bufferFields().get(0).type();
  }

  private static BigInteger fitted(BigInteger value, DecimalType type) {
    return value.abs().compareTo(BigInteger.TEN.pow(type.precision())) < 0 ? value : null;
  }

  /** Returns a column of the input. */
  static ColumnReference column(int index, DataType type) {
    return new ColumnReference(index, type, true);
  }
}
