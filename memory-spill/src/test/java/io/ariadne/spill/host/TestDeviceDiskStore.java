package io.ariadne.spill.host;

import static io.ariadne.columnar.testing.BatchAssertions.assertBatchEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.memory.CopyEngine;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.PagePool;
import io.ariadne.memory.testing.TestingDevice;
import io.ariadne.spill.AbstractTestSpillStore;
import io.ariadne.spill.PlanOrderEviction;
import io.ariadne.spill.SpillController;
import io.ariadne.spill.SpillPlacement;
import io.ariadne.spill.SpillStore;
import io.ariadne.spill.SpillStore.Block;
import io.ariadne.spill.SpillableBatch;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillStore;
import io.ariadne.spill.fuzz.FaultPlan;
import io.ariadne.spill.fuzz.Faults.Kind;
import io.ariadne.spill.fuzz.FaultyFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Batches that go from a device to disk without being on the host in between. */
class TestDeviceDiskStore extends AbstractTestSpillStore {
  private static final long HOST_BYTES = 64L << 20;
  private static final Schema LONGS = RandomBatches.schemaOf(List.of(PrimitiveType.INT64));

  @TempDir private Path folder;

  private final TestingDevice engine = new TestingDevice();
  private final DeviceBatches batches = new DeviceBatches(engine);
  private MemoryPool pageMemory;
  private PagePool pages;
  private MemoryPool device;
  private MemoryPool host;
  private DiskSpillStore disk;

  @Override
  protected SpillStore newStore() {
    pageMemory = MemoryPools.host("pages", 64L << 20, true);
    pages = new PagePool(pageMemory, PagePool.PAGE_BYTES, 3, 24);
    host = MemoryPools.host("host", HOST_BYTES, true);
    device = MemoryPools.over("device", 1L << 30, engine);
    disk = open(folder, engine);
    return new HostBatchesOnDevice(disk.ofDevice(host), batches, device, pool());
  }

  private DiskSpillStore open(Path directory, CopyEngine copies) {
    return new DiskSpillStore(DiskSpillOptions.in(List.of(directory)), pages, copies);
  }

  @Override
  protected boolean storesOnlyLiveCharacters() {
    return false;
  }

  @Override
  protected void closeSources() {
    disk.close();
    device.close();
    host.close();
    assertEquals(0, pages.lentPages());
    pages.close();
    pageMemory.close();
  }

  /** Parts of the host are read back to the host, other parts to the device. */
  @Test
  void partsComeBackToWhereTheyWere() {
    Schema schema = RandomBatches.schemaOf(List.of(PrimitiveType.STRING, PrimitiveType.INT64));
    SpillStore below = disk.ofDevice(host);
    try (RecordBatch batch = random.batch(schema, 5000, NullPattern.SOME, pool());
        RecordBatch mixed = batches.toDevice(batch, device, false)) {
      Block block = below.write(List.of(mixed)).get(0);
      assertTrue(block.memoryBytes() < 5000 * 27, block.toString());
      long before = device.allocatedBytes();
      try (RecordBatch back = below.read(block, device);
          RecordBatch found = batches.toHost(back, pool())) {
        assertEquals(MemoryTier.DEVICE, back.column(0).data().tier());
        assertEquals(MemoryTier.HOST, back.column(0).heaps().get(0).buffer().tier());
        assertEquals(block.memoryBytes(), device.allocatedBytes() - before);
        assertTrue(host.allocatedBytes() > 0);
        assertBatchEquals(batch, found);
      }
      below.delete(block);
    }
  }

  /** A dictionary may be stored of the device and of the host at the same time. */
  @Test
  void storesADictionaryOfBothTiers() {
    SpillStore below = disk.ofDevice(host);
    Schema schema = RandomBatches.schemaOf(List.of(PrimitiveType.STRING));
    try (RecordBatch onHost =
            new RecordBatch(
                schema,
                500,
                List.of(
                    random.dictionaryColumn(
                        PrimitiveType.STRING,
                        PrimitiveType.STRING.defaultPhysicalType(),
                        500,
                        200,
                        NullPattern.NONE,
                        pool())),
                0);
        RecordBatch onDevice = batches.toDevice(onHost, device, true)) {
      Block first = disk.write(List.of(onHost)).get(0);
      Block second = below.write(List.of(onDevice)).get(0);
      try (RecordBatch back = below.read(second, device);
          RecordBatch found = batches.toHost(back, pool());
          RecordBatch other = disk.read(first, pool())) {
        assertEquals(MemoryTier.DEVICE, back.column(0).dictionary().entries().data().tier());
        assertEquals(MemoryTier.HOST, other.column(0).dictionary().entries().data().tier());
        assertBatchEquals(onHost, found);
        assertBatchEquals(onHost, other);
      }
      disk.delete(first);
      below.delete(second);
    }
  }

  /** While a page is written, the next one is copied from the device. */
  @Test
  void copiesAndWritesOverlap() {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch copied = new CountDownLatch(1);
    FaultPlan plan =
        kind -> {
          if (kind == Kind.WRITE) {
            begun.countDown();
            assertTrue(comes(copied), "nothing is copied while a page is written");
          }
          return false;
        };
    CopyEngine copies =
        new CopyEngine() {
          @Override
          public void write(long source, MemoryBuffer target, long offset, long length) {
            engine.write(source, target, offset, length);
          }

          @Override
          public void read(MemoryBuffer source, long offset, long target, long length) {
            if (offset > 0) {
              assertTrue(comes(begun), "nothing is written yet");
              copied.countDown();
            }
            engine.read(source, offset, target, length);
          }
        };
    try (DiskSpillStore slow = open(FaultyFiles.over(folder.resolve("slow"), plan), copies);
        RecordBatch batch = random.batch(LONGS, 500_000, NullPattern.NONE, pool());
        RecordBatch onDevice = batches.toDevice(batch, device, true)) {
      SpillStore below = slow.ofDevice(host);
      Block block = below.write(List.of(onDevice)).get(0);
      try (RecordBatch back = below.read(block, device);
          RecordBatch found = batches.toHost(back, pool())) {
        assertBatchEquals(batch, found);
      }
      below.delete(block);
    }
  }

  private static boolean comes(CountDownLatch latch) {
    try {
      return latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** All of the host is in use and may not move: batches of the device go to disk all the same. */
  @Test
  void bypassesAFullHost() {
    MemoryBuffer held = host.allocate(HOST_BYTES);
    SpillController hostController =
        new SpillController(host, List.of(disk), new PlanOrderEviction(), 0.8, 0.6);
    HostSpillStore hosted = new HostSpillStore(host, hostController, engine);
    MemoryPool small = MemoryPools.over("small device", 1L << 20, engine);
    SpillController controller =
        new SpillController(
            small, List.of(hosted, disk.ofDevice(host)), new PlanOrderEviction(), 0.8, 0.6);
    List<SpillableBatch> spillable = new ArrayList<>();
    List<RecordBatch> expected = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      expected.add(random.batch(LONGS, 32 << 10, NullPattern.NONE, pool()));
      RecordBatch made = batches.toDevice(expected.get(i), small, true);
      spillable.add(controller.add(made, SpillPlacement.at(i, true)));
    }
    assertTrue(controller.movedBatches() >= 12, controller.movedBatches() + " moved");
    assertEquals(0, hosted.storedBytes());
    assertEquals(HOST_BYTES, host.peakBytes());
    for (int i = 0; i < spillable.size(); i++) {
      try (RecordBatch back = spillable.get(i).take(small);
          RecordBatch found = batches.toHost(back, pool())) {
        assertBatchEquals(expected.get(i), found);
      }
      expected.get(i).close();
    }
    controller.close();
    small.close();
    hosted.close();
    hostController.close();
    held.close();
  }
}
