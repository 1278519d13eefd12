package io.ariadne.rules.exec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.bridge.type.SparkTypes;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateFunction;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.aggregate.HashAggregateOperatorFactory;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.aggregate.CollectList;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import scala.collection.mutable.ArrayBuffer;

/** What collect_list exchanges are the bytes of Spark's own function, in both directions. */
class TestCollectedLists {
  private static final int CASES = 20;

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private final Random random = new Random(Long.getLong("ariadne.test.seed", 0L));

  /** A value as a builder takes it, and as Spark has it in rows. */
  private record Value(Object ours, Object sparks) {
    Value(Object both) {
      this(both, both);
    }
  }

  @Test
  void collectsNumbers() {
    check(DataTypes.ByteType, () -> new Value((byte) random.nextInt()));
    check(DataTypes.ShortType, () -> new Value((short) random.nextInt()));
    check(DataTypes.IntegerType, () -> new Value(random.nextInt()));
    check(DataTypes.LongType, () -> new Value(random.nextLong()));
    check(DataTypes.FloatType, () -> new Value(random.nextFloat()));
    check(DataTypes.DoubleType, () -> new Value(random.nextDouble()));
    check(DataTypes.BooleanType, () -> new Value(random.nextBoolean()));
  }

  @Test
  void collectsTimes() {
    check(DataTypes.DateType, () -> new Value(random.nextInt()));
    check(DataTypes.TimestampType, () -> new Value(random.nextLong()));
    check(DataTypes.TimestampNTZType, () -> new Value(random.nextLong()));
    check(DataTypes.createYearMonthIntervalType(), () -> new Value(random.nextInt()));
    check(DataTypes.createDayTimeIntervalType(), () -> new Value(random.nextLong()));
  }

  @Test
  void collectsDecimals() {
    for (int precision : new int[] {5, 9, 12, 18}) {
      check(
          DataTypes.createDecimalType(precision, 2),
          () -> {
            BigDecimal value = BigDecimal.valueOf(random.nextInt(99_999), 2);
            return new Value(value.unscaledValue(), Decimal.apply(value, precision, 2));
          });
    }
  }

  @Test
  void collectsStrings() {
    check(
        DataTypes.StringType,
        () -> {
          byte[] text = "x".repeat(random.nextInt(40)).getBytes(StandardCharsets.UTF_8);
          return new Value(text, UTF8String.fromBytes(text));
        });
    check(
        DataTypes.BinaryType,
        () -> {
          byte[] bytes = new byte[random.nextInt(40)];
          random.nextBytes(bytes);
          return new Value(bytes, bytes);
        });
  }

  private void check(org.apache.spark.sql.types.DataType type, Supplier<Value> values) {
    for (int i = 0; i < CASES; i++) {
      check(type, values, random.nextInt(i % 2 == 0 ? 5 : 300));
    }
  }

  private void check(
      org.apache.spark.sql.types.DataType sparkType, Supplier<Value> values, int count) {
    DataType type = SparkTypes.fromSpark(sparkType);
    ArrayBuffer<Object> list = new ArrayBuffer<>();
    List<Object> ours = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Value value = random.nextInt(10) == 0 ? new Value(null) : values.get();
      ours.add(value.ours());
      if (value.sparks() != null) {
        list.$plus$eq(value.sparks());
      }
    }
    byte[] expected = new CollectList(new BoundReference(0, sparkType, true)).serialize(list);
    try (RecordBatch buffers = aggregate(type, false, batch(type, ours))) {
      assertArrayEquals(expected, new ColumnReader(buffers.column(0)).getBytes(0));
    }
    List<Object> twice = new ArrayList<>();
    try (RecordBatch merged =
            aggregate(type, true, batch(PrimitiveType.BINARY, List.of(expected, expected)));
        RecordBatch direct = aggregate(type, AggregateCall.UPDATES, true, batch(type, ours))) {
      List<?> once = (List<?>) BatchAssertions.rows(direct).get(0).get(0);
      twice.addAll(once);
      twice.addAll(once);
      assertEquals(twice, BatchAssertions.rows(merged).get(0).get(0));
    }
  }

  private RecordBatch batch(DataType type, List<?> values) {
    Schema schema = Schema.of(new Field("v", type, true));
    try (BatchBuilder builder = new BatchBuilder(schema, memory.allocator())) {
      values.forEach(value -> builder.appendRow(new Object[] {value}));
      return builder.build(0);
    }
  }

  private RecordBatch aggregate(DataType type, boolean merges, RecordBatch input) {
    return aggregate(type, merges ? 0 : AggregateCall.UPDATES, merges, input);
  }

  private RecordBatch aggregate(
      DataType type, int bufferOffset, boolean yieldsResults, RecordBatch input) {
    List<Expression> value = List.of(new ColumnReference(0, type, true));
    Field buffer = new Field("buf", PrimitiveType.BINARY, true);
    ListType result = new ListType(type, false);
    AggregateCall call =
        new AggregateCall(
            AggregateFunction.COLLECT_LIST,
            value,
            null,
            List.of(buffer),
            bufferOffset,
            result,
            EvaluationMode.LEGACY);
    Schema output = Schema.of(yieldsResults ? new Field("list", result, false) : buffer);
    HashAggregateOperatorFactory factory =
        new HashAggregateOperatorFactory(
            yieldsResults, input.schema(), null, List.of(), List.of(call), output);
    try (Backend backend = HostBackend.open();
        SinkOperator sink =
            factory.create(new OperatorContext(memory.allocator(), backend, () -> false))) {
      SinkState local = sink.newLocal();
      local.addInput(input);
      sink.combine(local);
      sink.finish();
      return sink.getOutput();
    }
  }
}
