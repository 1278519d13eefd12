package io.ariadne.backend.simulated;

import static io.ariadne.columnar.testing.BatchAssertions.assertBatchEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.PagePool;
import io.ariadne.spill.SpillStore;
import io.ariadne.spill.SpillStore.Block;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillOptions.Compression;
import io.ariadne.spill.disk.DiskSpillStore;
import io.ariadne.spill.fuzz.FaultyFiles;
import io.ariadne.spill.host.DeviceBatches;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A device straight to disk and back: both take as long, and together hardly longer than one of
 * them.
 */
class TestSimulatedSpill {
  private static final Schema LONGS = RandomBatches.schemaOf(List.of(PrimitiveType.INT64));
  private static final int PAGES = 16;
  private static final int ROWS = PAGES * PagePool.PAGE_BYTES / Long.BYTES;
  private static final int LINK_MEGABYTES = 200;

  /** What a page takes on the link, too. */
  private static final long PAGE_NANOS = 5_000_000;

  private static final int ROUNDS = 5;

  @TempDir private Path folder;

  private final Lock disk = new ReentrantLock();

  @Test
  void copiesAndFileWritesOverlap() {
    MemoryPool host = MemoryPools.host("host", 256 << 20, true);
    try (SimulatedBackend backend =
            SimulatedBackend.open(new SimulatedDevice(64 << 20, LINK_MEGABYTES, 10, 1));
        MemoryPool device =
            MemoryPools.over("device", 64 << 20, backend.memory(MemoryTier.DEVICE).orElseThrow());
        MemoryPool pinned =
            MemoryPools.over("pinned", 4 << 20, backend.memory(MemoryTier.PINNED).orElseThrow());
        PagePool pages = new PagePool(pinned, PagePool.PAGE_BYTES, 0, 3);
        DiskSpillStore files = new DiskSpillStore(options(), pages, backend)) {
      DeviceBatches batches = new DeviceBatches(backend);
      try (RecordBatch batch = RandomBatches.create().batch(LONGS, ROWS, NullPattern.NONE, host);
          RecordBatch onDevice = batches.toDevice(batch, device, true)) {
        SpillStore store = files.ofDevice(host);
        long leastWriting = Long.MAX_VALUE;
        long leastReading = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
          long start = System.nanoTime();
          Block block = store.write(List.of(onDevice)).get(0);
          long written = System.nanoTime();
          try (RecordBatch back = store.read(block, device)) {
            leastReading = Math.min(leastReading, System.nanoTime() - written);
            leastWriting = Math.min(leastWriting, written - start);
            check(batch, back, batches, host);
          }
          store.delete(block);
        }
        // One after the other they take at least twice as long as one of them.
        long one = PAGES * PAGE_NANOS;
        System.out.printf(
            "device to disk %.1f ms, back %.1f ms; each part alone %.1f ms%n",
            leastWriting / 1e6, leastReading / 1e6, one / 1e6);
        assertTrue(leastWriting < one * 7 / 4, leastWriting + " ns to disk");
        assertTrue(leastReading < one * 7 / 4, leastReading + " ns back");
      }
    }
    host.close();
  }

  private static void check(
      RecordBatch expected, RecordBatch onDevice, DeviceBatches batches, MemoryPool host) {
    try (RecordBatch found = batches.toHost(onDevice, host)) {
      assertBatchEquals(expected, found);
    }
  }

  private DiskSpillOptions options() {
    Path slow = FaultyFiles.over(folder, kind -> takesTime());
    return DiskSpillOptions.in(List.of(slow)).withCompression(Compression.NEVER);
  }

  private boolean takesTime() {
    disk.lock();
    try {
      LockSupport.parkNanos(PAGE_NANOS);
    } finally {
      disk.unlock();
    }
    return false;
  }
}
