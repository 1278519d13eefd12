package io.ariadne.expression.nested;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.MapType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.columnar.type.StructType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The order of the bytes against that of the values, compared plainly as Spark does. */
class TestOrderBytes {
  private static final int ROWS = 250;

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private final RandomBatches batches = RandomBatches.create();

  @Test
  void bytesAreInTheOrderOfTheValues() {
    List<DataType> types = new ArrayList<>(RandomBatches.nestedTypes());
    for (DataType flat : RandomBatches.flatTypes()) {
      types.add(new ListType(flat, true));
      types.add(
          new StructType(
              List.of(new Field("a", flat, true), new Field("b", PrimitiveType.INT8, true))));
    }
    for (DataType type : types) {
      if (OrderBytes.supports(type)) {
        for (NullPattern nulls : List.of(NullPattern.NONE, NullPattern.MANY)) {
          check(type, nulls);
        }
      }
    }
  }

  @Test
  void mapsHaveNoOrder() {
    DataType map = new MapType(PrimitiveType.INT32, PrimitiveType.INT32, true);
    assertFalse(OrderBytes.supports(map));
    assertFalse(OrderBytes.supports(new ListType(map, true)));
    assertFalse(OrderBytes.supports(PrimitiveType.INT32));
    assertTrue(OrderBytes.supports(new ListType(PrimitiveType.INT32, true)));
  }

  private void check(DataType type, NullPattern nulls) {
    Schema schema = RandomBatches.schemaOf(List.of(type));
    try (RecordBatch batch =
            batches.batch(schema, ROWS, nulls, ColumnEncoding.MIXED, memory.allocator());
        ColumnVector result = new OrderBytes(type).apply(batch, memory.allocator())) {
      ColumnReader values = new ColumnReader(batch.column(0));
      ColumnReader bytes = new ColumnReader(result);
      for (int i = 0; i < ROWS; i++) {
        assertEquals(values.isNull(i), bytes.isNull(i));
        for (int j = 0; j < i && !values.isNull(i); j++) {
          if (!values.isNull(j)) {
            Object a = values.getValue(i);
            Object b = values.getValue(j);
            int order = Arrays.compareUnsigned(bytes.getBytes(i), bytes.getBytes(j));
            assertEquals(compare(a, b), Integer.signum(order), () -> type + ": " + a + ", " + b);
          }
        }
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static int compare(Object a, Object b) {
    if (a == null || b == null) {
      return a == b ? 0 : a == null ? -1 : 1;
    }
    if (a instanceof List<?> first) {
      List<?> second = (List<?>) b;
      for (int i = 0; i < Math.min(first.size(), second.size()); i++) {
        int order = compare(first.get(i), second.get(i));
        if (order != 0) {
          return order;
        }
      }
      return Integer.compare(first.size(), second.size());
    }
    if (a instanceof byte[] bytes) {
      return Integer.signum(Arrays.compareUnsigned(bytes, (byte[]) b));
    }
    if (a instanceof String text) {
      return compare(
          text.getBytes(StandardCharsets.UTF_8), ((String) b).getBytes(StandardCharsets.UTF_8));
    }
    if (a instanceof Double || a instanceof Float) {
      return Double.compare(number(a), number(b));
    }
    return Integer.signum(((Comparable<Object>) a).compareTo(b));
  }

  private static double number(Object value) {
    double number = ((Number) value).doubleValue();
    return number == 0 ? 0.0 : number;
  }
}
