package io.ariadne.operator.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.sort.SortDirection;
import io.ariadne.kernel.testing.AbstractTestOnBackend;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.sort.ReferenceOrder;
import io.ariadne.operator.sort.RowKeys;
import io.ariadne.operator.sort.SortColumn;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Compares range numbers with {@link ReferenceOrder}: all types as keys, several keys in every
 * direction, and none to many bounds, from the input and from other batches.
 */
abstract class AbstractTestRanges extends AbstractTestOnBackend {

  /** Returns how many random cases to run. */
  protected abstract int cases();

  /** Returns the most rows of a batch. */
  protected abstract int maxRows();

  @Test
  void findsRangesOfEveryType() {
    for (DataType type : RandomBatches.flatTypes()) {
      Schema schema = RandomBatches.schemaOf(List.of(type, PrimitiveType.INT64));
      check(schema, 1 + random.nextInt(2), List.of(new SortColumn(0, direction())));
    }
  }

  @Test
  void findsRangesOfSeveralKeys() {
    for (int i = 0; i < cases(); i++) {
      List<DataType> types = new ArrayList<>(RandomBatches.flatTypes());
      Collections.shuffle(types, random);
      types = new ArrayList<>(types.subList(0, 4));
      types.add(RandomBatches.nestedTypes().get(random.nextInt(9)));
      List<SortColumn> keys = new ArrayList<>();
      for (int k = 0; k <= random.nextInt(4); k++) {
        keys.add(new SortColumn(random.nextInt(4), direction()));
      }
      check(RandomBatches.schemaOf(types), 1 + random.nextInt(5), keys);
    }
  }

  @Test
  void findsRangesOfStringsWithLongCommonPrefixes() {
    Schema schema =
        Schema.of(
            new Field("s", PrimitiveType.STRING, true), new Field("t", PrimitiveType.STRING, true));
    for (int i = 0; i < cases(); i++) {
      List<SortColumn> keys =
          List.of(new SortColumn(0, direction()), new SortColumn(1, direction()));
      RecordBatch source = prefixed(schema, 1 + random.nextInt(maxRows()));
      check(schema, 1, keys, source, prefixed(schema, 1 + random.nextInt(maxRows())));
    }
  }

  /** Texts that differ within and behind the bytes of normalised keys, or only in their length. */
  private RecordBatch prefixed(Schema schema, int rows) {
    try (BatchBuilder builder = new BatchBuilder(schema, allocator)) {
      for (int row = 0; row < rows; row++) {
        builder.appendRow(text(), text());
      }
      return builder.build(0);
    }
  }

  private byte[] text() {
    if (random.nextInt(8) == 0) {
      return null;
    }
    String text = "the same for all of them, and ".repeat(random.nextInt(3));
    String end = random.nextBoolean() ? "\0".repeat(random.nextInt(3)) : "\u00e9";
    String rest = text.substring(0, Math.max(0, text.length() - random.nextInt(9)));
    return (rest + end).getBytes(StandardCharsets.UTF_8);
  }

  private SortDirection direction() {
    return new SortDirection(random.nextBoolean(), random.nextBoolean());
  }

  private void check(Schema schema, int width, List<SortColumn> keys) {
    check(schema, width, keys, batch(schema), batch(schema));
  }

  private RecordBatch batch(Schema schema) {
    NullPattern[] patterns = NullPattern.values();
    NullPattern nulls = patterns[random.nextInt(patterns.length)];
    int rows = 1 + random.nextInt(random.nextInt(4) == 0 ? 3 : maxRows());
    return batches.batch(schema, rows, nulls, ColumnEncoding.MIXED, allocator);
  }

  /** Takes bounds out of the input and another batch. */
  private void check(
      Schema schema, int width, List<SortColumn> keys, RecordBatch input, RecordBatch other) {
    List<Bound> bounds = new ArrayList<>();
    ReferenceOrder order = new ReferenceOrder(keys);
    try (other) {
      choose(input, keys, bounds);
      choose(other, keys, bounds);
    }
    bounds.sort((a, b) -> RowKeys.compare(keys, a.key(), b.key()));
    List<Bound> distinct = new ArrayList<>();
    for (Bound bound : bounds) {
      if (distinct.isEmpty()
          || order.compare(distinct.get(distinct.size() - 1).row(), bound.row()) < 0) {
        distinct.add(bound);
      }
    }
    List<List<Object>> expected = new ArrayList<>();
    for (List<Object> row : BatchAssertions.rows(input)) {
      List<Object> placed = new ArrayList<>(row.subList(0, width));
      placed.add(
          (int) distinct.stream().filter(bound -> order.compare(bound.row(), row) < 0).count());
      expected.add(placed);
    }
    RangeOperatorFactory factory =
        new RangeOperatorFactory(schema, width, keys, distinct.stream().map(Bound::key).toList());
    assertRows(expected, factory, input);
  }

  private record Bound(List<Object> row, Object[] key) {}

  private void choose(RecordBatch batch, List<SortColumn> keys, List<Bound> bounds) {
    List<List<Object>> rows = BatchAssertions.rows(batch);
    RowKeys values = new RowKeys(batch, keys);
    for (int i = random.nextInt(40); i > 0; i--) {
      int row = random.nextInt(batch.rowCount());
      bounds.add(new Bound(rows.get(row), values.at(row)));
    }
  }

  private void assertRows(
      List<List<Object>> expected, RangeOperatorFactory factory, RecordBatch input) {
    OperatorContext context =
        new OperatorContext(
            allocator,
            kernelAllocator(backend, allocator),
            backend,
            () -> false,
            ErrorReplay.PLAIN);
    try (RangeOperator operator = factory.create(context)) {
      operator.addInput(input);
      try (RecordBatch output = operator.getOutput()) {
        assertEquals(operator.outputSchema(), output.schema());
        BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(output));
      }
      assertNull(operator.getOutput());
      operator.finish();
    }
  }
}
