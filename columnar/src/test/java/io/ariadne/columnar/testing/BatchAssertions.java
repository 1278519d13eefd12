package io.ariadne.columnar.testing;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Schema;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Compares batches by value: layouts, encodings and buffers may differ, types may not.
 *
 * <p>Floating-point values are equal when {@link Double#equals} says so: NaN equals NaN, 0.0 and
 * -0.0 differ. Nothing is closed.
 */
public final class BatchAssertions {
  private static final int MAX_DIFFERENCES = 10;

  private BatchAssertions() {}

  /** Fails unless both have the same types and the same rows in the same order. */
  public static void assertBatchEquals(RecordBatch expected, RecordBatch actual) {
    assertTypes(expected.schema(), actual.schema());
    assertRowsInOrder(rows(expected), rows(actual));
  }

  /** Fails unless both streams have the same types and rows in order, however cut into batches. */
  public static void assertBatchesEqual(List<RecordBatch> expected, List<RecordBatch> actual) {
    assertTypes(expected, actual);
    assertRowsInOrder(allRows(expected), allRows(actual));
  }

  /** Fails unless both streams have the same types and the same rows in any order. */
  public static void assertSameRows(List<RecordBatch> expected, List<RecordBatch> actual) {
    assertTypes(expected, actual);
    assertRowsInAnyOrder(allRows(expected), allRows(actual));
  }

  /** Fails unless both columns have the same type and values. */
  public static void assertColumnEquals(ColumnVector expected, ColumnVector actual) {
    if (!expected.type().equals(actual.type())) {
      fail("types differ: expected " + expected.type() + ", got " + actual.type());
    }
    assertRowsInOrder(rows(expected), rows(actual));
  }

  /** Fails at the first rows that differ. Rows are as {@link #rows(RecordBatch)} returns them. */
  public static void assertRowsInOrder(List<List<Object>> expected, List<List<Object>> actual) {
    List<String> differences = new ArrayList<>();
    int common = Math.min(expected.size(), actual.size());
    for (int row = 0; row < common && differences.size() < MAX_DIFFERENCES; row++) {
      if (!expected.get(row).equals(actual.get(row))) {
        differences.add(difference(row, expected.get(row), actual.get(row)));
      }
    }
    if (expected.size() != actual.size()) {
      differences.add(0, "expected " + expected.size() + " rows, got " + actual.size());
    }
    if (!differences.isEmpty()) {
      fail(String.join("\n  ", differences));
    }
  }

  /** Fails when a row occurs more often on one side. Rows are as {@link #rows(RecordBatch)}. */
  public static void assertRowsInAnyOrder(List<List<Object>> expected, List<List<Object>> actual) {
    Map<List<Object>, Integer> balance = new LinkedHashMap<>();
    expected.forEach(row -> balance.merge(row, 1, Integer::sum));
    actual.forEach(row -> balance.merge(row, -1, Integer::sum));
    balance.values().removeIf(count -> count == 0);
    if (balance.isEmpty()) {
      return;
    }
    StringBuilder text = new StringBuilder();
    text.append("expected ").append(expected.size()).append(" rows, got ").append(actual.size());
    text.append("; ").append(balance.size()).append(" distinct rows differ");
    balance.entrySet().stream()
        .limit(2L * MAX_DIFFERENCES)
        .forEach(
            row -> {
              text.append(row.getValue() > 0 ? "\n  missing " : "\n  too many ");
              text.append(Math.abs(row.getValue())).append(" x ").append(row.getKey());
            });
    fail(text.toString());
  }

  /** Returns the rows of batches as comparable values. */
  public static List<List<Object>> allRows(List<RecordBatch> batches) {
    List<List<Object>> rows = new ArrayList<>();
    batches.forEach(batch -> rows.addAll(rows(batch)));
    return rows;
  }

  /**
   * Returns the rows of a batch as comparable values: null, Boolean, Byte, Short, Integer, Long,
   * Float, Double, BigDecimal, String, {@code "x'hex'"} for binary, and Lists of these.
   */
  public static List<List<Object>> rows(RecordBatch batch) {
    List<ColumnReader> readers =
        IntStream.range(0, batch.columnCount())
            .mapToObj(i -> new ColumnReader(batch.column(i)))
            .toList();
    List<List<Object>> rows = new ArrayList<>();
    for (int row = 0; row < batch.rowCount(); row++) {
      List<Object> values = new ArrayList<>();
      for (ColumnReader reader : readers) {
        values.add(value(reader, row));
      }
      rows.add(values);
    }
    return rows;
  }

  private static List<List<Object>> rows(ColumnVector column) {
    ColumnReader reader = new ColumnReader(column);
    List<List<Object>> rows = new ArrayList<>();
    for (int row = 0; row < column.rowCount(); row++) {
      List<Object> values = new ArrayList<>();
      values.add(value(reader, row));
      rows.add(values);
    }
    return rows;
  }

  private static Object value(ColumnReader reader, int row) {
    if (reader.isNull(row)) {
      return null;
    }
    if (reader.column().type() instanceof DecimalType) {
      return reader.getDecimal(row);
    }
    return switch (reader.column().physicalType()) {
      case OFFSETS ->
          IntStream.range(reader.getStart(row), reader.getEnd(row))
              .mapToObj(i -> new Object[] {value(reader.child(0), i)})
              .collect(ArrayList::new, (list, one) -> list.add(one[0]), ArrayList::addAll);
      case NONE ->
          IntStream.range(0, reader.column().children().size())
              .mapToObj(i -> new Object[] {value(reader.child(i), row)})
              .collect(ArrayList::new, (list, one) -> list.add(one[0]), ArrayList::addAll);
      default -> comparable(reader.getValue(row));
    };
  }

  private static Object comparable(Object value) {
    return value instanceof byte[] bytes ? "x'" + HexFormat.of().formatHex(bytes) + "'" : value;
  }

  private static String difference(int row, List<Object> expected, List<Object> actual) {
    StringBuilder text = new StringBuilder("row ").append(row).append(':');
    for (int i = 0; i < Math.max(expected.size(), actual.size()); i++) {
      Object left = i < expected.size() ? expected.get(i) : "(no column)";
      Object right = i < actual.size() ? actual.get(i) : "(no column)";
      if (!Objects.equals(left, right)) {
        text.append(" column ").append(i).append(" expected ").append(show(left));
        text.append(" got ").append(show(right)).append(';');
      }
    }
    return text.toString();
  }

  private static String show(Object value) {
    return value instanceof String ? "\"" + value + "\"" : String.valueOf(value);
  }

  private static void assertTypes(List<RecordBatch> expected, List<RecordBatch> actual) {
    if (!expected.isEmpty() && !actual.isEmpty()) {
      assertTypes(expected.get(0).schema(), actual.get(0).schema());
    }
  }

  private static void assertTypes(Schema expected, Schema actual) {
    List<DataType> left = expected.fields().stream().map(field -> field.type()).toList();
    List<DataType> right = actual.fields().stream().map(field -> field.type()).toList();
    if (!left.equals(right)) {
      fail("column types differ: expected " + left + ", got " + right);
    }
  }

  private static void fail(String message) {
    throw new AssertionError(message);
  }
}
