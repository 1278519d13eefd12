package io.ariadne.shuffle.catalog;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.PagePool;
import io.ariadne.spill.PlanOrderEviction;
import io.ariadne.spill.SpillController;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillStore;
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

/** Blocks come out of kept map outputs as they went in, also from disk; nothing is left behind. */
class TestMapOutputs {
  private static final long LIMIT = 8 << 20;
  private static final int SHUFFLE = 7;
  private static final int PARTITIONS = 5;

  @TempDir private Path folder;

  private final Random random = new Random(Long.getLong("ariadne.test.seed", 1));
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
    outputs.close();
    controller.close();
    assertEquals(0, disk.storedBytes());
    disk.close();
    pages.close();
    pageMemory.close();
    pool.close();
  }

  private byte[] content(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private void add(MapOutputWriter writer, int partition, byte[] bytes) {
    try (MemoryBuffer buffer = pool.allocate(bytes.length)) {
      buffer.putBytes(0, bytes, 0, bytes.length);
      writer.add(partition, buffer.address(), bytes.length);
    }
  }

  private List<byte[]> read(long mapId, int first, int end) {
    List<byte[]> blocks = new ArrayList<>();
    try (MapOutputReader reader = outputs.open(SHUFFLE, mapId, first, end)) {
      while (reader.next()) {
        int length = (int) reader.lengthInBytes();
        try (MemoryBuffer buffer = reader.take(pool)) {
          byte[] bytes = new byte[length];
          buffer.getBytes(0, bytes, 0, length);
          blocks.add(bytes);
        }
      }
    }
    return blocks;
  }

  /** Writes blocks and returns them by partition. */
  private List<List<byte[]>> write(long mapId, int... lengths) {
    List<List<byte[]>> blocks = new ArrayList<>();
    for (int i = 0; i < PARTITIONS; i++) {
      blocks.add(new ArrayList<>());
    }
    try (MapOutputWriter writer = outputs.write(SHUFFLE, mapId, PARTITIONS)) {
      for (int length : lengths) {
        int partition = random.nextInt(PARTITIONS - 1); // the last one has none
        byte[] bytes = content(length);
        add(writer, partition, bytes);
        blocks.get(partition).add(bytes);
      }
      assertFalse(outputs.has(SHUFFLE, mapId));
      assertArrayEquals(
          blocks.stream().mapToLong(some -> some.stream().mapToLong(b -> b.length).sum()).toArray(),
          writer.commit());
    }
    return blocks;
  }

  private static void assertBlocks(List<byte[]> expected, List<byte[]> actual) {
    assertArrayEquals(expected.toArray(), actual.toArray());
  }

  private void check(long mapId, List<List<byte[]>> expected) {
    for (int p = 0; p < PARTITIONS; p++) {
      assertBlocks(expected.get(p), read(mapId, p, p + 1));
    }
    List<byte[]> all = new ArrayList<>();
    expected.forEach(all::addAll);
    assertBlocks(all, read(mapId, 0, PARTITIONS));
    assertBlocks(List.of(), read(mapId, 2, 2));
  }

  @Test
  void testBlocksOfAnyLength() {
    int[] lengths = new int[60];
    Arrays.setAll(lengths, i -> 1 + random.nextInt(1 << (i % 20)));
    lengths[30] = 256 << 10;
    lengths[40] = (256 << 10) + 1;
    check(1, write(1, lengths));
    check(2, write(2));
    check(3, write(3, 1));
    assertThrows(
        IndexOutOfBoundsException.class, () -> outputs.open(SHUFFLE, 1, 0, PARTITIONS + 1));
    assertNull(outputs.open(SHUFFLE, 9, 0, 1));
    assertNull(outputs.open(SHUFFLE + 1, 1, 0, 1));
    assertEquals(3, outputs.count());
  }

  /** A small output takes little more memory than it has bytes. */
  @Test
  void testLastSegmentIsTrimmed() {
    write(1, 100, 200);
    assertEquals(320, outputs.allocatedBytes());
  }

  @Test
  void testMoreOutputsThanMemory() {
    List<List<List<byte[]>>> expected = new ArrayList<>();
    int[] lengths = new int[40];
    Arrays.fill(lengths, 50_000);
    for (int map = 0; map < 12; map++) {
      expected.add(write(map, lengths));
    }
    assertTrue(disk.storedBytes() > 0);
    for (int map = 0; map < 12; map++) {
      check(map, expected.get(map));
    }
    outputs.drop(SHUFFLE);
    assertEquals(0, outputs.count());
    assertEquals(0, outputs.allocatedBytes());
    assertEquals(0, disk.storedBytes());
  }

  @Test
  void testReaderKeepsWhatIsDropped() {
    List<List<byte[]>> expected = write(1, 1000, 2000, 3000);
    try (MapOutputReader reader = outputs.open(SHUFFLE, 1, 0, PARTITIONS)) {
      outputs.drop(SHUFFLE);
      assertNull(outputs.open(SHUFFLE, 1, 0, 1));
      long bytes = 0;
      while (reader.next()) {
        int length = (int) reader.lengthInBytes();
        reader.read(address -> assertTrue(address != 0));
        bytes += length;
      }
      assertEquals(6000, bytes);
      assertEquals(6000, reader.totalBytes());
      assertTrue(outputs.allocatedBytes() > 0);
    }
    assertEquals(0, outputs.allocatedBytes());
    assertEquals(3, expected.stream().mapToInt(List::size).sum());
  }

  /** A large block is read where it is, also after its reader and its shuffle are gone. */
  @Test
  void testLargeBlocksAreNotCopied() {
    byte[] bytes = content(200_000);
    try (MapOutputWriter writer = outputs.write(SHUFFLE, 1, PARTITIONS)) {
      add(writer, 0, bytes);
      writer.commit();
    }
    long before = pool.allocatedBytes();
    MemoryBuffer taken;
    try (MapOutputReader reader = outputs.open(SHUFFLE, 1, 0, 1)) {
      assertTrue(reader.next());
      taken = reader.take(pool);
    }
    assertEquals(before, pool.allocatedBytes());
    outputs.drop(SHUFFLE);
    byte[] read = new byte[bytes.length];
    taken.getBytes(0, read, 0, read.length);
    taken.close();
    assertArrayEquals(bytes, read);
    assertEquals(0, outputs.allocatedBytes());
  }

  /** An output that is forgotten may be made again, by another attempt. */
  @Test
  void testForgottenOutput() {
    write(1, 1000);
    outputs.forget(SHUFFLE, 1);
    outputs.forget(SHUFFLE, 5);
    outputs.forget(SHUFFLE + 1, 1);
    assertFalse(outputs.has(SHUFFLE, 1));
    assertEquals(0, outputs.allocatedBytes());
    check(2, write(2, 1000));
  }

  /** What failed, killed and late attempts wrote is freed at once. */
  @Test
  void testAttemptsThatDoNotCount() {
    try (MapOutputWriter failed = outputs.write(SHUFFLE, 1, PARTITIONS)) {
      add(failed, 0, content(300_000));
      add(failed, 1, content(10));
    }
    assertEquals(0, outputs.allocatedBytes());
    try (MapOutputWriter late = outputs.write(SHUFFLE, 2, PARTITIONS)) {
      add(late, 0, content(10));
      outputs.drop(SHUFFLE);
      assertArrayEquals(new long[] {10, 0, 0, 0, 0}, late.commit());
    }
    assertFalse(outputs.has(SHUFFLE, 2));
    assertEquals(0, outputs.allocatedBytes());
  }

  @Test
  void testAttemptHasOneOutput() {
    MapOutputs other = outputs;
    try (MapOutputWriter first = other.write(SHUFFLE + 1, 1, PARTITIONS);
        MapOutputWriter second = other.write(SHUFFLE + 1, 1, PARTITIONS)) {
      add(first, 0, content(10));
      add(second, 0, content(20));
      first.commit();
      assertThrows(IllegalStateException.class, second::commit);
    }
    assertEquals(1, outputs.count());
    assertEquals(64, outputs.allocatedBytes());
  }

  /** Readers of all outputs, writers and drops at the same time, under a small memory. */
  @Test
  void testThreads() throws Exception {
    List<List<List<byte[]>>> expected = new ArrayList<>();
    for (int map = 0; map < 8; map++) {
      expected.add(write(map, 300_000, 10_000, 200_000, 100_000, 90_000, 500_000));
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
                  try (MapOutputWriter writer = outputs.write(shuffle, 1, 2)) {
                    add(writer, 0, new byte[200_000]);
                    add(writer, 1, new byte[200_000]);
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
