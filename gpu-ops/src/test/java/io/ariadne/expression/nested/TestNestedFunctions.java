package io.ariadne.expression.nested;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.ariadne.columnar.ColumnFunction;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
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
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Functions of nested columns against plain Java, over random columns. */
class TestNestedFunctions {
  private static final List<Integer> ROW_COUNTS = List.of(0, 1, 9, 64, 700);

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private final RandomBatches batches = RandomBatches.create();
  private final Random random = batches.random();

  @Test
  void computesSizes() {
    for (DataType type : RandomBatches.nestedTypes()) {
      if (!(type instanceof StructType)) {
        check(
            new ArraySize(true), List.of(type), row -> row.get(0) == null ? -1 : list(row).size());
        check(
            new ArraySize(false),
            List.of(type),
            row -> row.get(0) == null ? null : list(row).size());
      }
    }
  }

  @Test
  void readsItems() {
    for (DataType type : RandomBatches.nestedTypes()) {
      if (type instanceof ListType listType) {
        check(
            new ArrayItem(listType.element()),
            List.of(type, PrimitiveType.INT32),
            row -> {
              Integer position = (Integer) row.get(1);
              boolean isThere =
                  row.get(0) != null
                      && position != null
                      && position >= 0
                      && position < list(row).size();
              return isThere ? list(row).get(position) : null;
            });
      }
    }
  }

  @Test
  void appliesTheOtherFunctionWhenARequiredElementIsMissing() {
    DataType type = new ListType(PrimitiveType.INT32, true);
    Schema schema = RandomBatches.schemaOf(List.of(type));
    ColumnFunction otherwise = new StructOf(new StructType(List.of(new Field("l", type, true))));
    for (List<Object> lists :
        List.<List<Object>>of(
            Arrays.asList(List.of(1, 2), null, Arrays.asList(3, null)),
            Arrays.asList(List.of(1, 2), List.of(3)))) {
      boolean areThere = lists.size() == 3;
      RecordBatch batch = new RecordBatch(schema, lists.size(), List.of(column(type, lists)), 0);
      try (batch;
          ColumnVector result =
              new CheckedArrayItem(1, otherwise).apply(batch, memory.allocator())) {
        assertEquals(areThere ? PrimitiveType.INT32 : otherwise.resultType(), result.type());
        if (areThere) {
          ColumnReader reader = new ColumnReader(result);
          assertEquals(2, reader.getValue(0));
          assertNull(reader.getValue(1));
          assertNull(reader.getValue(2));
        }
      }
    }
  }

  @Test
  void readsMembersOfEntries() {
    for (DataType type : RandomBatches.nestedTypes()) {
      if (type instanceof MapType map) {
        checkParts(type, map.key(), 0);
        checkParts(type, map.value(), 1);
      } else if (type instanceof ListType list && list.element() instanceof StructType struct) {
        for (int i = 0; i < struct.fields().size(); i++) {
          checkParts(type, struct.fields().get(i).type(), i);
        }
      }
    }
  }

  private void checkParts(DataType type, DataType part, int ordinal) {
    check(
        new ListParts(new ListType(part, true), ordinal),
        List.of(type),
        row -> {
          if (row.get(0) == null) {
            return null;
          }
          List<Object> parts = new ArrayList<>();
          for (Object entry : list(row)) {
            parts.add(entry == null ? null : ((List<?>) entry).get(ordinal));
          }
          return parts;
        });
  }

  @Test
  void looksUpValuesOfKeys() {
    for (DataType type : RandomBatches.nestedTypes()) {
      if (type instanceof MapType map && MapValue.findsKeys(map.key())) {
        for (NullPattern nulls : NullPattern.values()) {
          for (ColumnEncoding encoding : ColumnEncoding.values()) {
            checkKeys(map, nulls, encoding);
          }
        }
      }
    }
  }

  private void checkKeys(MapType map, NullPattern nulls, ColumnEncoding encoding) {
    Schema maps = RandomBatches.schemaOf(List.of(map));
    try (RecordBatch batch = batches.batch(maps, 300, nulls, memory.allocator())) {
      List<Object> keys = new ArrayList<>();
      List<Object> expected = new ArrayList<>();
      for (List<Object> row : BatchAssertions.rows(batch)) {
        List<?> entries = row.get(0) == null ? List.of() : list(row);
        boolean picks = !entries.isEmpty() && random.nextInt(4) > 0;
        List<?> picked = picks ? (List<?>) entries.get(random.nextInt(entries.size())) : null;
        Object key = picks ? picked.get(0) : null;
        keys.add(key);
        expected.add(picks ? valueOf(entries, key) : null);
      }
      Schema schema = RandomBatches.schemaOf(List.of(map, map.key()));
      List<ColumnVector> columns = List.of(batch.takeColumn(0), column(map.key(), keys));
      RecordBatch plain = new RecordBatch(schema, 300, columns, 0);
      try (RecordBatch arguments =
          new io.ariadne.columnar.testing.DictionaryEncoder(random, memory.allocator())
              .encode(plain, encoding)) {
        assertResult(expected, new MapValue(map.value()), arguments);
      }
    }
  }

  private static Object valueOf(List<?> entries, Object key) {
    for (Object entry : entries) {
      if (((List<?>) entry).get(0).equals(key)) {
        return ((List<?>) entry).get(1);
      }
    }
    return null;
  }

  private ColumnVector column(DataType type, List<Object> values) {
    try (ColumnBuilder builder = ColumnBuilder.create(type, memory.allocator())) {
      for (Object value : values) {
        boolean isString = value instanceof String;
        builder.appendValue(isString ? ((String) value).getBytes(StandardCharsets.UTF_8) : value);
      }
      return builder.build();
    }
  }

  @Test
  void makesStructs() {
    List<DataType> members = new ArrayList<>(RandomBatches.nestedTypes());
    members.addAll(List.of(PrimitiveType.STRING, PrimitiveType.BOOLEAN, PrimitiveType.FLOAT64));
    StructType type =
        new StructType(
            RandomBatches.schemaOf(members).fields().stream()
                .map(field -> new Field(field.name(), field.type(), true))
                .toList());
    check(new StructOf(type), members, ArrayList::new);
  }

  private static List<?> list(List<Object> row) {
    return (List<?>) row.get(0);
  }

  private void check(
      ColumnFunction function, List<DataType> types, Function<List<Object>, Object> expected) {
    Schema schema = RandomBatches.schemaOf(types);
    for (NullPattern nulls : NullPattern.values()) {
      for (ColumnEncoding encoding : ColumnEncoding.values()) {
        for (int rowCount : ROW_COUNTS) {
          try (RecordBatch batch = batch(schema, rowCount, nulls, encoding)) {
            List<Object> values = new ArrayList<>();
            BatchAssertions.rows(batch).forEach(row -> values.add(expected.apply(row)));
            assertResult(values, function, batch);
          }
        }
      }
    }
  }

  /** Positions are small numbers, so that elements have them. */
  private RecordBatch batch(
      Schema schema, int rowCount, NullPattern nulls, ColumnEncoding encoding) {
    RecordBatch drawn = batches.batch(schema, rowCount, nulls, encoding, memory.allocator());
    if (schema.columnCount() != 2 || schema.field(1).type() != PrimitiveType.INT32) {
      return drawn;
    }
    List<Object> positions = new ArrayList<>();
    for (int row = 0; row < rowCount; row++) {
      positions.add(random.nextInt(8) == 0 ? null : (Object) (random.nextInt(7) - 2));
    }
    try (drawn) {
      List<ColumnVector> columns =
          Arrays.asList(drawn.takeColumn(0), column(PrimitiveType.INT32, positions));
      return new RecordBatch(schema, rowCount, columns, 0);
    }
  }

  private void assertResult(List<Object> expected, ColumnFunction function, RecordBatch batch) {
    Schema schema = RandomBatches.schemaOf(List.of(function.resultType()));
    ColumnVector column = function.apply(batch, memory.allocator());
    try (RecordBatch result = new RecordBatch(schema, batch.rowCount(), List.of(column), 0)) {
      List<Object> actual = new ArrayList<>();
      BatchAssertions.rows(result).forEach(row -> actual.add(row.get(0)));
      assertEquals(expected, actual, function::toString);
    }
  }
}
