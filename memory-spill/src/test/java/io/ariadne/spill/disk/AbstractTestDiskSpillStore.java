package io.ariadne.spill.disk;

import static io.ariadne.columnar.testing.BatchAssertions.assertBatchEquals;
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
import io.ariadne.spill.fuzz.FaultPlan;
import io.ariadne.spill.fuzz.Faults.Kind;
import io.ariadne.spill.fuzz.FaultyFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the store on disk promises besides; a subclass says how it works. */
abstract class AbstractTestDiskSpillStore extends AbstractTestSpillStore {
  private static final Schema NUMBERS = RandomBatches.schemaOf(List.of(PrimitiveType.INT64));

  @TempDir private Path folder;

  private MemoryPool pageMemory;
  private PagePool pages;

  /** Returns the settings of the store. */
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
  void noFileHasAName() throws IOException {
    try (RecordBatch batch = random.batch(NUMBERS, 1000, NullPattern.NONE, pool())) {
      SpillStore.Block block = store.write(List.of(batch)).get(0);
      assertEquals(0, filesLeft());
      store.delete(block);
    }
  }

  @Test
  void respectsItsLimit() {
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
  void avoidsFailingDirectories() throws IOException {
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

  private DiskSpillStore over(FaultPlan... plans) {
    List<Path> directories = new ArrayList<>();
    for (FaultPlan plan : plans) {
      directories.add(FaultyFiles.over(folder.resolve("d" + directories.size()), plan));
    }
    return new DiskSpillStore(options(DiskSpillOptions.in(directories)), pages);
  }

  private RecordBatch largeBatch() {
    return random.batch(NUMBERS, 900_000, NullPattern.NONE, pool());
  }

  private void writeAndRead(DiskSpillStore other, RecordBatch batch) {
    SpillStore.Block block = other.write(List.of(batch)).get(0);
    try (RecordBatch read = other.read(block, pool())) {
      assertBatchEquals(batch, read);
    }
    other.delete(block);
    assertEquals(0, other.storedBytes());
  }

  /** The first write, and then the first read, in one directory waits for that in the other. */
  @Test
  void directoriesWorkAtTheSameTime() {
    CyclicBarrier writes = new CyclicBarrier(2);
    CyclicBarrier reads = new CyclicBarrier(2);
    FaultPlan first = meeting(writes, reads);
    FaultPlan second = meeting(writes, reads);
    try (DiskSpillStore other = over(first, second);
        RecordBatch batch = largeBatch()) {
      writeAndRead(other, batch);
    }
  }

  private static FaultPlan meeting(CyclicBarrier writes, CyclicBarrier reads) {
    AtomicBoolean hasWritten = new AtomicBoolean();
    AtomicBoolean hasRead = new AtomicBoolean();
    return kind -> {
      if (kind == Kind.WRITE && !hasWritten.getAndSet(true)) {
        meet(writes);
      }
      if (kind == Kind.READ && !hasRead.getAndSet(true)) {
        meet(reads);
      }
      return false;
    };
  }

  private static void meet(CyclicBarrier barrier) {
    try {
      barrier.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new AssertionError("only one directory is at work", e);
    }
  }

  /** While one directory is slow, pages go to the other. */
  @Test
  void slowDirectoryHoldsUpNoOther() {
    CountDownLatch written = new CountDownLatch(3);
    FaultPlan slow =
        kind -> {
          assertTrue(kind != Kind.WRITE || comes(written), "the other directory is idle");
          return false;
        };
    FaultPlan quick =
        kind -> {
          if (kind == Kind.WRITE) {
            written.countDown();
          }
          return false;
        };
    try (DiskSpillStore other = over(slow, quick);
        RecordBatch batch = largeBatch()) {
      writeAndRead(other, batch);
    }
  }

  private static boolean comes(CountDownLatch latch) {
    try {
      return latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError("a thread of the store is interrupted", e);
    }
  }

  /** A disk that gets full in the middle of a batch is left out; the batch is whole. */
  @Test
  void avoidsAFullDirectory() {
    AtomicInteger writesLeft = new AtomicInteger(1);
    AtomicInteger refused = new AtomicInteger();
    FaultPlan full =
        kind -> {
          boolean refuses = kind == Kind.WRITE && writesLeft.getAndDecrement() <= 0;
          refused.addAndGet(refuses ? 1 : 0);
          return refuses;
        };
    try (DiskSpillStore other = over(full, kind -> false);
        RecordBatch batch = largeBatch()) {
      while (refused.get() == 0) {
        writeAndRead(other, batch);
      }
      int before = refused.get();
      writeAndRead(other, batch);
      assertEquals(before, refused.get(), "pages offered to a directory that is left out");
    }
  }

  /** When no directory is left, the error names all; the store recovers when disks have space. */
  @Test
  void failsWhenAllDirectoriesAreFull() {
    AtomicBoolean isFull = new AtomicBoolean(true);
    FaultPlan full = kind -> kind == Kind.WRITE && isFull.get();
    try (DiskSpillStore other = over(full, full);
        RecordBatch batch = largeBatch()) {
      EngineException none = assertThrows(EngineException.class, () -> other.write(List.of(batch)));
      assertEquals(ErrorCode.OUT_OF_MEMORY, none.code());
      for (String name : List.of("d0", "d1")) {
        String path = folder.resolve(name).toString();
        assertTrue(none.getMessage().contains(path), none.getMessage());
      }
      assertEquals(0, other.storedBytes());
      isFull.set(false);
      writeAndRead(other, batch);
    }
  }

  /** Every byte of the file counts. */
  @Test
  void detectsDamagedBytes() throws IOException {
    DiskSpillStore disk = (DiskSpillStore) store;
    try (RecordBatch batch = random.batch(NUMBERS, 300_000, NullPattern.NONE, pool())) {
      SpillStore.Block block = disk.write(List.of(batch)).get(0);
      StoredFrames frames = disk.framesOf(block);
      long used = frames.frames().stream().mapToLong(Frame::storedBytes).sum();
      int sector = 4096;
      ByteBuffer bytes = ByteBuffer.allocateDirect(2 * sector).alignedSlice(sector).limit(sector);
      for (int i = 0; i < 20; i++) {
        long at = (long) (random.random().nextDouble() * used);
        SpillDirectory.Extent extent = frames.extents().get((int) (at / PagePool.PAGE_BYTES));
        long start = extent.offset() + at % PagePool.PAGE_BYTES / sector * sector;
        flip(extent.file(), bytes, start, (int) (at % sector));
        EngineException damaged =
            assertThrows(EngineException.class, () -> disk.read(block, pool()));
        assertEquals(ErrorCode.CORRUPT_DATA, damaged.code());
        assertTrue(damaged.getMessage().contains(folder.toString()), damaged.getMessage());
        flip(extent.file(), bytes, start, (int) (at % sector));
      }
      disk.read(block, pool()).close();
      disk.delete(block);
    }
  }

  /** A block that begins in one page and ends in the next takes one read. */
  @Test
  void joinsPagesThatAreNeighbours() {
    DiskSpillOptions all = defaults();
    DiskSpillOptions oneThread =
        new DiskSpillOptions(
            all.directories().subList(0, 1),
            all.limitInBytes(),
            all.direct(),
            all.compression(),
            all.encryptionKeyBits(),
            1,
            all.advice());
    try (DiskSpillStore disk = new DiskSpillStore(oneThread, pages);
        RecordBatch batch = random.batch(NUMBERS, 90_000, NullPattern.NONE, pool())) {
      List<SpillStore.Block> blocks = disk.write(List.of(batch, batch, batch));
      for (SpillStore.Block block : blocks) {
        assertEquals(1, disk.framesOf(block).extents().size());
        try (RecordBatch back = disk.read(block, pool())) {
          assertBatchEquals(batch, back);
        }
        disk.delete(block);
      }
      assertEquals(0, disk.storedBytes());
    }
  }

  private static void flip(SpillFile file, ByteBuffer bytes, long start, int index)
      throws IOException {
    file.read(bytes.rewind(), start);
    bytes.put(index, (byte) (bytes.get(index) ^ 1));
    file.write(bytes.rewind(), start);
  }
}
