package io.ariadne.spill.host;

import static io.ariadne.columnar.testing.BatchAssertions.assertBatchEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Batches that go from a device to the host, whose memory is small: from there they go to disk. */
class TestHostSpillStore extends AbstractTestSpillStore {
  private static final long HOST_BYTES = 48L << 20;
  private static final Schema LONGS = RandomBatches.schemaOf(List.of(PrimitiveType.INT64));

  @TempDir private Path folder;

  private final TestingDevice engine = new TestingDevice();
  private final DeviceBatches batches = new DeviceBatches(engine);
  private MemoryPool pageMemory;
  private PagePool pages;
  private MemoryPool device;
  private MemoryPool host;
  private DiskSpillStore disk;
  private SpillController hostController;
  private HostSpillStore hosted;

  @Override
  protected SpillStore newStore() {
    openTiers(HOST_BYTES);
    return new HostBatchesOnDevice(hosted, batches, device, pool());
  }

  private void openTiers(long hostBytes) {
    pageMemory = MemoryPools.host("pages", 64L << 20, true);
    pages = new PagePool(pageMemory, PagePool.PAGE_BYTES, 3, 24);
    disk = new DiskSpillStore(DiskSpillOptions.in(List.of(folder)), pages);
    host = MemoryPools.host("host", hostBytes, true);
    hostController = new SpillController(host, List.of(disk), new PlanOrderEviction(), 0.8, 0.6);
    device = MemoryPools.over("device", 1L << 30, engine);
    hosted = new HostSpillStore(host, hostController, engine);
  }

  @Override
  protected void closeSources() {
    hosted.close();
    device.close();
    hostController.close();
    assertEquals(0, disk.storedBytes(), "bytes on disk");
    disk.close();
    host.close();
    pages.close();
    pageMemory.close();
  }

  private RecordBatch onDevice(RecordBatch batch, boolean movesHeaps) {
    return batches.toDevice(batch, device, movesHeaps);
  }

  /**
   * Parts on the host stay there and are retained, not copied; other parts return to the device.
   */
  @Test
  void partsOnTheHostStayThere() {
    Schema schema = RandomBatches.schemaOf(List.of(PrimitiveType.STRING, PrimitiveType.INT64));
    try (RecordBatch batch = random.batch(schema, 5000, NullPattern.SOME, pool());
        RecordBatch mixed = onDevice(batch, false)) {
      long before = pool().allocatedBytes();
      Block block = hosted.write(List.of(mixed)).get(0);
      assertTrue(block.memoryBytes() < 5000 * 27, block.toString());
      hostController.makeRoom(() -> disk.storedBytes() == 0 ? 1 : 0);
      assertTrue(disk.storedBytes() > 0);
      try (RecordBatch back = hosted.read(block, device);
          RecordBatch found = batches.toHost(back, pool())) {
        assertEquals(MemoryTier.DEVICE, back.column(0).data().tier());
        assertEquals(MemoryTier.HOST, back.column(0).heaps().get(0).buffer().tier());
        assertBatchEquals(batch, found);
      }
      hosted.delete(block);
      assertEquals(before, pool().allocatedBytes());
    }
  }

  /** A host full of memory that cannot be moved is a full store; nothing is left there. */
  @Test
  void failsWhenTheHostIsFull() {
    try (MemoryBuffer held = host.allocate(HOST_BYTES - (64 << 10));
        RecordBatch batch = random.batch(LONGS, 4000, NullPattern.NONE, pool());
        RecordBatch large = random.batch(LONGS, 10_000, NullPattern.NONE, pool());
        RecordBatch first = onDevice(batch, true);
        RecordBatch second = onDevice(large, true)) {
      EngineException refusal =
          assertThrows(EngineException.class, () -> hosted.write(List.of(first, second)));
      assertEquals(ErrorCode.OUT_OF_MEMORY, refusal.code());
      assertTrue(refusal.getMessage().contains("the host is full"), refusal.getMessage());
      assertEquals(held.capacityInBytes(), host.allocatedBytes());
      hosted.delete(hosted.write(List.of(first)).get(0));
    }
  }

  /** Three tiers: of sixteen parts one fits the device, two the host. */
  @Test
  void movesFromDeviceToHostToDisk() {
    closeSources();
    openTiers(2L << 20);
    MemoryPool small = MemoryPools.over("small device", 1L << 20, new TestingDevice());
    List<SpillableBatch> spillable = new ArrayList<>();
    List<RecordBatch> expected = new ArrayList<>();
    SpillController controller =
        new SpillController(small, List.of(hosted), new PlanOrderEviction(), 0.8, 0.6);
    for (int i = 0; i < 64; i++) {
      expected.add(random.batch(LONGS, 32 << 10, NullPattern.NONE, pool()));
      RecordBatch made = batches.toDevice(expected.get(i), small, true);
      spillable.add(controller.add(made, SpillPlacement.at(i, true)));
      assertTrue(small.allocatedBytes() <= small.limitInBytes());
      assertTrue(host.allocatedBytes() <= host.limitInBytes());
    }
    assertTrue(controller.movedBatches() >= 60 && disk.storedBytes() > 8 << 20);
    for (int i = 0; i < spillable.size(); i++) {
      try (RecordBatch back = spillable.get(i).take(small);
          RecordBatch found = batches.toHost(back, pool())) {
        assertBatchEquals(expected.get(i), found);
      }
      expected.get(i).close();
    }
    assertEquals(0, small.allocatedBytes());
    assertEquals(0, hosted.storedBytes());
    controller.close();
    small.close();
  }
}
