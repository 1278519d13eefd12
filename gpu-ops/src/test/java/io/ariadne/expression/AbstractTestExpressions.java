package io.ariadne.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.fail;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.DictionaryEncoder;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.testing.AbstractTestOnBackend;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.project.FilterProjectOperatorFactory;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Compiled expressions on a back end against {@link ReferenceInterpreter}: random trees, random
 * batches.
 */
abstract class AbstractTestExpressions extends AbstractTestOnBackend {
  private static final int MAX_DEPTH = 4;

  /** Returns how many random cases to run per mode. */
  protected abstract int cases();

  /** Returns the numbers of rows to draw from. */
  protected abstract List<Integer> rowCounts();

  /** An error as the operator reports it. */
  private static final class RaisedError extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int row;

    RaisedError(int code, int row) {
      super("code " + code + " in row " + row, null, false, false);
      this.row = row;
    }
  }

  @Test
  void legacyExpressionsEqualTheReference() {
    runCases(EvaluationMode.LEGACY);
  }

  @Test
  void ansiExpressionsRaiseInTheRowOfTheReference() {
    runCases(EvaluationMode.ANSI);
  }

  @Test
  void tryExpressionsEqualTheReference() {
    runCases(EvaluationMode.TRY);
  }

  private void runCases(EvaluationMode mode) {
    List<DataType> types = new ArrayList<>(RandomBatches.flatTypes());
    types.add(new DecimalType(12, 2));
    types.add(new DecimalType(12, 2));
    types.add(new DecimalType(25, 4));
    types.add(PrimitiveType.BOOLEAN);
    Schema schema = RandomBatches.schemaOf(types);
    for (int i = 0; i < cases(); i++) {
      RandomExpressions expressions = new RandomExpressions(batches, schema, mode);
      runCase(schema, expressions);
    }
  }

  private void runCase(Schema schema, RandomExpressions expressions) {
    List<Expression> projections = new ArrayList<>();
    List<DataType> outputTypes = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      boolean isColumn = random.nextInt(6) == 0;
      int column = random.nextInt(schema.columnCount());
      DataType computed = random.nextInt(5) == 0 ? PrimitiveType.STRING : expressions.type();
      DataType type = isColumn ? schema.field(column).type() : computed;
      projections.add(
          isColumn
              ? new ColumnReference(column, type, true)
              : expressions.expression(type, 1 + random.nextInt(MAX_DEPTH)));
      outputTypes.add(type);
    }
    Expression condition =
        random.nextBoolean()
            ? null
            : expressions.expression(PrimitiveType.BOOLEAN, 1 + random.nextInt(3));
    NullPattern[] patterns = NullPattern.values();
    NullPattern nulls = patterns[random.nextInt(patterns.length)];
    int rowCount = rowCounts().get(random.nextInt(rowCounts().size()));
    RecordBatch batch = batch(schema, rowCount, nulls);
    Schema output = RandomBatches.schemaOf(outputTypes);
    check(condition, projections, output, batch);
  }

  /** Returns a batch whose short decimals are 32 or 64 bits wide; some columns have codes. */
  private RecordBatch batch(Schema schema, int rowCount, NullPattern nulls) {
    List<ColumnVector> columns = new ArrayList<>();
    for (Field field : schema.fields()) {
      PhysicalType layout =
          field.type() instanceof DecimalType decimal && random.nextBoolean()
              ? decimal.narrowestPhysicalType()
              : field.type().defaultPhysicalType();
      columns.add(batches.column(field.type(), layout, rowCount, nulls, allocator));
    }
    ColumnEncoding[] encodings = ColumnEncoding.values();
    return new DictionaryEncoder(random, allocator)
        .encode(
            new RecordBatch(schema, rowCount, columns, 0),
            encodings[random.nextInt(encodings.length)]);
  }

  private void check(
      Expression condition, List<Expression> projections, Schema output, RecordBatch batch) {
    List<List<Object>> input = rows(batch);
    Schema schema = batch.schema();
    List<List<Object>> expected = new ArrayList<>();
    int errorRow = -1;
    for (int row = 0; row < input.size() && errorRow < 0; row++) {
      try {
        addExpected(condition, projections, input.get(row), expected);
      } catch (ReferenceError e) {
        errorRow = row;
      }
    }
    String what = "condition " + condition + "\nprojections " + projections;
    try (Operator operator =
        new FilterProjectOperatorFactory(schema, condition, projections, output)
            .create(context())) {
      operator.addInput(batch);
      try (RecordBatch actual = onHost(operator.getOutput())) {
        List<List<Object>> rows = actual == null ? List.of() : rows(actual);
        compare(expected, rows, what); // those before the row that raises
      }
      assertNull(operator.getOutput(), what);
      assertEquals(-1, errorRow, "the reference raises, the program does not: " + what);
    } catch (RaisedError e) {
      assertEquals(errorRow, e.row, e.getMessage() + ": " + what);
    }
  }

  private RecordBatch onHost(RecordBatch batch) {
    return batch == null ? null : context().transfer().toHost(batch);
  }

  /** Returns a batch's values with decimals as unscaled integers, as the reference has them. */
  private static List<List<Object>> rows(RecordBatch batch) {
    List<List<Object>> rows = new ArrayList<>();
    for (List<Object> row : BatchAssertions.rows(batch)) {
      List<Object> values = new ArrayList<>();
      for (Object value : row) {
        values.add(value instanceof BigDecimal decimal ? decimal.unscaledValue() : value);
      }
      rows.add(values);
    }
    return rows;
  }

  private static void compare(List<List<Object>> expected, List<List<Object>> actual, String what) {
    try {
      BatchAssertions.assertRowsInOrder(expected, actual);
    } catch (AssertionError e) {
      fail(e.getMessage() + "\n" + what);
    }
  }

  private static void addExpected(
      Expression condition,
      List<Expression> projections,
      List<Object> row,
      List<List<Object>> expected) {
    if (condition != null && !passes(condition, row)) {
      return;
    }
    List<Object> values = new ArrayList<>();
    for (Expression projection : projections) {
      values.add(ReferenceInterpreter.evaluate(projection, row));
    }
    expected.add(values);
  }

  /**
   * Spark's FilterExec evaluates conjuncts in order and drops a row at the first that is not true.
   */
  private static boolean passes(Expression condition, List<Object> row) {
    if (condition instanceof Call call && call.function() == Function.AND) {
      return passes(call.arguments().get(0), row) && passes(call.arguments().get(1), row);
    }
    return Boolean.TRUE.equals(ReferenceInterpreter.evaluate(condition, row));
  }

  private OperatorContext context() {
    return new OperatorContext(
        allocator,
        kernelAllocator(backend, allocator),
        backend,
        () -> false,
        (origin, code, input, row) -> new RaisedError(code, row));
  }
}
