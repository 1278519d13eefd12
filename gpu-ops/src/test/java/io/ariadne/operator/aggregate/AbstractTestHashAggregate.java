package io.ariadne.operator.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.DictionaryDecoder;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateFunction;
import io.ariadne.expression.AggregateSupport;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.kernel.testing.AbstractTestOnBackend;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkOperatorFactory;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.spill.EagerSpillSpace;
import io.ariadne.spill.SpillSpace;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares hash aggregation on a back end, in one step and in several, with {@link
 * ReferenceAggregation}.
 */
abstract class AbstractTestHashAggregate extends AbstractTestOnBackend {
  private static final DecimalType PRICE = new DecimalType(12, 2);
  private static final DecimalType WIDE = new DecimalType(25, 4);
  private static final int SUM_DIGITS = 10;
  private static final int AVERAGE_DIGITS = 4;

  private Schema schema;

  /** Returns how many random cases to run. */
  protected abstract int cases();

  /** Returns the most rows of a batch. */
  protected abstract int maxRows();

  @TempDir private Path folder;

  @BeforeEach
  void chooseTypes() {
    List<DataType> types = new ArrayList<>(RandomBatches.flatTypes());
    types.add(PRICE);
    types.add(WIDE);
    schema = RandomBatches.schemaOf(types);
  }

  @Test
  void singleStepEqualsReference() {
    for (int i = 0; i < cases(); i++) {
      Case drawn = new Case(false);
      List<RecordBatch> output = run(true, drawn.condition, drawn.keys, drawn.calls, drawn.input);
      drawn.check(output);
    }
  }

  @Test
  void partialMergeAndFinalStepsEqualReference() {
    for (int i = 0; i < cases(); i++) {
      Case drawn = new Case(true);
      List<RecordBatch> buffers = run(false, drawn.condition, drawn.keys, drawn.calls, drawn.input);
      if (random.nextBoolean()) {
        buffers = run(false, null, drawn.keyColumns(), drawn.merged(), buffers);
      }
      drawn.check(run(true, null, drawn.keyColumns(), drawn.merged(), buffers));
    }
  }

  @Test
  void emptyInputYieldsOneRowOnlyWithoutKeys() {
    List<AggregateCall> calls = List.of(sum(schema.columnCount() - 2), count(null));
    List<RecordBatch> global = run(true, null, List.of(), calls, List.of());
    assertEquals(1, global.size());
    List<Object> row = BatchAssertions.rows(global.get(0)).get(0);
    assertEquals(null, row.get(0));
    assertEquals(0L, row.get(1));
    global.forEach(RecordBatch::close);
    List<Expression> keys = List.of(column(0));
    List<RecordBatch> none = run(true, null, keys, calls, List.of());
    assertEquals(0, BatchAssertions.allRows(none).size());
    none.forEach(RecordBatch::close);
  }

  @Test
  void overflowingSumRaisesInAnsiMode() {
    Schema longs = Schema.of(new Field("a", PrimitiveType.INT64, true));
    List<RecordBatch> input = new ArrayList<>();
    try (BatchBuilder builder = new BatchBuilder(longs, allocator)) {
      builder.appendRow(Long.MAX_VALUE);
      builder.appendRow(1L);
      input.add(builder.build(0));
    }
    AggregateCall call =
        new AggregateCall(
            AggregateFunction.SUM,
            List.of(new ColumnReference(0, PrimitiveType.INT64, true)),
            null,
            List.of(new Field("sum", PrimitiveType.INT64, true)),
            AggregateCall.UPDATES,
            PrimitiveType.INT64,
            EvaluationMode.ANSI,
            7);
    EngineException error =
        assertThrows(
            EngineException.class, () -> run(false, longs, null, List.of(), List.of(call), input));
    assertEquals(ErrorCode.USER, error.code());
  }

  @Test
  void doesNotComputeKeysOfDroppedRows() {
    Schema longs =
        Schema.of(
            new Field("a", PrimitiveType.INT64, true), new Field("b", PrimitiveType.INT64, true));
    List<RecordBatch> input = new ArrayList<>();
    try (BatchBuilder builder = new BatchBuilder(longs, allocator)) {
      builder.appendRow(6L, 2L);
      builder.appendRow(7L, 0L);
      builder.appendRow(9L, 3L);
      input.add(builder.build(0));
    }
    Expression a = new ColumnReference(0, PrimitiveType.INT64, true);
    Expression b = new ColumnReference(1, PrimitiveType.INT64, true);
    Expression zero = new Literal(0L, PrimitiveType.INT64);
    Expression condition = scalar(Function.NOT_EQUAL, PrimitiveType.BOOLEAN, b, zero);
    Expression key =
        new Call(
            Function.INTEGRAL_DIVIDE,
            List.of(a, b),
            PrimitiveType.INT64,
            true,
            EvaluationMode.ANSI,
            3);
    List<RecordBatch> output = run(true, condition, List.of(key), List.of(count(null)), input);
    assertEquals(List.of(List.of(3L, 2L)), BatchAssertions.allRows(output));
    output.forEach(RecordBatch::close);
  }

  /** One random aggregation with its input. */
  private final class Case {
    private final List<Expression> keys = new ArrayList<>();
    private final List<AggregateCall> calls = new ArrayList<>();
    private final List<RecordBatch> input = new ArrayList<>();
    private final Expression condition;
    private final List<List<Object>> rows = new ArrayList<>();
    private final Map<Integer, Dictionary> dictionaries = new HashMap<>();
    private final boolean hasFewValues;

    Case(boolean isStaged) {
      int keyCount = random.nextInt(4);
      for (int i = 0; i < keyCount; i++) {
        keys.add(key());
      }
      for (int i = random.nextInt(6); i >= 0; i--) {
        calls.add(aggregate(isStaged));
      }
      condition = random.nextInt(3) == 0 ? predicate() : null;
      NullPattern[] patterns = NullPattern.values();
      hasFewValues = random.nextBoolean();
      for (int i = random.nextInt(4); i > 0; i--) {
        NullPattern nulls = patterns[random.nextInt(patterns.length)];
        RecordBatch batch = batch(random.nextInt(maxRows()), nulls);
        rows.addAll(unscaled(BatchAssertions.rows(batch)));
        input.add(batch);
      }
      dictionaries.values().forEach(Dictionary::release);
    }

    /** Returns a batch of many values, some columns with codes, or one of a few values. */
    private RecordBatch batch(int rowCount, NullPattern nulls) {
      if (!hasFewValues) {
        return batches.batch(schema, rowCount, nulls, ColumnEncoding.MIXED, allocator);
      }
      List<ColumnVector> columns = new ArrayList<>();
      for (int i = 0; i < schema.columnCount(); i++) {
        columns.add(batches.codes(dictionary(i), rowCount, nulls, allocator));
      }
      RecordBatch coded = new RecordBatch(schema, rowCount, columns, 0);
      return random.nextInt(4) == 0 ? new DictionaryDecoder(allocator).decode(coded) : coded;
    }

    /** Returns a dictionary of a column, usually that of the batch before. */
    private Dictionary dictionary(int column) {
      Dictionary known = dictionaries.get(column);
      if (known != null && random.nextInt(4) > 0) {
        return known;
      }
      DataType type = schema.field(column).type();
      int entryCount = 1 + random.nextInt(20);
      Dictionary dictionary =
          new Dictionary(
              batches.column(
                  type, type.defaultPhysicalType(), entryCount, NullPattern.NONE, allocator));
      if (known != null) {
        known.release();
      }
      dictionaries.put(column, dictionary);
      return dictionary;
    }

    private Expression key() {
      return random.nextInt(4) == 0
          ? scalar(
              Function.REMAINDER,
              PrimitiveType.INT32,
              typed(PrimitiveType.INT32),
              new Literal(5, PrimitiveType.INT32))
          : column(random.nextInt(schema.columnCount()));
    }

    private Expression predicate() {
      Expression zero = new Literal(0L, PrimitiveType.INT64);
      return scalar(Function.GREATER, PrimitiveType.BOOLEAN, typed(PrimitiveType.INT64), zero);
    }

    private AggregateCall aggregate(boolean isStaged) {
      Expression filter = random.nextInt(4) == 0 ? predicate() : null;
      while (true) {
        int index = random.nextInt(schema.columnCount());
        AggregateFunction function =
            AggregateFunction.values()[random.nextInt(AggregateFunction.values().length)];
        AggregateCall call = aggregateOf(function, column(index), filter);
        boolean mayOverflowInParts =
            isStaged && isSum(function) && schema.field(index).type().equals(maxDecimal());
        if (call != null && !mayOverflowInParts) {
          return call;
        }
      }
    }

    private List<Expression> keyColumns() {
      List<Expression> columns = new ArrayList<>();
      keys.forEach(key -> columns.add(new ColumnReference(columns.size(), key.type(), true)));
      return columns;
    }

    /** Returns the calls over the buffers that follow the keys. */
    private List<AggregateCall> merged() {
      List<AggregateCall> merged = new ArrayList<>();
      int offset = keys.size();
      for (AggregateCall call : calls) {
        merged.add(
            new AggregateCall(
                call.function(),
                call.arguments(),
                null,
                call.bufferFields(),
                offset,
                call.resultType(),
                call.mode()));
        offset += call.bufferFields().size();
      }
      return merged;
    }

    private void check(List<RecordBatch> output) {
      List<List<Object>> expected = ReferenceAggregation.aggregate(rows, condition, keys, calls);
      List<List<Object>> actual = unscaled(BatchAssertions.allRows(output));
      output.forEach(RecordBatch::close);
      try {
        BatchAssertions.assertRowsInAnyOrder(expected, actual);
      } catch (AssertionError e) {
        fail(e.getMessage() + "\nkeys " + keys + "\ncalls " + calls + "\nwhere " + condition);
      }
    }
  }

  private static boolean isSum(AggregateFunction function) {
    return function == AggregateFunction.SUM || function == AggregateFunction.AVERAGE;
  }

  private static boolean needsOrder(AggregateCall call) {
    return isByOrder(call.function()) || AggregateSupport.isCollection(call);
  }

  private static boolean isByOrder(AggregateFunction function) {
    return switch (function) {
      case FIRST, FIRST_NON_NULL, LAST, LAST_NON_NULL -> true;
      default -> false;
    };
  }

  private static boolean isFloat(DataType type) {
    return type == PrimitiveType.FLOAT32 || type == PrimitiveType.FLOAT64;
  }

  private static DecimalType maxDecimal() {
    return new DecimalType(DecimalType.MAX_PRECISION, 10);
  }

  private Expression column(int index) {
    return ReferenceAggregation.column(index, schema.field(index).type());
  }

  private Expression typed(DataType type) {
    for (int i = 0; i < schema.columnCount(); i++) {
      if (schema.field(i).type().equals(type)) {
        return column(i);
      }
    }
    throw new IllegalArgumentException("no column of " + type);
  }

  private AggregateCall sum(int index) {
    return aggregateOf(AggregateFunction.SUM, column(index), null);
  }

  private AggregateCall count(Expression filter) {
    return new AggregateCall(
        AggregateFunction.COUNT,
        List.of(),
        filter,
        List.of(new Field("count", PrimitiveType.INT64, false)),
        AggregateCall.UPDATES,
        PrimitiveType.INT64,
        EvaluationMode.LEGACY);
  }

  /** Returns a call as Spark would plan it, or null when it has no kernel. */
  private AggregateCall aggregateOf(
      AggregateFunction function, Expression argument, Expression filter) {
    if (function == AggregateFunction.COUNT && random.nextBoolean()) {
      return count(filter);
    }
    DataType type = argument.type();
    DataType result = type;
    List<Field> buffers = List.of(new Field("value", type, true));
    boolean isDecimal = type instanceof DecimalType;
    if (function == AggregateFunction.COLLECT_LIST) {
      result = new ListType(type, false);
      buffers = List.of(new Field("buf", PrimitiveType.BINARY, true));
    } else if (isByOrder(function)) {
      buffers = List.of(buffers.get(0), new Field("valueSet", PrimitiveType.BOOLEAN, true));
    } else if (function == AggregateFunction.COUNT) {
      result = PrimitiveType.INT64;
      buffers = List.of(new Field("count", PrimitiveType.INT64, false));
    } else if (function == AggregateFunction.SUM && isDecimal) {
      result = widened((DecimalType) type, SUM_DIGITS, 0);
      buffers =
          List.of(
              new Field("sum", result, true), new Field("isEmpty", PrimitiveType.BOOLEAN, true));
    } else if (function == AggregateFunction.SUM && isFloat(type)) {
      result = PrimitiveType.FLOAT64;
      buffers = List.of(new Field("sum", result, true));
    } else if (function == AggregateFunction.SUM) {
      result = PrimitiveType.INT64;
      buffers = List.of(new Field("sum", PrimitiveType.INT64, true));
    } else if (function == AggregateFunction.AVERAGE && isDecimal) {
      result = widened((DecimalType) type, AVERAGE_DIGITS, AVERAGE_DIGITS);
      DataType sum = widened((DecimalType) type, SUM_DIGITS, 0);
      buffers =
          List.of(new Field("sum", sum, true), new Field("count", PrimitiveType.INT64, false));
    } else if (function == AggregateFunction.AVERAGE) {
      result = PrimitiveType.FLOAT64;
      buffers =
          List.of(new Field("sum", result, true), new Field("count", PrimitiveType.INT64, false));
    }
    boolean isSupported =
        AggregateSupport.reasonAgainst(
                function, List.of(type), buffers, result, EvaluationMode.LEGACY)
            .isEmpty();
    return isSupported
        ? new AggregateCall(
            function,
            List.of(argument),
            filter,
            buffers,
            AggregateCall.UPDATES,
            result,
            EvaluationMode.LEGACY)
        : null;
  }

  /** DecimalType.bounded. */
  private static DecimalType widened(DecimalType type, int digits, int scaleDigits) {
    int precision = Math.min(DecimalType.MAX_PRECISION, type.precision() + digits);
    int scale = Math.min(DecimalType.MAX_PRECISION, type.scale() + scaleDigits);
    return new DecimalType(precision, Math.min(precision, scale));
  }

  private static Call scalar(Function function, DataType type, Expression... arguments) {
    return new Call(function, List.of(arguments), type, true, EvaluationMode.LEGACY, -1);
  }

  private static List<List<Object>> unscaled(List<List<Object>> rows) {
    List<List<Object>> converted = new ArrayList<>();
    for (List<Object> row : rows) {
      List<Object> values = new ArrayList<>();
      for (Object value : row) {
        values.add(
            value instanceof List<?> list
                ? list.stream().map(AbstractTestHashAggregate::unscaled).toList()
                : unscaled(value));
      }
      converted.add(values);
    }
    return converted;
  }

  private static Object unscaled(Object value) {
    return value instanceof BigDecimal decimal ? decimal.unscaledValue() : value;
  }

  private List<RecordBatch> run(
      boolean yieldsResults,
      Expression condition,
      List<Expression> keys,
      List<AggregateCall> calls,
      List<RecordBatch> input) {
    Schema columns = input.isEmpty() ? schema : input.get(0).schema();
    return run(yieldsResults, columns, condition, keys, calls, input);
  }

  /** Distributes the input to two local states, unless its order matters. */
  private List<RecordBatch> run(
      boolean yieldsResults,
      Schema columns,
      Expression condition,
      List<Expression> keys,
      List<AggregateCall> calls,
      List<RecordBatch> input) {
    BufferAllocator kernels = kernelAllocator(backend, allocator);
    if (kernels.tier() != MemoryTier.HOST || random.nextBoolean()) {
      SpillSpace kept = SpillSpace.unmoved(MemoryTier.HOST);
      SpillSpace keptByKernels = SpillSpace.unmoved(kernels.tier());
      return run(yieldsResults, columns, condition, keys, calls, input, kept, keptByKernels);
    }
    try (EagerSpillSpace disk = new EagerSpillSpace(folder)) {
      return run(yieldsResults, columns, condition, keys, calls, input, disk, disk);
    }
  }

  private List<RecordBatch> run(
      boolean yieldsResults,
      Schema columns,
      Expression condition,
      List<Expression> keys,
      List<AggregateCall> calls,
      List<RecordBatch> input,
      SpillSpace spill,
      SpillSpace kernelSpill) {
    OperatorContext context =
        new OperatorContext(
            allocator,
            kernelAllocator(backend, allocator),
            backend,
            () -> false,
            ErrorReplay.PLAIN,
            spill,
            kernelSpill,
            2);
    SinkOperatorFactory factory =
        new HashAggregateOperatorFactory(
            yieldsResults,
            columns,
            condition,
            keys,
            calls,
            output(yieldsResults, keys, calls),
            ExpressionError.NO_ORIGIN,
            limits());
    List<RecordBatch> output = new ArrayList<>();
    try (SinkOperator sink = factory.create(context)) {
      SinkState[] locals = {sink.newLocal(), sink.newLocal()};
      int states = calls.stream().anyMatch(AbstractTestHashAggregate::needsOrder) ? 1 : 2;
      for (RecordBatch batch : input) {
        locals[random.nextInt(states)].addInput(batch);
      }
      sink.combine(locals[0]);
      sink.combine(locals[1]);
      sink.finish();
      SplitSource splits = random.nextBoolean() ? sink.takeSplits() : null;
      if (splits != null) {
        drain(splits, context, output);
      }
      while (!sink.isFinished()) {
        RecordBatch batch = sink.getOutput();
        if (batch != null) {
          output.add(context.transfer().toHost(batch));
        }
      }
    }
    return output;
  }

  /** Returns the limits of the back end, or limits that tables soon reach. */
  private GroupLimits limits() {
    return switch (random.nextInt(5)) {
      case 0 -> null;
      case 1 -> new GroupLimits(1, Long.MAX_VALUE);
      case 2 -> new GroupLimits(7, 500);
      case 3 -> new GroupLimits(200, Long.MAX_VALUE, 20_000, 40_000);
      default -> new GroupLimits(1 << 16, 10_000);
    };
  }

  private static void drain(SplitSource source, OperatorContext context, List<RecordBatch> output) {
    try (source) {
      for (Split split = source.next(); split != null; split = source.next()) {
        for (RecordBatch batch = split.next(); batch != null; batch = split.next()) {
          output.add(context.transfer().toHost(batch));
        }
        split.close();
      }
    }
  }

  private static Schema output(
      boolean yieldsResults, List<Expression> keys, List<AggregateCall> calls) {
    List<Field> fields = new ArrayList<>();
    keys.forEach(key -> fields.add(new Field("key", key.type(), true)));
    for (AggregateCall call : calls) {
      if (yieldsResults) {
        fields.add(new Field("result", call.resultType(), true));
      } else {
        fields.addAll(call.bufferFields());
      }
    }
    return new Schema(fields);
  }
}
