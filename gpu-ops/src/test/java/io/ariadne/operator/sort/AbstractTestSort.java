package io.ariadne.operator.sort;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.DictionaryEncoder;
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
import io.ariadne.operator.RefusedCalls;
import io.ariadne.operator.RefusingAllocator;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkOperatorFactory;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.spill.EagerSpillSpace;
import io.ariadne.spill.SpillSpace;
import io.ariadne.testing.LongTest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The sort on a back end against {@link ReferenceOrder}: all types as keys and beside them, several
 * keys, drivers, runs and batches of any size, output drawn in splits or not.
 */
abstract class AbstractTestSort extends AbstractTestOnBackend {
  private static final int MAX_BATCHES = 8;
  private static final Schema KEYED_STRINGS =
      Schema.of(
          new Field("key", PrimitiveType.INT64, false),
          new Field("value", PrimitiveType.STRING, true));

  @TempDir private Path folder;

  /** Which allocations of a sort are refused. */
  private RefusedCalls.Plan refusing = RefusedCalls::none;

  private int repeatedCalls;
  private boolean wasRefused;

  /** The most rows of a batch where memory is refused: calls with few allocations. */
  private int mostRows = Integer.MAX_VALUE;

  /** Returns how many random cases to run. */
  protected abstract int cases();

  /** Returns the most rows of a batch. */
  protected abstract int maxRows();

  @Test
  void sortsByRandomKeys() {
    for (int i = 0; i < cases(); i++) {
      List<DataType> types = new ArrayList<>(RandomBatches.flatTypes());
      Collections.shuffle(types, random);
      types = new ArrayList<>(types.subList(0, 4));
      types.add(RandomBatches.nestedTypes().get(random.nextInt(9)));
      types.add(PrimitiveType.NULL);
      List<SortColumn> keys = new ArrayList<>();
      for (int k = 0; k <= random.nextInt(4); k++) {
        keys.add(new SortColumn(random.nextInt(4), direction()));
      }
      check(RandomBatches.schemaOf(types), keys);
    }
  }

  @Test
  void sortsEveryTypeInEveryDirection() {
    for (DataType type : RandomBatches.flatTypes()) {
      Schema schema = RandomBatches.schemaOf(List.of(type, PrimitiveType.INT64));
      check(schema, List.of(new SortColumn(0, direction())));
    }
  }

  @Test
  void keepsTheFirstRows() {
    for (int i = 0; i < cases(); i++) {
      List<DataType> types = new ArrayList<>(RandomBatches.flatTypes());
      Collections.shuffle(types, random);
      Schema schema = RandomBatches.schemaOf(types.subList(0, 3));
      List<SortColumn> keys =
          List.of(new SortColumn(0, direction()), new SortColumn(1, direction()));
      int limit = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(2 * maxRows());
      SortLimits limits = random.nextBoolean() ? SortLimits.DEFAULT : limits();
      checkFirst(schema, keys, limit, limits);
    }
  }

  private void checkFirst(Schema schema, List<SortColumn> keys, int limit, SortLimits limits) {
    List<RecordBatch> input = input(schema);
    List<List<Object>> rows = BatchAssertions.allRows(input);
    List<RecordBatch> output =
        run(new TopNOperatorFactory(schema, keys, limit, random.nextInt(maxRows()), limits), input);
    List<List<Object>> first = BatchAssertions.allRows(output);
    output.forEach(RecordBatch::close);
    Comparator<List<Object>> order = new ReferenceOrder(keys);
    rows.sort(order);
    assertEquals(Math.min(limit, rows.size()), first.size());
    for (int row = 0; row < first.size(); row++) {
      assertEquals(0, order.compare(rows.get(row), first.get(row)), "row " + row + " of " + keys);
    }
  }

  /** Each call is refused its first allocation, then its second, and so on until it succeeds. */
  @Test
  @LongTest
  void repeatsCallsThatAreRefusedMemory() {
    mostRows = 60;
    for (int i = 0; i < 2 * cases(); i++) {
      long inARow = List.of(1L, 2L, 5L, Long.MAX_VALUE).get(random.nextInt(4));
      refusing = host -> RefusedCalls.ofEachCall(host, inARow);
      checkStrings();
    }
    assertTrue(repeatedCalls > 0, "no call was repeated");
  }

  /** Sorts again and again, each time with a later allocation refused. */
  void checkWithEachRefusal(int inARow) {
    mostRows = 40;
    wasRefused = true;
    for (long granted = 0; wasRefused; granted++) {
      long grants = granted;
      refusing = host -> RefusedCalls.ofAllCalls(host, grants, inARow);
      checkStrings();
    }
  }

  /** Sorts rows with strings, or keeps the first ones, in runs that are merged several times. */
  private void checkStrings() {
    Schema schema =
        RandomBatches.schemaOf(
            List.of(PrimitiveType.INT32, PrimitiveType.STRING, PrimitiveType.STRING));
    List<SortColumn> keys = List.of(new SortColumn(0, direction()), new SortColumn(1, direction()));
    if (random.nextBoolean()) {
      check(schema, keys);
    } else {
      checkFirst(schema, keys, 1 + random.nextInt(2 * mostRows), limits());
    }
  }

  @Test
  void sortsStringsWithLongCommonPrefixes() {
    Schema schema = Schema.of(new Field("s", PrimitiveType.STRING, true));
    for (int i = 0; i < cases(); i++) {
      List<RecordBatch> input = new ArrayList<>();
      for (int b = 0; b < 3; b++) {
        input.add(prefixed(schema, 1 + random.nextInt(maxRows())));
      }
      check(schema, List.of(new SortColumn(0, direction())), input);
    }
  }

  private RecordBatch prefixed(Schema schema, int rows) {
    try (BatchBuilder builder = new BatchBuilder(schema, allocator)) {
      for (int row = 0; row < rows; row++) {
        String text = "the same for all of them, and ".repeat(random.nextInt(3));
        builder.appendRow((Object) (text + random.nextInt(20)).getBytes(StandardCharsets.UTF_8));
      }
      return builder.build(0);
    }
  }

  @Test
  void keepsCodesOfFewStringsBesideTheKeys() {
    for (int i = 0; i < cases(); i++) {
      check(
          KEYED_STRINGS,
          List.of(new SortColumn(0, direction())),
          encodedStrings(1 + random.nextInt(CommonCodes.MAX_STRINGS / 4)),
          batch -> assertNotNull(batch.column(1).dictionary(), "codes"));
    }
  }

  /** Each batch has few, all together too many. */
  @Test
  void sortsManyStringsBesideTheKeys() {
    for (int i = 0; i < cases(); i++) {
      check(
          KEYED_STRINGS,
          List.of(new SortColumn(0, direction())),
          encodedStrings(10 * CommonCodes.MAX_STRINGS));
    }
  }

  /** Returns batches each of which has a dictionary of some of so many strings. */
  private List<RecordBatch> encodedStrings(int strings) {
    DictionaryEncoder encoder = new DictionaryEncoder(random, allocator);
    List<RecordBatch> input = new ArrayList<>();
    for (int b = 1 + random.nextInt(MAX_BATCHES); b > 0; b--) {
      try (BatchBuilder builder = new BatchBuilder(KEYED_STRINGS, allocator)) {
        for (int row = 1 + random.nextInt(CommonCodes.MAX_STRINGS / 2); row > 0; row--) {
          String text = "a string that is ".repeat(random.nextInt(2)) + random.nextInt(strings);
          boolean isNull = random.nextInt(10) == 0;
          builder.appendRow(
              random.nextLong(), isNull ? null : text.getBytes(StandardCharsets.UTF_8));
        }
        input.add(encoder.encode(builder.build(0), ColumnEncoding.DICTIONARY));
      }
    }
    return input;
  }

  @Test
  void sortsRowsThatAreInOrder() {
    Schema schema = RandomBatches.schemaOf(List.of(PrimitiveType.INT64, PrimitiveType.STRING));
    List<SortColumn> keys = List.of(new SortColumn(0, direction()), new SortColumn(1, direction()));
    List<RecordBatch> sorted = run(schema, keys, input(schema));
    List<RecordBatch> again = new ArrayList<>(sorted);
    if (random.nextBoolean()) {
      Collections.reverse(again);
    }
    check(schema, keys, again);
  }

  @Test
  void sortsNoRows() {
    Schema schema = RandomBatches.schemaOf(List.of(PrimitiveType.INT64));
    assertEquals(List.of(), run(schema, List.of(new SortColumn(0, direction())), List.of()));
  }

  private SortDirection direction() {
    return new SortDirection(random.nextBoolean(), random.nextBoolean());
  }

  private List<RecordBatch> input(Schema schema) {
    List<RecordBatch> input = new ArrayList<>();
    for (int i = random.nextInt(MAX_BATCHES); i > 0; i--) {
      int rows = random.nextInt(random.nextInt(4) == 0 ? 3 : rows());
      NullPattern[] patterns = NullPattern.values();
      NullPattern nulls = patterns[random.nextInt(patterns.length)];
      input.add(batches.batch(schema, rows, nulls, ColumnEncoding.MIXED, allocator));
    }
    return input;
  }

  private void check(Schema schema, List<SortColumn> keys) {
    check(schema, keys, input(schema));
  }

  private void check(Schema schema, List<SortColumn> keys, List<RecordBatch> input) {
    check(schema, keys, input, batch -> {});
  }

  private void check(
      Schema schema, List<SortColumn> keys, List<RecordBatch> input, Consumer<RecordBatch> each) {
    List<List<Object>> expected = BatchAssertions.allRows(input);
    List<RecordBatch> output = run(schema, keys, input);
    List<List<Object>> rows = BatchAssertions.allRows(output);
    output.forEach(each);
    output.forEach(RecordBatch::close);
    Comparator<List<Object>> order = new ReferenceOrder(keys);
    for (int row = 1; row < rows.size(); row++) {
      int at = row;
      assertTrue(
          order.compare(rows.get(row - 1), rows.get(row)) <= 0,
          () -> keys + ": row " + at + " is out of order: " + rows.get(at - 1) + rows.get(at));
    }
    BatchAssertions.assertRowsInAnyOrder(expected, rows);
  }

  /** Sorts batches, which are closed, in memory or from disk. */
  private List<RecordBatch> run(Schema schema, List<SortColumn> keys, List<RecordBatch> input) {
    return run(new SortOperatorFactory(schema, keys, limits()), input);
  }

  private List<RecordBatch> run(SinkOperatorFactory factory, List<RecordBatch> input) {
    if (random.nextBoolean()) {
      return run(factory, input, SpillSpace.unmoved(MemoryTier.HOST));
    }
    try (EagerSpillSpace disk = new EagerSpillSpace(folder)) {
      return run(factory, input, disk);
    }
  }

  private int rows() {
    return Math.min(maxRows(), mostRows);
  }

  private SortLimits limits() {
    return new SortLimits(
        1 + random.nextInt(2 * rows()),
        1L << (10 + random.nextInt(16)),
        1 + random.nextInt(rows()),
        1L << (8 + random.nextInt(14)),
        1L << (8 + random.nextInt(14)),
        1 + random.nextInt(3 * rows()),
        2 + random.nextInt(6),
        1 + random.nextInt(4));
  }

  private List<RecordBatch> run(
      SinkOperatorFactory factory, List<RecordBatch> input, SpillSpace spill) {
    RefusingAllocator host = new RefusingAllocator(allocator);
    BufferAllocator kernels = kernelAllocator(backend, host);
    OperatorContext context =
        new OperatorContext(
            host,
            kernels,
            backend,
            () -> false,
            ErrorReplay.PLAIN,
            spill,
            SpillSpace.unmoved(kernels.tier()),
            2);
    List<RecordBatch> output = new ArrayList<>();
    RefusedCalls calls = refusing.on(host);
    try (SinkOperator sink = calls.create(() -> factory.create(context))) {
      List<SinkState> drivers = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        drivers.add(calls.create(sink::newLocal));
      }
      input.forEach(batch -> calls.add(drivers.get(random.nextInt(drivers.size())), batch));
      for (SinkState driver : drivers.subList(0, random.nextInt(drivers.size() + 1))) {
        calls.call(driver, driver::finish);
      }
      drivers.forEach(driver -> finishIfRefused(driver, calls));
      drivers.forEach(sink::combine);
      calls.run(sink, sink::finish);
      if (random.nextBoolean()) {
        drawSplits(sink, calls, output);
      } else {
        drawBatches(sink, calls, output);
      }
    }
    wasRefused = calls.end();
    repeatedCalls += calls.repeated();
    return output;
  }

  /** Finishes a state where memory may be refused, because combines are not repeated. */
  private void finishIfRefused(SinkState driver, RefusedCalls calls) {
    boolean isOver = !calls.refusesAllCalls();
    while (!isOver) {
      isOver = calls.call(driver, driver::finish);
    }
  }

  private static void drawBatches(SinkOperator sink, RefusedCalls calls, List<RecordBatch> output) {
    while (!sink.isFinished()) {
      RecordBatch batch = calls.call(sink, sink::getOutput);
      if (batch != null) {
        output.add(batch);
      }
    }
  }

  /** Draws splits from the last to the first, as other threads may. */
  private static void drawSplits(SinkOperator sink, RefusedCalls calls, List<RecordBatch> output) {
    try (SplitSource source = sink.takeSplits()) {
      if (source == null) {
        drawBatches(sink, calls, output);
        return;
      }
      List<Split> splits = new ArrayList<>();
      for (Split split = source.next(); split != null; split = source.next()) {
        splits.add(split);
      }
      List<List<RecordBatch>> drawn = new ArrayList<>();
      for (int i = splits.size() - 1; i >= 0; i--) {
        List<RecordBatch> own = new ArrayList<>();
        try (Split split = splits.get(i)) {
          RecordBatch batch;
          while ((batch = calls.call(split, split::next)) != null) {
            own.add(batch);
          }
        }
        drawn.add(0, own);
      }
      drawn.forEach(output::addAll);
    }
  }
}
