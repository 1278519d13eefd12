package io.ariadne.operator.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.DictionaryEncoder;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.kernel.hash.GroupLookup;
import io.ariadne.kernel.hash.GroupTable;
import io.ariadne.kernel.hash.KeyLookup;
import io.ariadne.kernel.testing.AbstractTestOnBackend;
import io.ariadne.operator.OperatorContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keys of dictionary columns are looked up once per combination of entries, with equal results. */
class TestKeyColumns extends AbstractTestOnBackend {
  private static final Schema KEYS =
      Schema.of(
          new Field("name", PrimitiveType.STRING, true),
          new Field("number", PrimitiveType.INT32, true));
  private static final List<Expression> REFERENCES =
      List.of(
          new ColumnReference(0, PrimitiveType.STRING, true),
          new ColumnReference(1, PrimitiveType.INT32, true));
  private static final int ROWS = 5000;
  private static final int NAMES = 6;
  private static final int NUMBERS = 5;

  @Override
  public Backend openBackend(long seed) {
    return HostBackend.open();
  }

  @Test
  void findsTheGroupsOfDictionaryColumns() {
    OperatorContext context = new OperatorContext(allocator, backend, () -> false);
    List<PhysicalType> layouts = List.of(PhysicalType.VIEW16, PhysicalType.I32);
    try (GroupTable table = new GroupTable(backend, allocator, layouts);
        CountingLookup lookup = new CountingLookup(new GroupLookup(backend, allocator, table));
        KeyColumns columns = new KeyColumns(KeyColumns.Keys.of(REFERENCES), context);
        KeyColumns plainly = new KeyColumns(KeyColumns.Keys.of(REFERENCES), context)) {
      fill(table);
      for (int round = 0; round < 3; round++) {
        try (RecordBatch batch = rows(ColumnEncoding.DICTIONARY)) {
          List<Integer> expected = new ArrayList<>();
          plainly.use(batch, values -> expected.addAll(groups(values, table)));
          lookup.rows = 0;
          assertEquals(expected, find(columns, batch, lookup), () -> "seed " + seed);
          long combinations =
              (batch.column(0).dictionary().entryCount() + 1L)
                  * (batch.column(1).dictionary().entryCount() + 1L);
          assertTrue(lookup.rows > 0 && lookup.rows <= combinations, () -> lookup.rows + " rows");
          lookup.rows = 0;
          assertEquals(expected, find(columns, batch, lookup));
          assertEquals(0, lookup.rows, "the dictionaries are those of the batch before");
        }
      }
    }
  }

  @Test
  void findsTheGroupsOfPlainColumns() {
    OperatorContext context = new OperatorContext(allocator, backend, () -> false);
    List<PhysicalType> layouts = List.of(PhysicalType.VIEW16, PhysicalType.I32);
    try (GroupTable table = new GroupTable(backend, allocator, layouts);
        CountingLookup lookup = new CountingLookup(new GroupLookup(backend, allocator, table));
        KeyColumns columns = new KeyColumns(KeyColumns.Keys.of(REFERENCES), context);
        RecordBatch batch = rows(ColumnEncoding.PLAIN)) {
      fill(table);
      find(columns, batch, lookup);
      assertEquals(ROWS, lookup.rows);
    }
  }

  /** Gives some of the combinations that rows have a group. */
  private void fill(GroupTable table) {
    try (BatchBuilder builder = new BatchBuilder(KEYS, allocator)) {
      for (int i = 0; i < NAMES * NUMBERS; i += 2) {
        builder.appendRow(name(i % NAMES), i / NAMES);
      }
      try (RecordBatch batch = builder.build(0);
          MemoryBuffer ids = allocator.allocate((long) batch.rowCount() * Integer.BYTES)) {
        List<ColumnVector> keys = List.of(batch.column(0), batch.column(1));
        table.assign(keys, batch.rowCount(), ids);
      }
    }
  }

  private RecordBatch rows(ColumnEncoding encoding) {
    try (BatchBuilder builder = new BatchBuilder(KEYS, allocator)) {
      for (int row = 0; row < ROWS; row++) {
        builder.appendRow(
            random.nextInt(20) == 0 ? null : name(random.nextInt(NAMES)),
            random.nextInt(20) == 0 ? null : random.nextInt(NUMBERS));
      }
      return new DictionaryEncoder(random, allocator).encode(builder.build(0), encoding);
    }
  }

  private static byte[] name(int number) {
    String name = number % 2 == 0 ? "short" : "a name of more than twelve bytes";
    return (name + number).getBytes(StandardCharsets.UTF_8);
  }

  private List<Integer> groups(List<ColumnVector> keys, GroupTable table) {
    try (GroupLookup lookup = new GroupLookup(backend, allocator, table);
        MemoryBuffer ids = allocator.allocate((long) ROWS * Integer.BYTES)) {
      lookup.find(keys, ROWS, ids);
      return numbers(ids);
    }
  }

  private List<Integer> find(KeyColumns columns, RecordBatch batch, KeyLookup lookup) {
    try (MemoryBuffer ids = allocator.allocate((long) ROWS * Integer.BYTES)) {
      columns.find(batch, lookup, ids);
      return numbers(ids);
    }
  }

  private static List<Integer> numbers(MemoryBuffer ids) {
    List<Integer> numbers = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      numbers.add(ids.getInt((long) row * Integer.BYTES));
    }
    return numbers;
  }

  /** Counts the rows it is asked for. */
  private static final class CountingLookup implements KeyLookup {
    private final KeyLookup lookup;
    private long rows;

    CountingLookup(KeyLookup lookup) {
      this.lookup = lookup;
    }

    @Override
    public void find(List<ColumnVector> keys, int rowCount, MemoryBuffer groupIds) {
      rows += rowCount;
      lookup.find(keys, rowCount, groupIds);
    }

    @Override
    public void close() {
      lookup.close();
    }
  }
}
