package io.ariadne.operator.project;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.testing.TestingAllocator;
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
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.expression.ReferenceInterpreter;
import io.ariadne.expression.compiler.BatchSignature;
import io.ariadne.expression.compiler.TileProgramCompiler;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.aggregate.HashAggregateOperatorFactory;
import io.ariadne.operator.aggregate.ReferenceAggregation;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Expressions, filters and aggregates that exceed the limits of one program: more columns,
 * registers and instructions.
 */
class TestLongPrograms {
  private static final int ROWS = 3000;
  private static final int COLUMNS = 40;

  private Backend backend;
  private TestingAllocator allocator;
  private Schema schema;
  private RecordBatch batch;
  private List<List<Object>> rows;

  @BeforeEach
  void open() {
    backend = HostBackend.open();
    allocator = new TestingAllocator();
    DataType[] types = {PrimitiveType.INT64, new DecimalType(20, 2), PrimitiveType.STRING};
    List<DataType> columns = new ArrayList<>();
    for (int i = 0; i < COLUMNS; i++) {
      columns.add(types[i % types.length]);
    }
    schema = RandomBatches.schemaOf(columns);
    batch = RandomBatches.create().batch(schema, ROWS, NullPattern.SOME, allocator);
    rows = unscaled(BatchAssertions.rows(batch));
  }

  @AfterEach
  void close() {
    backend.close();
    allocator.assertNothingOpen();
  }

  @Test
  void splitsTheSumOfManyColumns() {
    Expression sum = sumOfProducts();
    assertTrue(programs(null, List.of(sum)) > 1, "fits one program");
    check(null, List.of(sum, sum));
  }

  @Test
  void manyColumnsPassAFilter() {
    check(positive(column(0)), references());
  }

  @Test
  void manyColumnsPassALongFilter() {
    Expression condition = positive(sumOfProducts());
    List<Expression> projections = new ArrayList<>(references());
    projections.add(sumOfProducts());
    check(condition, projections);
  }

  @Test
  void splitsProgramsWithManyLiveValues() {
    Expression deep = column(1);
    for (int i = 4; i < COLUMNS; i += 3) {
      Expression wide = call(Function.ADD, type(), column(i), column(i - 3));
      deep = call(Function.SUBTRACT, type(), wide, deep);
    }
    List<Expression> projections = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Expression summand = column(1 + 3 * (i % 13));
      projections.add(call(Function.ADD, type(), deep, summand));
    }
    check(null, projections);
  }

  @Test
  void manyAggregatesEqualReference() {
    List<AggregateCall> calls = new ArrayList<>();
    for (int i = 0; i < COLUMNS; i += 3) {
      calls.add(maximum(column(i)));
      calls.add(maximum(call(Function.BITWISE_NOT, PrimitiveType.INT64, column(i))));
    }
    for (boolean isGrouped : new boolean[] {false, true}) {
      List<Expression> keys = isGrouped ? List.of(column(2)) : List.of();
      Expression condition = positive(sumOfProducts());
      List<List<Object>> expected = ReferenceAggregation.aggregate(rows, condition, keys, calls);
      List<List<Object>> actual = aggregate(condition, keys, calls);
      BatchAssertions.assertRowsInAnyOrder(expected, actual);
    }
    batch.close();
  }

  private List<List<Object>> aggregate(
      Expression condition, List<Expression> keys, List<AggregateCall> calls) {
    List<Field> output = new ArrayList<>();
    keys.forEach(key -> output.add(new Field("key", key.type(), true)));
    calls.forEach(call -> output.addAll(call.bufferFields()));
    OperatorContext context = new OperatorContext(allocator, backend, () -> false);
    List<List<Object>> result = new ArrayList<>();
    try (SinkOperator sink =
        new HashAggregateOperatorFactory(false, schema, condition, keys, calls, new Schema(output))
            .create(context)) {
      SinkState local = sink.newLocal();
      local.addInput(copyOfBatch(context));
      sink.combine(local);
      sink.finish();
      while (!sink.isFinished()) {
        try (RecordBatch rowsOut = sink.getOutput()) {
          result.addAll(BatchAssertions.rows(rowsOut));
        }
      }
    }
    return result;
  }

  private RecordBatch copyOfBatch(OperatorContext context) {
    List<ColumnVector> columns = new ArrayList<>();
    for (int i = 0; i < COLUMNS; i++) {
      columns.add(ColumnCopies.copy(batch.column(i), context));
    }
    return new RecordBatch(schema, ROWS, columns, 0);
  }

  private static AggregateCall maximum(Expression argument) {
    return AggregateCall.of(
        AggregateFunction.MAX, List.of(argument), new Field("max", argument.type(), true));
  }

  private void check(Expression condition, List<Expression> projections) {
    List<List<Object>> expected = new ArrayList<>();
    for (List<Object> row : rows) {
      if (condition == null || Boolean.TRUE.equals(ReferenceInterpreter.evaluate(condition, row))) {
        List<Object> values = new ArrayList<>();
        projections.forEach(p -> values.add(ReferenceInterpreter.evaluate(p, row)));
        expected.add(values);
      }
    }
    List<DataType> types = projections.stream().map(Expression::type).toList();
    OperatorContext context = new OperatorContext(allocator, backend, () -> false);
    try (Operator operator =
        new FilterProjectOperatorFactory(
                schema, condition, projections, RandomBatches.schemaOf(types))
            .create(context)) {
      operator.addInput(batch);
      try (RecordBatch output = operator.getOutput()) {
        BatchAssertions.assertRowsInOrder(expected, unscaled(BatchAssertions.rows(output)));
        assertEquals(expected.size(), output.rowCount());
      }
    }
  }

  private int programs(Expression condition, List<Expression> projections) {
    TileProgramCompiler compiler = new TileProgramCompiler(condition, projections);
    List<ColumnVector> columns = new ArrayList<>();
    for (int i = 0; i < COLUMNS; i++) {
      columns.add(batch.column(i));
    }
    return compiler.compile(BatchSignature.of(columns, compiler.usedColumns())).programs().size();
  }

  private List<Expression> references() {
    List<Expression> references = new ArrayList<>();
    for (int i = 0; i < COLUMNS; i++) {
      references.add(column(i));
    }
    Collections.reverse(references);
    return references;
  }

  /** More than 255 operations over every integer column. */
  private Expression sumOfProducts() {
    Expression sum = column(0);
    for (int i = 0; i < COLUMNS; i += 3) {
      for (int j = 0; j <= i; j += 3) {
        Expression product = call(Function.MULTIPLY, PrimitiveType.INT64, column(i), column(j));
        sum = call(Function.ADD, PrimitiveType.INT64, sum, product);
        sum = call(Function.COALESCE, PrimitiveType.INT64, sum, column(j));
      }
    }
    return sum;
  }

  private static DataType type() {
    return new DecimalType(20, 2);
  }

  private static Expression positive(Expression value) {
    return call(
        Function.GREATER, PrimitiveType.BOOLEAN, value, new Literal(0L, PrimitiveType.INT64));
  }

  private Expression column(int index) {
    return new ColumnReference(index, schema.field(index).type(), true);
  }

  private static Expression call(Function function, DataType type, Expression... arguments) {
    return new Call(function, List.of(arguments), type, true, EvaluationMode.LEGACY, -1);
  }

  private static List<List<Object>> unscaled(List<List<Object>> rows) {
    List<List<Object>> converted = new ArrayList<>();
    for (List<Object> row : rows) {
      List<Object> values = new ArrayList<>();
      for (Object value : row) {
        values.add(value instanceof BigDecimal decimal ? decimal.unscaledValue() : value);
      }
      converted.add(values);
    }
    return converted;
  }
}
