package io.ariadne.spill.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.PagePool;
import io.ariadne.memory.testing.TestingDevice;
import io.ariadne.spill.PlanOrderEviction;
import io.ariadne.spill.SpillController;
import io.ariadne.spill.SpillStore;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillOptions.Compression;
import io.ariadne.spill.disk.DiskSpillStore;
import io.ariadne.spill.fuzz.Faults.Kind;
import io.ariadne.spill.host.DeviceBatches;
import io.ariadne.spill.host.HostSpillStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A memory system drawn by chance: pool, stores, controller, and what fails in them. */
final class FuzzedMemory {
  private static final int[] KEY_BITS = {0, 0, 128, 256};
  private static final int MOST_RETRY_MILLIS = 20;

  final long limitInBytes;
  final Faults faults;
  final FaultyMemory source;
  final MemoryPool pool;

  /** Memory without a budget, for right answers. */
  final MemoryPool spare;

  /** The tiers right below the memory. */
  final List<SpillStore> stores = new ArrayList<>();

  /** Those below the host, if that is below a device. */
  private final List<SpillStore> disks = new ArrayList<>();

  final SpillController controller;
  final FuzzHolders holders = new FuzzHolders();
  private final ExecutorService readers = Executors.newFixedThreadPool(2);
  private final MemoryTier tier;
  private final TestingDevice device = new TestingDevice();
  private final DeviceBatches batches = new DeviceBatches(device);

  /** Between a device and the disks; used for nothing else. */
  private final FaultyMemory hostSource;

  private MemoryPool host;
  private SpillController hostController;
  private final MemoryPool pageMemory;
  private final PagePool pages;

  /**
   * Opens everything.
   *
   * @param random what is drawn
   * @param folder where files go
   */
  FuzzedMemory(Random random, Path folder) {
    limitInBytes = (128L << 10) << random.nextInt(4);
    faults = new Faults(random, random.nextInt(4) == 0 ? 0 : 20 + random.nextInt(400));
    tier = MemoryTier.values()[random.nextInt(MemoryTier.DISK.ordinal())];
    source = new FaultyMemory(tier, limitInBytes, faults);
    pool = MemoryPools.over("fuzzed", limitInBytes, source);
    pool.retrySource(Duration.ofMillis(random.nextInt(MOST_RETRY_MILLIS)));
    spare = MemoryPools.host("spare", 1L << 30, true);
    pageMemory = MemoryPools.host("pages", 64L << 20, true);
    int pageCount = 3 + random.nextInt(8);
    pages = new PagePool(pageMemory, PagePool.PAGE_BYTES, random.nextInt(4), pageCount);
    for (int i = random.nextInt(3); i > 0; i--) {
      stores.add(store(random, folder, limitInBytes * random.nextInt(3)));
    }
    stores.add(store(random, folder, Long.MAX_VALUE));
    hostSource = new FaultyMemory(MemoryTier.HOST, limitInBytes, faults);
    if (tier == MemoryTier.DEVICE) {
      addHost(random);
    }
    controller = controller(pool, List.copyOf(stores), random);
    controller.prefetchOn(readers);
  }

  /** Puts a host of the device's size, or half of it, between the device and the disks. */
  private void addHost(Random random) {
    host = MemoryPools.over("host", limitInBytes >> random.nextInt(2), hostSource);
    host.retrySource(Duration.ofMillis(random.nextInt(MOST_RETRY_MILLIS)));
    hostController = controller(host, List.copyOf(stores), random);
    hostController.prefetchOn(readers);
    SpillStore hosted = new HostSpillStore(host, hostController, device);
    disks.addAll(stores);
    stores.clear();
    stores.add(hosted);
    if (random.nextBoolean()) {
      // The way past the host.
      disks.forEach(disk -> stores.add(((DiskSpillStore) disk).ofDevice(host)));
    }
  }

  private static SpillController controller(
      MemoryPool pool, List<SpillStore> below, Random random) {
    double high = random.nextDouble();
    double low = high * random.nextDouble();
    return new SpillController(pool, below, new PlanOrderEviction(), high, low);
  }

  /** Makes a batch in the memory; nothing stays allocated when the allocator refuses. */
  RecordBatch make(FuzzContent content, BufferAllocator allocator) {
    if (tier != MemoryTier.DEVICE) {
      return content.make(allocator);
    }
    try (RecordBatch made = content.make(spare)) {
      return batches.toDevice(made, allocator, true);
    }
  }

  /** Makes a part out of a batch in the memory that has a whole. */
  RecordBatch cut(RecordBatch whole, FuzzContent of, FuzzContent part, BufferAllocator allocator) {
    if (tier != MemoryTier.DEVICE) {
      return part.cut(whole, of, allocator);
    }
    try (RecordBatch onHost = batches.toHost(whole, spare);
        RecordBatch made = part.cut(onHost, of, spare)) {
      return batches.toDevice(made, allocator, true);
    }
  }

  /** Fails unless a batch of the memory has a content. */
  void check(FuzzContent content, RecordBatch batch) {
    if (tier != MemoryTier.DEVICE) {
      content.check(batch, spare);
      return;
    }
    try (RecordBatch onHost = batches.toHost(batch, spare)) {
      content.check(onHost, spare);
    }
  }

  private SpillStore store(Random random, Path folder, long limit) {
    List<Path> directories = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      // Of several directories one may be full from the start.
      FaultPlan plan = i > 0 && random.nextInt(4) == 0 ? kind -> kind == Kind.WRITE : faults;
      directories.add(FaultyFiles.over(folder.resolve(stores.size() + "-" + i), plan));
    }
    Compression[] when = Compression.values();
    DiskSpillOptions options =
        DiskSpillOptions.in(directories)
            .withLimit(limit)
            .withDirect(random.nextBoolean())
            .withCompression(when[random.nextInt(when.length)])
            .withEncryption(KEY_BITS[random.nextInt(KEY_BITS.length)]);
    return new DiskSpillStore(options, pages, device);
  }

  /** Fails when the budget is or ever was exceeded. */
  void checkBudget() {
    assertTrue(source.excess() <= 0, source.excess() + " bytes above " + pool.state());
    assertTrue(pool.allocatedBytes() <= limitInBytes, pool.state());
    assertTrue(pool.peakBytes() <= limitInBytes, pool.state());
    assertTrue(hostSource.excess() <= 0, hostSource.excess() + " bytes too many on the host");
  }

  /**
   * Checks that all spillable batches can leave memory and have their contents; then that nothing
   * is left. No task runs any more.
   */
  void checkAndClose() throws InterruptedException {
    faults.end();
    pool.reserve("everything", limitInBytes, 20_000).close();
    Random random = new Random(0);
    for (var holder = holders.remove(random); holder != null; holder = holders.remove(random)) {
      pool.reserve("memory for one batch", holder.batch.bytesToReadBack(), 20_000).close();
      try (var batch = holder.batch.take(tier == MemoryTier.DEVICE ? pool : spare)) {
        check(holder.content, batch);
      }
    }
    checkBudget();
    readers.shutdown();
    controller.close();
    assertEquals(0, pool.allocatedBytes(), pool.leakReport());
    assertEquals(0, source.openBytes(), "bytes of the source");
    pool.close();
    for (SpillStore store : stores) {
      assertEquals(0, store.storedBytes(), "bytes stored");
      store.close();
    }
    if (host != null) {
      hostController.close();
      assertEquals(0, host.allocatedBytes(), host.leakReport());
      host.close();
    }
    for (SpillStore disk : disks) {
      assertEquals(0, disk.storedBytes(), "bytes on disk");
      disk.close();
    }
    assertEquals(0, pages.lentPages(), "pages lent");
    pages.close();
    pageMemory.close();
    spare.close();
  }

  /** Describes the state for who looks into a test that stands still. */
  String describe() {
    return pool.state()
        + "; short of "
        + pool.shortfall()
        + (host == null ? "" : "; " + host.state())
        + "; "
        + holders.count()
        + " holders; pages lent: "
        + pages.lentPages()
        + "; "
        + controller.movedBatches()
        + " batches moved; faults: "
        + faults.count();
  }
}
