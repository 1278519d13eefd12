package io.ariadne.shuffle.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RetainedRows;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.PagePool;
import io.ariadne.spill.PlanOrderEviction;
import io.ariadne.spill.SpillController;
import io.ariadne.spill.SpillFiles;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillStore;
import io.ariadne.testing.LongTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows come out of kept map outputs as they went in, also from disk; nothing is left behind. */
class TestMapOutputs {
  private static final long LIMIT = 16 << 20;
  private static final long TARGET = 1 << 20;
  private static final int SHUFFLE = 7;
  private static final Schema LONGS =
      RandomBatches.schemaOf(List.of(PrimitiveType.INT64, PrimitiveType.INT64));
  private static final Schema TEXT =
      RandomBatches.schemaOf(List.of(PrimitiveType.STRING, PrimitiveType.INT64));

  @TempDir private Path folder;

  private final RandomBatches batches = RandomBatches.create();
  private final Random random = batches.random();
  private MemoryPool pageMemory;
  private MemoryPool pool;
  private PagePool pages;
  private DiskSpillStore disk;
  private SpillController controller;
  private MapOutputs outputs;

  @BeforeEach
  void open() {
    pageMemory = MemoryPools.host("pages", 64 << 20, true);
    pool = MemoryPools.host("host", LIMIT, true);
    pages = new PagePool(pageMemory, PagePool.PAGE_BYTES, 3, 6);
    disk = new DiskSpillStore(DiskSpillOptions.in(List.of(folder)), pages);
    controller = new SpillController(pool, List.of(disk), new PlanOrderEviction(), 0.8, 0.6);
    outputs = new MapOutputs(pool, controller);
  }

  @AfterEach
  void close() {
    assertEquals(0, outputs.runningCount());
    outputs.close();
    controller.close();
    assertEquals(0, disk.storedBytes());
    disk.close();
    pages.close();
    pageMemory.close();
    pool.close();
  }

  /** Rows by their partitions. */
  private static List<List<List<Object>>> noRows(int partitions) {
    List<List<List<Object>>> rows = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      rows.add(new ArrayList<>());
    }
    return rows;
  }

  private int[] firstRows(int rows, int partitions) {
    int[] firstRows = new int[partitions + 1];
    for (int i = 1; i < partitions; i++) {
      firstRows[i] = random.nextInt(rows + 1);
    }
    firstRows[partitions] = rows;
    Arrays.sort(firstRows);
    return firstRows;
  }

  private RecordBatch batch(Schema schema, int rows) {
    NullPattern nulls = NullPattern.values()[random.nextInt(NullPattern.values().length)];
    ColumnEncoding encoding =
        ColumnEncoding.values()[random.nextInt(ColumnEncoding.values().length)];
    return batches.batch(schema, rows, nulls, encoding, pool);
  }

  /** Writes batches of so many rows; returns the rows by partition. */
  private List<List<List<Object>>> write(
      long mapId, Schema schema, MapOutputs.Places places, int... rowCounts) {
    int partitions = places.partitions();
    List<List<List<Object>>> expected = noRows(partitions);
    try (MapOutputWriter writer = outputs.begin(SHUFFLE, mapId).write(places, TARGET)) {
      for (int rows : rowCounts) {
        RecordBatch batch = batch(schema, rows);
        int[] firstRows = firstRows(rows, partitions);
        List<List<Object>> all = BatchAssertions.rows(batch);
        for (int place = 0; place < partitions; place++) {
          expected
              .get((place + places.firstPartition()) % partitions)
              .addAll(all.subList(firstRows[place], firstRows[place + 1]));
        }
        writer.add(batch, firstRows);
      }
      assertFalse(outputs.has(SHUFFLE, mapId));
      long[] lengths = writer.commit();
      for (int i = 0; i < partitions; i++) {
        assertEquals(expected.get(i).isEmpty(), lengths[i] == 0, "partition " + i);
      }
    }
    return expected;
  }

  private static MapOutputs.Places places(int partitions) {
    return new MapOutputs.Places(partitions, 0);
  }

  private List<List<Object>> read(long mapId, int first, int end) {
    List<List<Object>> rows = new ArrayList<>();
    try (MapOutputReader reader = outputs.open(SHUFFLE, mapId, first, end)) {
      while (reader.next()) {
        try (RetainedRows held = reader.take()) {
          assertTrue(held.count() > 0);
          rows.addAll(
              BatchAssertions.rows(held.batch())
                  .subList(held.first(), held.first() + held.count()));
        }
      }
      assertEquals(rows.isEmpty(), reader.totalBytes() == 0);
    }
    return rows;
  }

  private void check(long mapId, List<List<List<Object>>> expected) {
    List<List<Object>> all = new ArrayList<>();
    for (int p = 0; p < expected.size(); p++) {
      BatchAssertions.assertRowsInOrder(expected.get(p), read(mapId, p, p + 1));
      all.addAll(expected.get(p));
    }
    int end = expected.size();
    BatchAssertions.assertRowsInAnyOrder(all, read(mapId, 0, end));
    BatchAssertions.assertRowsInOrder(List.of(), read(mapId, end / 2, end / 2));
    int from = end / 3;
    int to = (2 * end + 2) / 3;
    List<List<Object>> middle = new ArrayList<>();
    expected.subList(from, to).forEach(middle::addAll);
    BatchAssertions.assertRowsInAnyOrder(middle, read(mapId, from, to));
  }

  @Test
  void readsBackAllTypes() {
    List<DataType> types = new ArrayList<>(RandomBatches.flatTypes());
    types.addAll(RandomBatches.nestedTypes());
    types.add(PrimitiveType.NULL);
    Schema schema = RandomBatches.schemaOf(types);
    for (int run = 0; run < 12; run++) {
      int partitions = 1 + random.nextInt(9);
      MapOutputs.Places places = new MapOutputs.Places(partitions, random.nextInt(partitions));
      int[] rows = new int[random.nextInt(5)];
      int mostRows = run < 8 ? 300 : 3000;
      Arrays.setAll(rows, i -> random.nextInt(mostRows));
      check(run, write(run, schema, places, rows));
    }
    outputs.drop(SHUFFLE);
    assertEquals(0, pool.allocatedBytes());
  }

  @Test
  void readsBackManyPartitions() {
    int[] rows = new int[40];
    Arrays.setAll(rows, i -> 1 + random.nextInt(3000));
    check(1, write(1, LONGS, places(200), rows));
    check(2, write(2, TEXT, new MapOutputs.Places(200, 77), rows));
    check(3, write(3, TEXT, places(200), 1));
    check(4, write(4, LONGS, places(200)));
    assertThrows(IndexOutOfBoundsException.class, () -> outputs.open(SHUFFLE, 1, 0, 201));
    assertNull(outputs.open(SHUFFLE, 9, 0, 1));
    assertNull(outputs.open(SHUFFLE + 1, 1, 0, 1));
    assertEquals(4, outputs.count());
  }

  /** One partition's rows are more than a batch has. */
  @Test
  void readsBackLargePartitions() {
    int[] rows = new int[60];
    Arrays.fill(rows, 4000);
    check(1, write(1, LONGS, places(1), rows));
    check(2, write(2, LONGS, places(3), 20_000, 100, 20_000, 3000, 30_000));
  }

  @Test
  void readsBackRowsWithoutColumns() {
    Schema none = new Schema(List.of());
    check(1, write(1, none, places(3), 10, 200_000, 5));
  }

  /** A batch with many rows of each partition is kept without a copy, and lent without one. */
  @Test
  void retainsLargeBatchesWithoutACopy() {
    try (MapOutputWriter writer = outputs.begin(SHUFFLE, 1).write(places(2), TARGET)) {
      RecordBatch first = batches.batch(LONGS, 10_000, NullPattern.NONE, pool);
      RecordBatch second = batches.batch(LONGS, 20_000, NullPattern.NONE, pool);
      long data = first.column(0).data().address();
      long allocated = pool.allocatedBytes();
      List<List<Object>> rows = BatchAssertions.rows(first);
      writer.add(first, new int[] {0, 4000, 10_000});
      writer.add(second, new int[] {0, 1, 20_000});
      writer.commit();
      assertEquals(allocated, pool.allocatedBytes());
      RecordBatch lent;
      try (MapOutputReader reader = outputs.open(SHUFFLE, 1, 0, 2)) {
        assertTrue(reader.next());
        RetainedRows held = reader.take();
        assertSame(first, held.batch());
        assertTrue(held.areWhole());
        lent = held.lend(0);
        assertEquals(data, lent.column(0).data().address());
      }
      outputs.drop(SHUFFLE);
      BatchAssertions.assertRowsInOrder(rows, BatchAssertions.rows(lent));
      lent.close();
    }
    assertEquals(0, pool.allocatedBytes());
  }

  /** A small output that is read from memory keeps no more than it needs. */
  @Test
  void smallOutputsRetainNoLargeHeaps() {
    try (MapOutputWriter writer = outputs.begin(SHUFFLE, 1).write(places(200), TARGET);
        RecordBatch all = batches.batch(TEXT, 20_000, NullPattern.NONE, pool)) {
      List<List<Object>> expected = BatchAssertions.rows(all).subList(0, 10);
      writer.add(new RowRange(0, 10).copyOf(all, pool, 0), firstRowsOf(10));
      writer.commit();
      BatchAssertions.assertRowsInOrder(expected, read(1, 0, 200));
    }
    assertTrue(pool.allocatedBytes() < 4096, pool::state);
  }

  private static int[] firstRowsOf(int rows) {
    int[] firstRows = new int[201];
    Arrays.setAll(firstRows, i -> Math.min(i, rows));
    return firstRows;
  }

  @Test
  @LongTest
  void spillsMoreOutputsThanMemoryHolds() {
    for (int partitions : new int[] {2, 20, 200}) {
      List<List<List<List<Object>>>> expected = new ArrayList<>();
      for (int map = 0; map < 12; map++) {
        expected.add(write(map, TEXT, places(partitions), 9000, 9000, 9000, 9000));
      }
      assertTrue(controller.movedBytes() > 0);
      for (int map = 0; map < 12; map++) {
        check(map, expected.get(map));
      }
      for (int map = 0; map < 12; map++) {
        outputs.forget(SHUFFLE, map);
      }
      assertEquals(0, outputs.count());
      assertEquals(0, outputs.allocatedBytes());
      assertEquals(0, pool.allocatedBytes());
      assertEquals(0, disk.storedBytes());
    }
  }

  @Test
  void readerReadsADroppedOutputToItsEnd() {
    List<List<List<Object>>> expected = write(1, LONGS, places(5), 1000, 2000);
    int rows = 0;
    try (MapOutputReader reader = outputs.open(SHUFFLE, 1, 0, 5)) {
      outputs.drop(SHUFFLE);
      assertNull(outputs.open(SHUFFLE, 1, 0, 1));
      while (reader.next()) {
        try (RetainedRows held = reader.take()) {
          rows += held.count();
        }
      }
      assertTrue(pool.allocatedBytes() > 0);
    }
    assertEquals(0, pool.allocatedBytes());
    assertEquals(expected.stream().mapToInt(List::size).sum(), rows);
  }

  /** Rows are held beyond their reader and their shuffle. */
  @Test
  void retainedRowsOutliveTheirShuffle() {
    List<List<List<Object>>> expected = write(1, LONGS, places(1), 1000);
    RetainedRows held;
    try (MapOutputReader reader = outputs.open(SHUFFLE, 1, 0, 1)) {
      assertTrue(reader.next());
      held = reader.take();
      assertFalse(reader.next());
    }
    outputs.drop(SHUFFLE);
    BatchAssertions.assertRowsInOrder(expected.get(0), BatchAssertions.rows(held.batch()));
    held.close();
    assertEquals(0, pool.allocatedBytes());
  }

  /** An output that is forgotten may be made again, by another attempt. */
  @Test
  void forgottenOutputIsFreedAndMayBeWrittenAgain() {
    write(1, LONGS, places(5), 1000);
    outputs.forget(SHUFFLE, 1);
    outputs.forget(SHUFFLE, 5);
    outputs.forget(SHUFFLE + 1, 1);
    assertFalse(outputs.has(SHUFFLE, 1));
    assertEquals(0, outputs.allocatedBytes());
    check(2, write(2, LONGS, places(5), 1000));
  }

  @Test
  void outputsOfAShuffleMayBeReleasedAgainAfterAllWereForgotten() {
    write(1, LONGS, places(5), 1000);
    outputs.read(SHUFFLE);
    outputs.release(SHUFFLE, 1, 0, 5);
    assertTrue(outputs.has(SHUFFLE, 1, 0, 5));
    outputs.forget(SHUFFLE, 1);
    write(2, LONGS, places(5), 1000);
    outputs.release(SHUFFLE, 2, 0, 5);
    assertFalse(outputs.has(SHUFFLE, 2, 0, 5));
  }

  /** What failed, killed and late attempts wrote is freed at once. */
  @Test
  void freesOutputsOfFailedKilledAndLateAttempts() {
    try (MapOutputWriter failed = outputs.begin(SHUFFLE, 1).write(places(2), TARGET)) {
      failed.add(batch(LONGS, 50_000), new int[] {0, 20_000, 50_000});
      failed.add(batch(LONGS, 10), new int[] {0, 10, 10});
      RecordBatch other = batch(LONGS, 10);
      assertThrows(IllegalArgumentException.class, () -> failed.add(other, new int[] {0, 10}));
    }
    assertEquals(0, outputs.allocatedBytes());
    assertEquals(0, pool.allocatedBytes());
    try (MapOutputWriter late = outputs.begin(SHUFFLE, 2).write(places(2), TARGET)) {
      late.add(batch(LONGS, 10), new int[] {0, 0, 10});
      outputs.drop(SHUFFLE);
      long[] lengths = late.commit();
      assertEquals(0, lengths[0]);
      assertTrue(lengths[1] > 0);
    }
    assertFalse(outputs.has(SHUFFLE, 2));
    assertEquals(0, pool.allocatedBytes());
  }

  /** Spark removes outputs of shuffles that it may need again, and has them made again then. */
  @Test
  void droppedShuffleMayBeWrittenAgain() {
    try (MapAttempt late = outputs.begin(SHUFFLE, 3)) {
      for (long mapId : new long[] {1, 2}) {
        check(mapId, write(mapId, LONGS, places(5), 1000, 2000));
        outputs.drop(SHUFFLE);
        assertFalse(outputs.has(SHUFFLE, mapId));
        assertEquals(0, pool.allocatedBytes());
      }
      List<List<List<Object>>> expected = write(4, LONGS, places(5), 1000, 2000);
      try (MapOutputWriter writer = late.write(places(2), TARGET)) {
        writer.add(batch(LONGS, 10), new int[] {0, 5, 10});
        writer.commit();
      }
      assertFalse(outputs.has(SHUFFLE, 3), "an attempt has begun before a drop of its shuffle");
      check(4, expected);
    }
    outputs.drop(SHUFFLE);
    assertEquals(0, pool.allocatedBytes());
    assertEquals(0, outputs.allocatedBytes());
  }

  @Test
  void attemptHasOneOutput() {
    try (MapOutputWriter first = outputs.begin(SHUFFLE + 1, 1).write(places(1), TARGET);
        MapOutputWriter second = outputs.begin(SHUFFLE + 1, 1).write(places(1), TARGET)) {
      first.add(batch(LONGS, 10), new int[] {0, 10});
      second.add(batch(LONGS, 20), new int[] {0, 20});
      first.commit();
      assertThrows(IllegalStateException.class, second::commit);
    }
    assertEquals(1, outputs.count());
  }

  /** Readers of one batch share the read from disk, and count it once. */
  @Test
  void countsWhatIsReadBackOnce() {
    write(1, LONGS, places(1), 50_000);
    write(2, LONGS, places(1), 50_000);
    assertEquals(0, readBackBytes(1, 1));
    controller.makeRoom(() -> pool.allocatedBytes());
    long first = readBackBytes(1, 2);
    long second = readBackBytes(2, 1);
    assertTrue(first > 0 && second > 0);
    // Read back, they are in memory.
    assertEquals(0, readBackBytes(1, 1) + readBackBytes(2, 1));
    controller.makeRoom(() -> pool.allocatedBytes());
    assertEquals(first + second, readBackBytes(1, 1) + readBackBytes(2, 2));
  }

  /** Reads a map output with several readers side by side. */
  private long readBackBytes(long mapId, int readers) {
    try (MapOutputReader reader = outputs.open(SHUFFLE, mapId, 0, 1)) {
      while (reader.next()) {
        try (RetainedRows held = reader.take()) {
          assertTrue(held.count() > 0);
          assertEquals(0, readers == 1 ? 0 : readBackBytes(mapId, readers - 1));
        }
      }
      return reader.readBackBytes();
    }
  }

  /** Rows whose bytes on disk are damaged are no rows. */
  @Test
  void dropsAnOutputThatIsDamagedOnDisk() throws IOException {
    write(1, LONGS, places(1), 100_000);
    controller.makeRoom(() -> pool.allocatedBytes());
    assertTrue(disk.storedBytes() > 0);
    assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "files without names are not found");
    assertTrue(SpillFiles.damage(folder) > 0);
    try (MapOutputReader reader = outputs.open(SHUFFLE, 1, 0, 1)) {
      assertTrue(reader.next());
      EngineException e = assertThrows(EngineException.class, reader::take);
      assertEquals(ErrorCode.CORRUPT_DATA, e.code());
    }
  }

  /** Readers of all outputs, writers and drops at the same time, under a small memory. */
  @Test
  void readersWritersAndDropsRunConcurrently() throws Exception {
    List<List<List<List<Object>>>> expected = new ArrayList<>();
    for (int map = 0; map < 8; map++) {
      int partitions = map % 2 == 0 ? 3 : 30;
      expected.add(write(map, TEXT, places(partitions), 9000, 9000, 9000, 9000, 9000));
    }
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < 24; i++) {
        int map = i % 8;
        int shuffle = SHUFFLE + 1 + i;
        running.add(threads.submit(() -> check(map, expected.get(map))));
        running.add(
            threads.submit(
                () -> {
                  RandomBatches own = new RandomBatches(shuffle);
                  try (MapOutputWriter writer =
                      outputs.begin(shuffle, 1).write(places(2), TARGET)) {
                    for (int rows : new int[] {20_000, 5000}) {
                      RecordBatch batch = own.batch(LONGS, rows, NullPattern.NONE, pool);
                      writer.add(batch, new int[] {0, rows / 2, rows});
                    }
                    writer.commit();
                  }
                  outputs.drop(shuffle);
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      threads.shutdown();
    }
    assertEquals(8, outputs.count());
  }
}
