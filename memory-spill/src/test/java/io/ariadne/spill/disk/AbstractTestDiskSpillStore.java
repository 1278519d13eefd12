package io.ariadne.spill.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.PagePool;
import io.ariadne.spill.AbstractTestSpillStore;
import io.ariadne.spill.SpillStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the store on disk promises besides; a subclass says how it works. */
abstract class AbstractTestDiskSpillStore extends AbstractTestSpillStore {
  private static final Schema NUMBERS = RandomBatches.schemaOf(List.of(PrimitiveType.INT64));

  @TempDir private Path folder;

  private MemoryPool pageMemory;
  private PagePool pages;

  /** Returns how the store works. */
  abstract DiskSpillOptions options(DiskSpillOptions defaults);

  @Override
  protected final SpillStore newStore() {
    pageMemory = MemoryPools.host("pages", 64 << 20, true);
    pages = new PagePool(pageMemory, PagePool.PAGE_BYTES, 3, 12);
    return new DiskSpillStore(defaults(), pages);
  }

  private DiskSpillOptions defaults() {
    return options(DiskSpillOptions.in(List.of(folder.resolve("a"), folder.resolve("b/c"))));
  }

  @Override
  protected final void closeSources() {
    assertEquals(0, pages.lentPages());
    pages.close();
    pageMemory.close();
  }

  private long filesLeft() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).count();
    }
  }

  @Test
  void testNoFileHasAName() throws IOException {
    try (RecordBatch batch = random.batch(NUMBERS, 1000, NullPattern.NONE, pool())) {
      SpillStore.Block block = store.write(List.of(batch)).get(0);
      assertEquals(0, filesLeft());
      store.delete(block);
    }
  }

  @Test
  void testLimit() {
    try (DiskSpillStore small = new DiskSpillStore(defaults().withLimit(64 << 10), pages);
        RecordBatch batch = random.batch(NUMBERS, 3000, NullPattern.NONE, pool())) {
      SpillStore.Block first = small.write(List.of(batch)).get(0);
      SpillStore.Block second = small.write(List.of(batch)).get(0);
      EngineException full = assertThrows(EngineException.class, () -> small.write(List.of(batch)));
      assertEquals(ErrorCode.OUT_OF_MEMORY, full.code());
      assertTrue(full.getMessage().contains("65536"), full.getMessage());
      small.delete(first);
      small.delete(small.write(List.of(batch)).get(0));
      small.delete(second);
      assertEquals(0, small.storedBytes());
    }
  }

  /** One directory cannot be written any more, then none. */
  @Test
  void testFailingDirectories() throws IOException {
    try (DiskSpillStore other = new DiskSpillStore(defaults(), pages);
        RecordBatch batch = random.batch(NUMBERS, 100, NullPattern.NONE, pool())) {
      Files.delete(folder.resolve("a"));
      for (int i = 0; i < 4; i++) {
        other.delete(other.write(List.of(batch)).get(0));
      }
      Files.delete(folder.resolve("b/c"));
      EngineException none = assertThrows(EngineException.class, () -> other.write(List.of(batch)));
      assertEquals(ErrorCode.OUT_OF_MEMORY, none.code());
      assertTrue(none.getMessage().contains(folder.resolve("a").toString()), none.getMessage());
      assertTrue(none.getMessage().contains(folder.resolve("b/c").toString()), none.getMessage());
      assertEquals(0, other.storedBytes());
    }
  }

  /** Every byte of the file counts. */
  @Test
  void testDamagedBytes() throws IOException {
    DiskSpillStore disk = (DiskSpillStore) store;
    try (RecordBatch batch = random.batch(NUMBERS, 100_000, NullPattern.NONE, pool())) {
      SpillStore.Block block = disk.write(List.of(batch)).get(0);
      StoredFrames frames = disk.framesOf(block);
      long used = frames.frames().stream().mapToLong(Frame::storedBytes).sum();
      int sector = 4096;
      ByteBuffer bytes = ByteBuffer.allocateDirect(2 * sector).alignedSlice(sector).limit(sector);
      for (int i = 0; i < 20; i++) {
        long at = (long) (random.random().nextDouble() * used);
        long start = frames.extent().offset() + at / sector * sector;
        flip(frames.extent().file(), bytes, start, (int) (at % sector));
        EngineException damaged =
            assertThrows(EngineException.class, () -> disk.read(block, pool()));
        assertEquals(ErrorCode.CORRUPT_DATA, damaged.code());
        assertTrue(damaged.getMessage().contains(folder.toString()), damaged.getMessage());
        flip(frames.extent().file(), bytes, start, (int) (at % sector));
      }
      disk.read(block, pool()).close();
      disk.delete(block);
    }
  }

  private static void flip(SpillFile file, ByteBuffer bytes, long start, int index)
      throws IOException {
    file.read(bytes.rewind(), start);
    bytes.put(index, (byte) (bytes.get(index) ^ 1));
    file.write(bytes.rewind(), start);
  }
}
