package io.ariadne.operator.aggregate;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateFunction;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.operator.AbstractTestSinkOperator;
import io.ariadne.operator.SinkOperatorFactory;
import io.ariadne.testing.LongTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;

/** The contract of sinks for hash aggregation, with and without keys. */
@LongTest
class TestHashAggregateConformance {
  private static final DataType PRICE = new DecimalType(12, 2);
  private static final DataType PRICE_SUM = new DecimalType(22, 2);
  static final Schema INPUT =
      Schema.of(
          new Field("flag", PrimitiveType.STRING, true),
          new Field("line", PrimitiveType.INT8, true),
          new Field("price", PRICE, true),
          new Field("quantity", PrimitiveType.INT64, true),
          new Field("day", PrimitiveType.DATE32, true));

  private static Expression column(int index) {
    Field field = INPUT.field(index);
    return new ColumnReference(index, field.type(), field.nullable());
  }

  private static List<AggregateCall> aggregates() {
    Field count = new Field("count", PrimitiveType.INT64, false);
    Field sum = new Field("sum", PRICE_SUM, true);
    return List.of(
        call(AggregateFunction.COUNT, List.of(), List.of(count)),
        call(
            AggregateFunction.SUM,
            List.of(column(2)),
            List.of(sum, new Field("isEmpty", PrimitiveType.BOOLEAN, true))),
        call(
            AggregateFunction.SUM,
            List.of(column(3)),
            List.of(new Field("sum", PrimitiveType.INT64, true))),
        call(AggregateFunction.AVERAGE, List.of(column(2)), List.of(sum, count)),
        call(
            AggregateFunction.MIN,
            List.of(column(4)),
            List.of(new Field("min", PrimitiveType.DATE32, true))),
        call(
            AggregateFunction.MAX,
            List.of(column(0)),
            List.of(new Field("max", PrimitiveType.STRING, true))),
        call(
            AggregateFunction.BIT_XOR,
            List.of(column(3)),
            List.of(new Field("bits", PrimitiveType.INT64, true))));
  }

  private static AggregateCall call(
      AggregateFunction function, List<Expression> arguments, List<Field> buffers) {
    return new AggregateCall(
        function,
        arguments,
        null,
        buffers,
        AggregateCall.UPDATES,
        buffers.get(0).type(),
        EvaluationMode.LEGACY);
  }

  private static SinkOperatorFactory factory(List<Expression> keys, Expression condition) {
    return factory(keys, condition, null);
  }

  private static SinkOperatorFactory factory(
      List<Expression> keys, Expression condition, GroupLimits limits) {
    List<Field> output = new ArrayList<>();
    keys.forEach(key -> output.add(new Field("key", key.type(), true)));
    aggregates().forEach(call -> output.addAll(call.bufferFields()));
    return new HashAggregateOperatorFactory(
        false,
        INPUT,
        condition,
        keys,
        aggregates(),
        new Schema(output),
        ExpressionError.NO_ORIGIN,
        limits);
  }

  private static GroupLimits groups(int count) {
    return new GroupLimits(count, Long.MAX_VALUE);
  }

  /** Returns an aggregation with a string key. */
  static SinkOperatorFactory manyGroups() {
    return factory(List.of(column(0), column(4)), null);
  }

  private static Expression positiveQuantity() {
    return new Call(
        Function.GREATER,
        List.of(column(3), new Literal(0L, PrimitiveType.INT64)),
        PrimitiveType.BOOLEAN,
        true,
        EvaluationMode.LEGACY,
        -1);
  }

  /** Common to all. */
  private abstract static class Suite extends AbstractTestSinkOperator {
    @Override
    protected Schema inputSchema() {
      return INPUT;
    }
  }

  @Nested
  class Global extends Suite {
    @Override
    protected SinkOperatorFactory factory() {
      return TestHashAggregateConformance.factory(List.of(), positiveQuantity());
    }
  }

  @Nested
  class FewGroups extends Suite {
    @Override
    protected SinkOperatorFactory factory() {
      return TestHashAggregateConformance.factory(List.of(column(1)), null);
    }
  }

  @Nested
  class ManyGroups extends Suite {
    @Override
    protected SinkOperatorFactory factory() {
      return manyGroups();
    }
  }

  @Nested
  class GroupsInRuns extends Suite {
    @Override
    protected SinkOperatorFactory factory() {
      return TestHashAggregateConformance.factory(List.of(column(0), column(4)), null, groups(50));
    }
  }

  @Nested
  class KeysInRuns extends Suite {
    @Override
    protected SinkOperatorFactory factory() {
      return TestHashAggregateConformance.factory(
          List.of(column(0), column(4)), null, new GroupLimits(1 << 16, 2000));
    }
  }

  @Nested
  class FilteredGroupsInRuns extends Suite {
    @Override
    protected SinkOperatorFactory factory() {
      return TestHashAggregateConformance.factory(
          List.of(column(1), column(2)), positiveQuantity(), groups(20));
    }
  }

  @Nested
  class FilteredGroups extends Suite {
    @Override
    protected SinkOperatorFactory factory() {
      return TestHashAggregateConformance.factory(
          List.of(column(1), column(2)), positiveQuantity());
    }
  }
}
