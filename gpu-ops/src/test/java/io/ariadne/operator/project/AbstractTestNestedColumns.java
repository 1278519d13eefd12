package io.ariadne.operator.project;

import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.columnar.type.StructType;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.expression.Member;
import io.ariadne.kernel.testing.AbstractTestOnBackend;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists, structs and maps through filters and projections on a back end, against plain Java. */
abstract class AbstractTestNestedColumns extends AbstractTestOnBackend {
  private static final int KEY = 0;

  private Schema schema;

  /** Returns the numbers of rows to try. */
  protected abstract List<Integer> rowCounts();

  @BeforeEach
  void chooseTypes() {
    List<DataType> types = new ArrayList<>(List.of(PrimitiveType.INT64, PrimitiveType.STRING));
    types.addAll(RandomBatches.nestedTypes());
    types.add(
        new StructType(
            List.of(
                new Field("s", types.get(3), true), new Field("n", PrimitiveType.INT32, true))));
    schema = RandomBatches.schemaOf(types);
  }

  @Test
  void filtersNestedColumns() {
    for (long limit : new long[] {Long.MIN_VALUE, -1, 0, 100, Long.MAX_VALUE}) {
      Expression condition =
          call(Function.LESS, column(KEY), new Literal(limit, PrimitiveType.INT64));
      check(condition, row -> row.get(KEY) != null && (long) row.get(KEY) < limit);
    }
  }

  @Test
  void filtersByNullsOfNestedColumns() {
    for (int i = 2; i < schema.columnCount(); i++) {
      int column = i;
      check(call(Function.IS_NULL, column(i)), row -> row.get(column) == null);
      check(call(Function.IS_NOT_NULL, column(i)), row -> row.get(column) != null);
    }
  }

  @Test
  void projectionsRepeatNestedColumns() {
    check(null, row -> true);
  }

  @Test
  void readsMembersOfStructs() {
    int last = schema.columnCount() - 1;
    Expression number = new Member(column(last), 1, true);
    check(
        call(Function.LESS, number, new Literal(0, PrimitiveType.INT32)),
        row -> member(row.get(last), 1) != null && (int) member(row.get(last), 1) < 0);
    check(
        call(Function.IS_NULL, new Member(new Member(column(last), 0, true), 1, true)),
        row -> member(member(row.get(last), 0), 1) == null);
  }

  private static Object member(Object struct, int ordinal) {
    return struct == null ? null : ((List<?>) struct).get(ordinal);
  }

  private void check(Expression condition, Predicate<List<Object>> isKept) {
    List<Expression> projections = new ArrayList<>();
    List<java.util.function.Function<List<Object>, Object>> sources = new ArrayList<>();
    for (int i = 0; i < 2 * schema.columnCount(); i++) {
      int source = i % schema.columnCount();
      sources.add(row -> row.get(source));
      projections.add(column(source));
    }
    for (int i = 0; i < schema.columnCount(); i++) {
      addMembers(column(i), sources.get(i), projections, sources);
    }
    List<Field> output = new ArrayList<>();
    projections.forEach(each -> output.add(new Field("o" + output.size(), each.type(), true)));
    OperatorContext context =
        new OperatorContext(
            allocator,
            kernelAllocator(backend, allocator),
            backend,
            () -> false,
            ErrorReplay.PLAIN);
    FilterProjectOperatorFactory factory =
        new FilterProjectOperatorFactory(schema, condition, projections, new Schema(output));
    try (FilterProjectOperator operator = factory.create(context)) {
      for (NullPattern nulls : NullPattern.values()) {
        for (int rowCount : rowCounts()) {
          RecordBatch input = batches.batch(schema, rowCount, nulls, allocator);
          List<List<Object>> expected = new ArrayList<>();
          for (List<Object> row : BatchAssertions.rows(input)) {
            if (isKept.test(row)) {
              expected.add(sources.stream().map(source -> source.apply(row)).collect(toList()));
            }
          }
          BatchAssertions.assertRowsInOrder(expected, output(operator, input, context));
        }
      }
    }
  }

  private static void addMembers(
      Expression expression,
      java.util.function.Function<List<Object>, Object> source,
      List<Expression> projections,
      List<java.util.function.Function<List<Object>, Object>> sources) {
    if (expression.type() instanceof StructType struct) {
      for (int i = 0; i < struct.fields().size(); i++) {
        int ordinal = i;
        Member member = new Member(expression, i, true);
        projections.add(member);
        sources.add(row -> member(source.apply(row), ordinal));
        addMembers(member, sources.get(sources.size() - 1), projections, sources);
      }
    }
  }

  private static List<List<Object>> output(
      FilterProjectOperator operator, RecordBatch input, OperatorContext context) {
    operator.addInput(input);
    RecordBatch output = operator.getOutput();
    if (output == null) {
      return List.of();
    }
    assertTrue(output.rowCount() > 0);
    try (RecordBatch onHost = context.transfer().toHost(output)) {
      return BatchAssertions.rows(onHost);
    }
  }

  private Expression column(int index) {
    return new ColumnReference(index, schema.field(index).type(), true);
  }

  private static Expression call(Function function, Expression... arguments) {
    return new Call(
        function,
        List.of(arguments),
        PrimitiveType.BOOLEAN,
        true,
        EvaluationMode.LEGACY,
        ExpressionError.NO_ORIGIN);
  }
}
