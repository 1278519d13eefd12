package io.ariadne.operator.project;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.kernel.column.SelectRowsKernel;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A predicate lists the rows for which it is true. */
class TestRowPredicate {
  private static final Schema SCHEMA =
      RandomBatches.schemaOf(
          List.of(PrimitiveType.BOOLEAN, PrimitiveType.STRING, PrimitiveType.INT64));

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @ParameterizedTest
  @EnumSource(ColumnEncoding.class)
  void listsTheRowsOfABooleanColumn(ColumnEncoding encoding) {
    check(encoding, new ColumnReference(0, PrimitiveType.BOOLEAN, true), Boolean.TRUE::equals, 0);
  }

  @ParameterizedTest
  @EnumSource(ColumnEncoding.class)
  void listsTheRowsOfAComparison(ColumnEncoding encoding) {
    Expression positive =
        new Call(
            Function.GREATER,
            List.of(
                new ColumnReference(2, PrimitiveType.INT64, true),
                new Literal(0L, PrimitiveType.INT64)),
            PrimitiveType.BOOLEAN,
            true,
            EvaluationMode.LEGACY,
            -1);
    check(encoding, positive, value -> value != null && (long) value > 0, 2);
  }

  @ParameterizedTest
  @EnumSource(ColumnEncoding.class)
  void evaluatesADictionaryColumnPerEntry(ColumnEncoding encoding) {
    Schema schema = RandomBatches.schemaOf(List.of(PrimitiveType.INT64));
    Expression column = new ColumnReference(0, PrimitiveType.INT64, true);
    Expression above = call(Function.GREATER, column, new Literal(0L, PrimitiveType.INT64));
    Predicate<Object> isAbove = value -> value != null && (long) value > 0;
    check(schema, encoding, above, isAbove, 0);
    check(schema, encoding, call(Function.IS_NULL, column), value -> value == null, 0);
    Expression either = call(Function.OR, call(Function.IS_NULL, column), above);
    check(schema, encoding, either, isAbove.or(value -> value == null), 0);
  }

  private static Expression call(Function function, Expression... arguments) {
    return new Call(
        function, List.of(arguments), PrimitiveType.BOOLEAN, true, EvaluationMode.LEGACY, -1);
  }

  private void check(
      ColumnEncoding encoding, Expression predicate, Predicate<Object> isTrue, int column) {
    check(SCHEMA, encoding, predicate, isTrue, column);
  }

  private void check(
      Schema schema,
      ColumnEncoding encoding,
      Expression predicate,
      Predicate<Object> isTrue,
      int column) {
    RandomBatches random = RandomBatches.create();
    try (Backend backend = HostBackend.open()) {
      OperatorContext context = new OperatorContext(memory.allocator(), backend, () -> false);
      try (RowPredicate rows = new RowPredicate(schema, predicate, context)) {
        for (NullPattern nulls : NullPattern.values()) {
          for (int rowCount : List.of(0, 1, 64, 1025)) {
            try (RecordBatch batch =
                random.batch(schema, rowCount, nulls, encoding, memory.allocator())) {
              List<Object> values =
                  BatchAssertions.rows(batch).stream().map(row -> row.get(column)).toList();
              assertEquals(expected(values, isTrue), selected(rows, batch));
            }
          }
        }
      }
    }
  }

  private static List<Integer> expected(List<Object> values, Predicate<Object> isTrue) {
    List<Integer> rows = new ArrayList<>();
    for (int row = 0; row < values.size(); row++) {
      if (isTrue.test(values.get(row))) {
        rows.add(row);
      }
    }
    return rows;
  }

  private List<Integer> selected(RowPredicate predicate, RecordBatch batch) {
    List<Integer> rows = new ArrayList<>();
    long bytes = SelectRowsKernel.indexBytes(batch.rowCount());
    try (MemoryBuffer indices = memory.allocator().allocate(bytes)) {
      int count = predicate.select(batch, indices);
      for (int i = 0; i < count; i++) {
        rows.add(indices.getInt((long) i * Integer.BYTES));
      }
    }
    return rows;
  }
}
