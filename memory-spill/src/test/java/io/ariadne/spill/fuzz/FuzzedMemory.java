package io.ariadne.spill.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.PagePool;
import io.ariadne.spill.PlanOrderEviction;
import io.ariadne.spill.SpillController;
import io.ariadne.spill.SpillStore;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillOptions.Compression;
import io.ariadne.spill.disk.DiskSpillStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A memory system drawn by chance: pool, stores, controller, and what fails in them. */
final class FuzzedMemory {
  private static final int[] KEY_BITS = {0, 0, 128, 256};

  final long limitInBytes;
  final Faults faults;
  final FaultyMemory source;
  final MemoryPool pool;

  /** Memory without a budget, for right answers. */
  final MemoryPool spare;

  final List<SpillStore> stores = new ArrayList<>();
  final SpillController controller;
  final FuzzHolders holders = new FuzzHolders();
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
    MemoryTier tier = random.nextBoolean() ? MemoryTier.HOST : MemoryTier.PINNED;
    source = new FaultyMemory(tier, limitInBytes, faults);
    pool = MemoryPools.over("fuzzed", limitInBytes, source);
    spare = MemoryPools.host("spare", 1L << 30, true);
    pageMemory = MemoryPools.host("pages", 64L << 20, true);
    int pageCount = 3 + random.nextInt(8);
    pages = new PagePool(pageMemory, PagePool.PAGE_BYTES, random.nextInt(4), pageCount);
    for (int i = random.nextInt(3); i > 0; i--) {
      stores.add(store(random, folder, limitInBytes * random.nextInt(3)));
    }
    stores.add(store(random, folder, Long.MAX_VALUE));
    double high = random.nextDouble();
    double low = high * random.nextDouble();
    controller = new SpillController(pool, List.copyOf(stores), new PlanOrderEviction(), high, low);
  }

  private SpillStore store(Random random, Path folder, long limit) {
    List<Path> directories = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      directories.add(FaultyFiles.over(folder.resolve(stores.size() + "-" + i), faults));
    }
    Compression[] when = Compression.values();
    DiskSpillOptions options =
        DiskSpillOptions.in(directories)
            .withLimit(limit)
            .withDirect(random.nextBoolean())
            .withCompression(when[random.nextInt(when.length)])
            .withEncryption(KEY_BITS[random.nextInt(KEY_BITS.length)]);
    return new DiskSpillStore(options, pages);
  }

  /** Fails when the budget is or ever was exceeded. */
  void checkBudget() {
    assertTrue(source.excess() <= 0, source.excess() + " bytes above " + pool.state());
    assertTrue(pool.allocatedBytes() <= limitInBytes, pool.state());
    assertTrue(pool.peakBytes() <= limitInBytes, pool.state());
  }

  /**
   * Checks that what is at rest gives all memory back to who wants it, and is what it was; then
   * that nothing is left. No task runs any more.
   */
  void checkAndClose() throws InterruptedException {
    faults.end();
    pool.reserve("everything", limitInBytes, 20_000).close();
    Random random = new Random(0);
    for (var holder = holders.remove(random); holder != null; holder = holders.remove(random)) {
      pool.reserve("room for one", holder.batch.bytesToReadBack(), 20_000).close();
      try (var batch = holder.batch.take(spare)) {
        holder.content.check(batch, spare);
      }
    }
    checkBudget();
    controller.close();
    assertEquals(0, pool.allocatedBytes(), pool.leakReport());
    assertEquals(0, source.openBytes(), "bytes of the source");
    pool.close();
    for (SpillStore store : stores) {
      assertEquals(0, store.storedBytes(), "bytes stored");
      store.close();
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
