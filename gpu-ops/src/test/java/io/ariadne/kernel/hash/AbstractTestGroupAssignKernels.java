package io.ariadne.kernel.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.abi.GroupAssignArgsLayout;
import io.ariadne.kernel.abi.GroupPhase;
import io.ariadne.kernel.abi.KernelStatusLayout;
import io.ariadne.kernel.testing.AbstractTestKernels;
import io.ariadne.kernel.testing.KernelTestTarget;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Group numbers of random keys of every type, batch after batch, against a map in plain Java. */
abstract class AbstractTestGroupAssignKernels extends AbstractTestKernels {
  private static final int[] SIZES = {0, 1, 31, 32, 33, 1023, 1025, 5000};
  private static final List<String> PHASES = List.of("normalize", "insert", "number", "resolve");
  private static final DataType WIDE = new DecimalType(38, 0);
  private static final int[] DISTINCT = {1, 4, 60, 3000};

  private final RandomBatches batches = new RandomBatches(seed());

  AbstractTestGroupAssignKernels(KernelTestTarget target) {
    super(target);
  }

  @Test
  void groupsByEachType() {
    for (DataType type : RandomBatches.flatTypes()) {
      check(List.of(type), new int[] {1025, SIZES[random.nextInt(SIZES.length)]}, 200);
    }
  }

  @Test
  void groupsBySeveralKeys() {
    List<DataType> all = RandomBatches.flatTypes();
    for (int round = 0; round < 10; round++) {
      List<DataType> types = new ArrayList<>();
      for (int i = random.nextInt(5); i >= 0; i--) {
        types.add(all.get(random.nextInt(all.size())));
      }
      check(types, SIZES, DISTINCT[random.nextInt(DISTINCT.length)]);
    }
  }

  @Test
  void noKeyIsOneGroup() {
    check(List.of(), new int[] {0, 5, 1025}, 1);
  }

  @Test
  void tableGrowsWithinABatch() {
    check(List.of(PrimitiveType.INT64, PrimitiveType.STRING), new int[] {MANY / 4, 1025}, 9000);
  }

  @Test
  void groupsManyRowsByShortKeys() {
    checkWorkOfPhases("short keys");
    List<Object> flags = List.of(bytes("A"), bytes("N"), bytes("R"), bytes(""));
    List<DataType> types = List.of(PrimitiveType.STRING, PrimitiveType.STRING);
    check(types, List.of(flags, flags), new int[] {MANY}, 0);
  }

  @Test
  void groupsManyRowsByLongKeys() {
    checkWorkOfPhases("long keys");
    List<Object> names = List.of(bytes("a string longer than a view"), bytes("another long one"));
    List<Object> numbers = List.of(BigDecimal.ONE, BigDecimal.TEN, BigDecimal.ZERO);
    check(List.of(PrimitiveType.STRING, WIDE), List.of(names, numbers), new int[] {MANY}, 0);
  }

  @Test
  void groupsManyRowsOfNewAndOfKnownKeys() {
    List<DataType> types = List.of(PrimitiveType.INT64, PrimitiveType.INT32);
    checkWorkOfPhases("many keys");
    check(types, pools(types, 200), new int[] {MANY, MANY}, 0);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Holds every phase over many rows to a budget of its own, unless the table is too small. */
  private void checkWorkOfPhases(String keys) {
    checkEachLaunch(
        arguments -> {
          int phase = arguments.getInt(GroupAssignArgsLayout.PHASE_OFFSET);
          long status = arguments.getLong(GroupAssignArgsLayout.STATUS_OFFSET);
          boolean isTooSmall = Memory.getLong(status + KernelStatusLayout.NEEDED_OFFSET) != 0;
          boolean isHeld = phase != GroupPhase.GROUP_REHASH && !isTooSmall;
          return isHeld ? "group_assign " + PHASES.get(phase) + ", " + keys : null;
        });
  }

  /**
   * Assigns batches of the sizes, with keys drawn from a pool of some values per column; about half
   * of the times rows often have values of the row before.
   */
  private void check(List<DataType> types, int[] sizes, int distinct) {
    check(types, pools(types, distinct), sizes, random.nextBoolean() ? 0.8 : 0);
  }

  private List<List<Object>> pools(List<DataType> types, int distinct) {
    List<List<Object>> pools = new ArrayList<>();
    for (DataType type : types) {
      List<Object> pool = new ArrayList<>();
      for (int i = 0; i < distinct; i++) {
        pool.add(random.nextInt(8) == 0 ? null : batches.value(type, NullPattern.NONE));
      }
      pools.add(pool);
    }
    return pools;
  }

  private void check(List<DataType> types, List<List<Object>> pools, int[] sizes, double repeated) {
    Schema schema = RandomBatches.schemaOf(types);
    List<PhysicalType> kinds = types.stream().map(DataType::defaultPhysicalType).toList();
    Map<List<Object>, Integer> expected = new HashMap<>();
    try (GroupTable table = new GroupTable(backend(), allocator(), kinds)) {
      for (int rows : sizes) {
        try (RecordBatch batch = batch(schema, pools, rows, repeated)) {
          checkBatch(table, batch, expected);
        }
      }
    }
  }

  private RecordBatch batch(Schema schema, List<List<Object>> pools, int rows, double repeated) {
    List<ColumnVector> columns = new ArrayList<>();
    for (int i = 0; i < pools.size(); i++) {
      try (ColumnBuilder builder = ColumnBuilder.create(schema.field(i).type(), allocator())) {
        Object value = null;
        for (int row = 0; row < rows; row++) {
          if (row == 0 || repeated == 0 || random.nextDouble() >= repeated) {
            value = pools.get(i).get(random.nextInt(pools.get(i).size()));
          }
          if (value == null) {
            builder.appendNull();
          } else {
            builder.appendValue(value);
          }
        }
        columns.add(builder.build());
      }
    }
    return new RecordBatch(schema, rows, columns, 0);
  }

  private void checkBatch(
      GroupTable table, RecordBatch batch, Map<List<Object>, Integer> expected) {
    int rows = batch.rowCount();
    List<ColumnVector> keys = new ArrayList<>();
    for (int i = 0; i < batch.columnCount(); i++) {
      keys.add(batch.column(i));
    }
    List<List<Object>> values = BatchAssertions.rows(batch);
    try (MemoryBuffer groups = allocator().allocate(Math.max(1, 4L * rows))) {
      table.assign(keys, rows, groups);
      for (int row = 0; row < rows; row++) {
        List<Object> key = values.get(row).stream().map(this::normalized).toList();
        int group = expected.computeIfAbsent(key, ignored -> expected.size());
        int actual = groups.getInt(4L * row);
        if (group != actual) {
          assertEquals(group, actual, "row " + row + " of " + rows + " key " + key);
        }
      }
      if (rows < MANY / 4) { // budgets are those of other kernels
        checkHashes(table, keys, rows, groups);
      }
    }
    assertEquals(expected.size(), table.groupCount());
  }

  /** Hashes of rows are those that the table has with their groups. */
  private void checkHashes(
      GroupTable table, List<ColumnVector> keys, int rows, MemoryBuffer groups) {
    List<PhysicalType> kinds = keys.stream().map(ColumnVector::physicalType).toList();
    try (GroupHashKernel kernel = new GroupHashKernel(backend(), allocator(), kinds);
        MemoryBuffer hashes = allocator().allocate(Math.max(1, 8L * rows))) {
      kernel.hash(keys, rows, hashes);
      awaitLaunches();
      for (int row = 0; row < rows; row++) {
        long key = 8L * table.keyWords() * groups.getInt(4L * row);
        assertEquals(table.groupKeys().getLong(key), hashes.getLong(8L * row));
      }
    }
  }

  /** Nulls and zeros as grouping sees them; a list holds no null. */
  private Object normalized(Object value) {
    if (value == null) {
      return Map.of();
    }
    if (value instanceof Float f) {
      return f == 0 ? 0.0f : f;
    }
    if (value instanceof Double d) {
      return d == 0 ? 0.0 : d;
    }
    return value;
  }
}
