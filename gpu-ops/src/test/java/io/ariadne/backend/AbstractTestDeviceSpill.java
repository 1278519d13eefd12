package io.ariadne.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.testing.AbstractTestOnBackend;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.PagePool;
import io.ariadne.spill.SpillSpace;
import io.ariadne.spill.SpillStore;
import io.ariadne.spill.SpillStore.Block;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillStore;
import io.ariadne.spill.host.DeviceBatches;
import io.ariadne.spill.host.HostSpillStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Batches leave a device's memory for the host and, through pinned pages, for disk, and return. */
abstract class AbstractTestDeviceSpill extends AbstractTestOnBackend {
  private static final long POOL_BYTES = 64 << 20;
  private static final int PAGES = 4;
  private static final int ROWS = 3000;
  private static final int BATCHES = 3;

  @TempDir private Path folder;

  private Schema schema;

  @BeforeEach
  void chooseTypes() {
    assumeTrue(backend != null, "no such back end here");
    List<DataType> types = new ArrayList<>(RandomBatches.flatTypes());
    types.addAll(RandomBatches.nestedTypes());
    schema = RandomBatches.schemaOf(types);
  }

  private MemoryPool poolOf(MemoryTier tier) {
    return MemoryPools.over(tier.name(), POOL_BYTES, backend.memory(tier).orElseThrow());
  }

  @Test
  void evictsToTheHostAndReadsBack() {
    try (MemoryPool host = MemoryPools.host("host", POOL_BYTES);
        MemoryPool device = poolOf(MemoryTier.DEVICE);
        HostSpillStore store =
            new HostSpillStore(host, SpillSpace.unmoved(MemoryTier.HOST), backend)) {
      roundTrip(store, host, device);
    }
  }

  @Test
  void evictsToDiskAndReadsBack() {
    try (MemoryPool host = MemoryPools.host("host", POOL_BYTES);
        MemoryPool device = poolOf(MemoryTier.DEVICE);
        MemoryPool pinned = poolOf(MemoryTier.PINNED);
        PagePool pages = new PagePool(pinned, PagePool.PAGE_BYTES, 0, PAGES);
        DiskSpillStore files =
            new DiskSpillStore(DiskSpillOptions.in(List.of(folder)), pages, backend)) {
      assertEquals(0, pinned.allocatedBytes());
      roundTrip(files.ofDevice(host), host, device);
      assertTrue(pinned.allocatedBytes() > 0, "no pages were used");
    }
  }

  private void roundTrip(SpillStore store, MemoryPool host, MemoryPool device) {
    DeviceBatches copies = new DeviceBatches(backend);
    for (ColumnEncoding encoding : ColumnEncoding.values()) {
      List<RecordBatch> originals = new ArrayList<>();
      List<RecordBatch> onDevice = new ArrayList<>();
      for (int i = 0; i < BATCHES; i++) {
        originals.add(batches.batch(schema, ROWS, NullPattern.SOME, encoding, host));
        onDevice.add(copies.toDevice(originals.get(i), device, random.nextBoolean()));
      }
      List<Block> blocks = store.write(onDevice);
      onDevice.forEach(RecordBatch::close);
      assertEquals(0, device.allocatedBytes());
      for (int i = 0; i < BATCHES; i++) {
        try (RecordBatch original = originals.get(i);
            RecordBatch back = store.read(blocks.get(i), device);
            RecordBatch found = copies.toHost(back, host)) {
          BatchAssertions.assertBatchEquals(original, found);
        }
        store.delete(blocks.get(i));
      }
    }
    assertEquals(0, store.storedBytes());
  }
}
