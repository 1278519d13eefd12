package io.ariadne.operator.aggregate;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateFunction;
import io.ariadne.expression.AggregateSupport;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.expression.TypeKind;
import io.ariadne.expression.compiler.AggregateProgramCompiler.Accumulation;
import io.ariadne.kernel.hash.PickRule;
import io.ariadne.kernel.tile.AccumulatorKind;
import java.util.List;

/** Chooses the accumulators of each aggregate and the reader of its results. */
final class AggregatePlanner {
  private static final int MAX_LONG_DIGITS = 18;
  private static final int WORDS_OF_I64_SUM = 2;
  private static final int WORDS_OF_I128_SUM = 3;

  private final AccumulatorLayout layout;
  private final boolean yieldsResults;

  AggregatePlanner(AccumulatorLayout layout, boolean yieldsResults) {
    this.layout = layout;
    this.yieldsResults = yieldsResults;
  }

  /**
   * Adds the accumulators of an aggregate to the layout; returns the reader of its buffer columns.
   */
  AggregateReader plan(AggregateCall call) {
    return switch (call.function()) {
      case COUNT -> count(call);
      case SUM, AVERAGE -> sum(call);
      case MIN, MAX -> AggregateSupport.isPick(call) ? pick(call) : extreme(call);
      case FIRST, FIRST_NON_NULL, LAST, LAST_NON_NULL -> pick(call);
      case BIT_AND, BIT_OR, BIT_XOR -> bits(call);
      case COLLECT_LIST -> collection(call);
    };
  }

  private CountReader count(AggregateCall call) {
    return call.merges()
        ? new CountReader(sumOf(buffer(call, 0)), CountReader.NONE)
        : valuesOf(call.filter(), call.arguments());
  }

  private AggregateReader sum(AggregateCall call) {
    return call.bufferFields().get(0).type() == PrimitiveType.FLOAT64
        ? floatSum(call)
        : exactSum(call);
  }

  /**
   * Plans a sum whose buffer is a double. Integers are summed exactly and rounded when they are
   * read.
   */
  private AggregateReader floatSum(AggregateCall call) {
    Expression value = call.merges() ? buffer(call, 0) : call.arguments().get(0);
    boolean isExact = TypeKind.INTEGERS.contains(TypeKind.of(value.type()));
    AccumulatorKind kind = isExact ? AccumulatorKind.SUM_I64 : AccumulatorKind.SUM_F64;
    int sum = layout.add(new Accumulation(kind, value, call.merges() ? null : call.filter()));
    boolean isAverage = call.function() == AggregateFunction.AVERAGE;
    CountReader values =
        call.merges() && isAverage
            ? new CountReader(sumOf(buffer(call, 1)), CountReader.NONE)
            : valuesOf(call.merges() ? null : call.filter(), List.of(value));
    return new FloatSumReader(sum, isExact, values, isAverage);
  }

  private AggregateReader exactSum(AggregateCall call) {
    Expression value = call.merges() ? buffer(call, 0) : call.arguments().get(0);
    boolean isWide = isWide(value.type());
    AccumulatorKind kind = isWide ? AccumulatorKind.SUM_I128 : AccumulatorKind.SUM_I64;
    int sum = layout.add(new Accumulation(kind, value, call.merges() ? null : call.filter()));
    int words = isWide ? WORDS_OF_I128_SUM : WORDS_OF_I64_SUM;
    SumReader.Form form = form(call);
    CountReader values =
        call.merges() ? mergedValues(call, form) : valuesOf(call.filter(), call.arguments());
    SumReader.Offsets offsets = new SumReader.Offsets(sum, words, values, overflows(call, form));
    return new SumReader(call, form, offsets, yieldsResults);
  }

  private static SumReader.Form form(AggregateCall call) {
    if (call.function() == AggregateFunction.AVERAGE) {
      return SumReader.Form.AVERAGE;
    }
    DataType sum = call.bufferFields().get(0).type();
    return sum instanceof DecimalType ? SumReader.Form.DECIMAL : SumReader.Form.INTEGER;
  }

  private CountReader mergedValues(AggregateCall call, SumReader.Form form) {
    return switch (form) {
      case INTEGER -> valuesOf(null, List.of(buffer(call, 0)));
      case DECIMAL -> new CountReader(countOf(not(buffer(call, 1))), CountReader.NONE);
      case AVERAGE -> new CountReader(sumOf(buffer(call, 1)), CountReader.NONE);
    };
  }

  /** Counts the partial sums that overflowed: a buffer has a null sum although it has values. */
  private int overflows(AggregateCall call, SumReader.Form form) {
    if (!call.merges() || form == SumReader.Form.INTEGER) {
      return SumReader.Offsets.NONE;
    }
    Expression isNull = predicate(Function.IS_NULL, buffer(call, 0));
    boolean isAverage = form == SumReader.Form.AVERAGE;
    return countOf(isAverage ? isNull : and(not(buffer(call, 1)), isNull));
  }

  private AggregateReader extreme(AggregateCall call) {
    Expression value = call.merges() ? buffer(call, 0) : call.arguments().get(0);
    Expression filter = call.merges() ? null : call.filter();
    boolean isWide = isWide(value.type());
    int offset = layout.add(new Accumulation(kind(call.function(), isWide), value, filter));
    boolean isKey = TypeKind.FLOATS.contains(TypeKind.of(value.type()));
    return new ExtremeReader(offset, isWide, isKey, valuesOf(filter, List.of(value)));
  }

  private AggregateReader bits(AggregateCall call) {
    Expression value = call.merges() ? buffer(call, 0) : call.arguments().get(0);
    Expression filter = call.merges() ? null : call.filter();
    AccumulatorKind kind =
        switch (call.function()) {
          case BIT_AND -> AccumulatorKind.AND_I64;
          case BIT_OR -> AccumulatorKind.OR_I64;
          default -> AccumulatorKind.XOR_I64;
        };
    int offset = layout.add(new Accumulation(kind, value, filter));
    return new ExtremeReader(offset, false, false, valuesOf(filter, List.of(value)));
  }

  /**
   * Plans a pick. The buffers of first and last have a flag that tells whether there was a row; its
   * value may be null.
   */
  private AggregateReader pick(AggregateCall call) {
    PickRule rule =
        switch (call.function()) {
          case MIN -> PickRule.LEAST;
          case MAX -> PickRule.GREATEST;
          case FIRST, FIRST_NON_NULL -> PickRule.FIRST;
          default -> PickRule.LAST;
        };
    Expression value = call.merges() ? buffer(call, 0) : call.arguments().get(0);
    Expression condition = call.filter();
    boolean skipsNulls =
        call.function() != AggregateFunction.FIRST && call.function() != AggregateFunction.LAST;
    if (call.merges()) {
      condition = rule.isByOrder() ? buffer(call, 1) : null;
      skipsNulls = !rule.isByOrder();
    }
    int offset = layout.add(new Pick(rule, value, condition, skipsNulls));
    return new PickReader(offset, value.type().defaultPhysicalType(), rule.isByOrder());
  }

  private ListReader collection(AggregateCall call) {
    boolean merges = call.merges();
    Expression value = merges ? buffer(call, 0) : call.arguments().get(0);
    DataType element = ((ListType) call.resultType()).element();
    ListAggregate collection =
        new ListAggregate(value, merges ? null : call.filter(), element, merges);
    return new ListReader(layout.add(collection), !yieldsResults);
  }

  private static AccumulatorKind kind(AggregateFunction function, boolean isWide) {
    if (function == AggregateFunction.MIN) {
      return isWide ? AccumulatorKind.MIN_I128 : AccumulatorKind.MIN_I64;
    }
    return isWide ? AccumulatorKind.MAX_I128 : AccumulatorKind.MAX_I64;
  }

  /** Counts rows that pass a filter and have no null among some values. */
  private CountReader valuesOf(Expression filter, List<Expression> values) {
    Expression anyNull = null;
    for (Expression value : values) {
      if (value.nullable()) {
        Expression isNull = predicate(Function.IS_NULL, value);
        anyNull = anyNull == null ? isNull : predicate(Function.OR, anyNull, isNull);
      }
    }
    int rows = countOf(filter);
    int nulls = anyNull == null ? CountReader.NONE : countOf(and(filter, anyNull));
    return new CountReader(rows, nulls);
  }

  private int countOf(Expression condition) {
    return layout.add(new Accumulation(AccumulatorKind.COUNT, null, condition));
  }

  private int sumOf(Expression value) {
    return layout.add(new Accumulation(AccumulatorKind.SUM_I64, value, null));
  }

  private static boolean isWide(DataType type) {
    return type instanceof DecimalType decimal && decimal.precision() > MAX_LONG_DIGITS;
  }

  private static ColumnReference buffer(AggregateCall call, int index) {
    Field field = call.bufferFields().get(index);
    return new ColumnReference(call.bufferOffset() + index, field.type(), field.nullable());
  }

  private static Expression not(Expression value) {
    return predicate(Function.NOT, value);
  }

  /** Returns the conjunction of two conditions, either of which may be null. */
  static Expression and(Expression a, Expression b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return predicate(Function.AND, a, b);
  }

  private static Call predicate(Function function, Expression... arguments) {
    boolean isNullTest = function == Function.IS_NULL;
    return new Call(
        function,
        List.of(arguments),
        PrimitiveType.BOOLEAN,
        !isNullTest,
        EvaluationMode.LEGACY,
        ExpressionError.NO_ORIGIN);
  }
}
