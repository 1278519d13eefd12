package io.ariadne.preload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.io.PrefetchedRanges;
import io.ariadne.io.ReadAheadScan;
import io.ariadne.io.WantedRange;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.preload.ScriptedFile.ScriptedRead;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the order, the limits and the failures of reading ahead. */
@Timeout(60)
class TestPreloadExecutor {
  private static final int MIB = 1 << 20;
  private static final long FILE_BYTES = 64L * MIB;
  private static final int PATIENT = 30_000;

  private final MemoryPool pool = MemoryPools.host("preload", 64L * MIB, true);
  private final ScriptedFile file = new ScriptedFile(FILE_BYTES);
  private final Map<String, LongAdder> counters = new ConcurrentHashMap<>();
  private final AtomicInteger released = new AtomicInteger();
  private PreloadExecutor executor;
  private ReadAheadScan scan;

  private void start(PreloadConfig config) {
    executor = new PreloadExecutor("test", config, pool);
    scan = open("scan");
  }

  private ReadAheadScan open(String name) {
    return executor.open(name, key -> counters.computeIfAbsent(key, made -> new LongAdder()));
  }

  private static PreloadConfig config(long maxBytes, int requests, int strandedMillis) {
    return new PreloadConfig(maxBytes, requests, strandedMillis);
  }

  @AfterEach
  void stop() {
    scan.close();
    executor.close();
    assertTrue(executor.isTerminated(), executor::describe);
    pool.close();
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, what);
      Thread.sleep(1);
    }
  }

  /** Asserts the memory in use, but for what aligns it. */
  private void assertHeld(int mebibytes) {
    long extra = pool.allocatedBytes() - (long) mebibytes * MIB;
    assertTrue(extra >= 0 && extra < 4096, () -> pool.allocatedBytes() + " bytes are held");
  }

  private PrefetchedRanges queue(boolean isCertain, WantedRange... ranges) {
    return scan.read(file, List.of(ranges), 0, isCertain, released::incrementAndGet);
  }

  private static WantedRange mebibytes(int from, int count, int order) {
    return new WantedRange((long) from * MIB, (long) count * MIB, order);
  }

  private void assertBytes(PrefetchedRanges ranges, long position, int length) throws IOException {
    try (MemoryBuffer target = pool.allocate(length)) {
      ranges.reader().read(position, target, 0, length);
      for (int i = 0; i < length; i++) {
        assertEquals(
            ScriptedFile.byteAt(position + i), target.getByte(i), "byte " + (position + i));
      }
    }
  }

  @Test
  void servesRangesFromMemoryAndFreesThem() throws Exception {
    start(config(32L * MIB, 8, PATIENT));
    file.react(ScriptedRead::succeed);
    try (PrefetchedRanges ranges = queue(true, mebibytes(1, 2, 0), mebibytes(10, 1, 1))) {
      ranges.arrived(2).get(20, TimeUnit.SECONDS);
      assertHeld(3);
      assertBytes(ranges, MIB + 5, MIB);
      assertBytes(ranges, 10L * MIB, MIB);
      assertEquals(0, file.directReads.get());
      await("a used range is freed", () -> pool.allocatedBytes() < 3L * MIB);
      assertEquals(0, released.get());
    }
    assertEquals(1, released.get());
    assertEquals(0, pool.allocatedBytes());
  }

  @Test
  void readsTheRestOfTheFileDirectly() throws Exception {
    start(config(32L * MIB, 8, PATIENT));
    file.react(ScriptedRead::succeed);
    try (PrefetchedRanges ranges = queue(true, mebibytes(1, 1, 0), mebibytes(8, 1, 0))) {
      assertBytes(ranges, MIB / 2, 8 * MIB);
      assertEquals(2, file.directReads.get());
    }
  }

  @Test
  void readsWhatIsNeededFirst() throws Exception {
    start(config(0, 1, PATIENT));
    PrefetchedRanges first = queue(true, mebibytes(0, 1, 0));
    PrefetchedRanges second = queue(true, mebibytes(20, 1, 0));
    CompletableFuture<Void> arrived = second.arrived(1);
    await("the needed range is read", () -> file.reads.size() == 1);
    assertEquals(20L * MIB, file.reads.get(0).range.position());
    assertFalse(arrived.isDone());
    file.reads.get(0).succeed();
    arrived.get(20, TimeUnit.SECONDS);
    assertBytes(second, 20L * MIB, MIB);
    assertEquals(1, file.reads.size(), "nothing is read ahead without memory for it");
    first.close();
    second.close();
  }

  @Test
  void readsInTheOrderOfUse() throws Exception {
    start(config(32L * MIB, 1, PATIENT));
    try (PrefetchedRanges ranges =
        queue(true, mebibytes(0, 1, 7), mebibytes(30, 1, 1), mebibytes(15, 1, 3))) {
      for (int i = 0; i < 3; i++) {
        int read = i;
        await("a read starts", () -> file.reads.size() == read + 1);
        file.reads.get(i).succeed();
      }
      List<Long> order = file.reads.stream().map(read -> read.range.position() / MIB).toList();
      assertEquals(List.of(30L, 15L, 0L), order);
      ranges.arrived(8).get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void uncertainRangesWaitUntilTheyAreNeeded() throws Exception {
    start(config(32L * MIB, 8, PATIENT));
    file.react(ScriptedRead::succeed);
    PrefetchedRanges uncertain = queue(false, mebibytes(0, 1, 0), mebibytes(9, 1, 5));
    PrefetchedRanges certain = queue(true, mebibytes(40, 1, 0));
    await("the certain range is read", () -> file.reads.size() == 1);
    assertEquals(40L * MIB, file.reads.get(0).range.position());
    uncertain.arrived(3).get(20, TimeUnit.SECONDS);
    assertEquals(2, file.reads.size());
    assertBytes(uncertain, 9L * MIB, 100);
    assertEquals(0, file.directReads.get());
    uncertain.close();
    certain.close();
    assertEquals(MIB + MIB - 100L, counters.get(ReadAheadScan.WASTED_BYTES).sum() - MIB);
  }

  @Test
  void holdsNoMoreThanItsShareOfTheMemory() throws Exception {
    start(config(8L * MIB, 32, PATIENT));
    file.react(ScriptedRead::succeed);
    List<PrefetchedRanges> all = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      all.add(queue(true, mebibytes(3 * i, 1, 0)));
    }
    await("the share is used", () -> pool.allocatedBytes() > 15L * MIB / 2 - 4096);
    Thread.sleep(300); // longer than a tick
    assertTrue(pool.allocatedBytes() < 8L * MIB + 4 * 4096, () -> "" + pool.allocatedBytes());
    int reads = file.reads.size();
    assertBytes(all.get(0), 0, MIB);
    await("freed memory is used again", () -> file.reads.size() > reads);
    all.forEach(PrefetchedRanges::close);
  }

  @Test
  void readsMoreAheadAfterBytesWereNeededBeyondIt() throws Exception {
    start(config(32L * MIB, 32, PATIENT));
    file.react(ScriptedRead::succeed);
    WantedRange[] apart = new WantedRange[16];
    for (int i = 0; i < apart.length; i++) {
      apart[i] = mebibytes(3 * i, 1, i);
    }
    try (PrefetchedRanges ranges = queue(true, apart)) {
      await("the first depth is used", () -> executor.describe().contains(" 8388608 bytes held"));
      await("all have arrived", () -> executor.describe().contains(": 0 of"));
      ranges.arrived(9).get(20, TimeUnit.SECONDS);
      await("more is read ahead", () -> file.reads.size() >= 12);
    }
  }

  @Test
  void readsNothingAheadWhenMemoryIsScarce() throws Exception {
    start(config(32L * MIB, 8, PATIENT));
    file.react(ScriptedRead::succeed);
    try (MemoryBuffer operators = pool.allocate(50L * MIB);
        PrefetchedRanges ranges = queue(true, mebibytes(0, 4, 0))) {
      Thread.sleep(300); // longer than a tick
      assertEquals(0, file.reads.size());
      assertEquals(50L * MIB, operators.lengthInBytes());
      ranges.arrived(1).get(20, TimeUnit.SECONDS);
      assertBytes(ranges, 0, MIB);
      assertEquals(0, file.directReads.get());
    }
  }

  @Test
  void readsOnlyWhatIsNeededWithoutAShareOfTheMemory() throws Exception {
    start(config(0, 8, PATIENT));
    file.react(ScriptedRead::succeed);
    assertFalse(scan.mayPrepare(1, 1));
    try (PrefetchedRanges ranges = queue(true, mebibytes(1, 1, 0), mebibytes(10, 1, 1))) {
      ranges.arrived(1).get(20, TimeUnit.SECONDS);
      assertHeld(1);
      assertEquals(1, file.reads.size());
    }
  }

  @Test
  void leavesReadingToItsUserWithoutMemory() throws Exception {
    start(config(32L * MIB, 8, PATIENT));
    try (MemoryBuffer operators = pool.allocate(64L * MIB - (64 << 10));
        PrefetchedRanges ranges = queue(true, mebibytes(0, 2, 0))) {
      assertTrue(operators.lengthInBytes() > 0);
      ranges.arrived(1).get(20, TimeUnit.SECONDS);
      assertBytes(ranges, 0, 1000);
      assertEquals(1, file.directReads.get());
      assertEquals(0, file.reads.size());
    }
  }

  @Test
  void givesBytesBackWhenMemoryRunsShort() throws Exception {
    start(config(32L * MIB, 8, PATIENT));
    file.react(ScriptedRead::succeed);
    try (PrefetchedRanges ranges = queue(true, mebibytes(0, 8, 0))) {
      await("the ranges arrive", () -> pool.allocatedBytes() >= 8L * MIB);
      int reads = file.reads.size();
      try (MemoryBuffer operators = pool.allocate(60L * MIB)) {
        assertTrue(operators.lengthInBytes() > 0);
      }
      ranges.arrived(1).get(20, TimeUnit.SECONDS);
      assertBytes(ranges, 0, 8 * MIB);
      assertTrue(file.reads.size() > reads, "the ranges are read again");
    }
  }

  @Test
  void aFailureReachesOnlyTheReadThatNeedsTheBytes() throws Exception {
    start(config(32L * MIB, 8, PATIENT));
    file.react(
        read -> {
          if (read.range.position() == 20L * MIB) {
            read.fail("no such bytes");
          } else {
            read.succeed();
          }
        });
    try (PrefetchedRanges ranges = queue(true, mebibytes(0, 1, 0), mebibytes(20, 1, 1))) {
      ranges.arrived(2).get(20, TimeUnit.SECONDS);
      assertBytes(ranges, 0, MIB);
      IOException failure =
          assertThrows(IOException.class, () -> assertBytes(ranges, 20L * MIB, 10));
      assertEquals("no such bytes", failure.getMessage());
    }
  }

  @Test
  void closedRangesKeepTheirMemoryUntilTheReadEnds() throws Exception {
    start(config(32L * MIB, 8, PATIENT));
    file.react(read -> read.ignoresCancel = true);
    PrefetchedRanges ranges = queue(true, mebibytes(0, 1, 0));
    await("the read starts", () -> file.reads.size() == 1);
    ranges.close();
    ScriptedRead read = file.reads.get(0);
    assertTrue(read.isCancelled);
    assertHeld(1);
    assertEquals(0, released.get());
    read.succeed();
    assertEquals(0, pool.allocatedBytes());
    assertEquals(1, released.get());
  }

  @Test
  void sendsAStrandedRequestAgain() throws Exception {
    start(config(32L * MIB, 8, 50));
    file.react(
        read -> {
          read.ignoresCancel = true;
          if (file.reads.size() > 1) {
            read.succeed();
          }
        });
    try (PrefetchedRanges ranges = queue(true, mebibytes(0, 1, 0))) {
      ranges.arrived(1).get(20, TimeUnit.SECONDS);
      assertBytes(ranges, 0, MIB);
      assertEquals(2, file.reads.size());
      ScriptedRead stranded = file.reads.get(0);
      assertTrue(stranded.isCancelled);
      assertHeld(1); // the stranded read's
      stranded.succeed();
      assertEquals(0, pool.allocatedBytes());
    }
  }

  @Test
  void theFirstAnswerCountsWhenARequestIsSentTwice() throws Exception {
    start(config(32L * MIB, 8, 50));
    file.react(read -> read.ignoresCancel = true);
    try (PrefetchedRanges ranges = queue(true, mebibytes(0, 1, 0))) {
      await("the request is sent again", () -> file.reads.size() == 2);
      Thread.sleep(400); // two ticks
      assertEquals(2, file.reads.size());
      file.reads.get(1).fail("the second one fails");
      file.reads.get(0).succeed();
      ranges.arrived(1).get(20, TimeUnit.SECONDS);
      assertBytes(ranges, 0, MIB);
    }
  }

  @Test
  void readsInTheOrderOfPlaces() throws Exception {
    start(config(32L * MIB, 1, PATIENT));
    PrefetchedRanges first = queue(true, mebibytes(50, 1, 0));
    await("a read starts", () -> file.reads.size() == 1);
    PrefetchedRanges late = scan.read(file, List.of(mebibytes(9, 1, 0)), 7, true, () -> {});
    PrefetchedRanges soon = scan.read(file, List.of(mebibytes(5, 1, 0)), 3, true, () -> {});
    file.reads.get(0).succeed();
    await("another read starts", () -> file.reads.size() == 2);
    assertEquals(5L * MIB, file.reads.get(1).range.position());
    first.close();
    late.close();
    soon.close();
  }

  /** A split that ends early, such as one whose dictionaries match nothing, closes its ranges. */
  @Test
  void closedRangesAreNotRequested() throws Exception {
    start(config(32L * MIB, 1, PATIENT));
    PrefetchedRanges dropped =
        queue(true, mebibytes(0, 1, 0), mebibytes(10, 1, 1), mebibytes(20, 1, 2));
    PrefetchedRanges kept = queue(true, mebibytes(40, 1, 0));
    await("a read starts", () -> file.reads.size() == 1);
    assertFalse(dropped.arrived(2).isDone());
    dropped.close();
    assertTrue(file.reads.get(0).isCancelled);
    await("the next read starts", () -> file.reads.size() == 2);
    assertEquals(40L * MIB, file.reads.get(1).range.position());
    file.reads.get(1).succeed();
    kept.arrived(1).get(20, TimeUnit.SECONDS);
    assertEquals(2, file.reads.size());
    kept.close();
  }

  @Test
  void readsWhatIsNeededInTheOrderOfNeed() throws Exception {
    start(config(0, 1, PATIENT));
    PrefetchedRanges first = queue(true, mebibytes(0, 1, 0), mebibytes(10, 1, 1));
    PrefetchedRanges second = queue(true, mebibytes(20, 1, 0));
    assertFalse(first.arrived(1).isDone());
    await("a read starts", () -> file.reads.size() == 1);
    assertFalse(second.arrived(1).isDone());
    assertFalse(first.arrived(2).isDone());
    for (int i = 0; i < 3; i++) {
      int read = i;
      await("a read starts", () -> file.reads.size() == read + 1);
      file.reads.get(i).succeed();
    }
    List<Long> order = file.reads.stream().map(read -> read.range.position() / MIB).toList();
    assertEquals(List.of(0L, 20L, 10L), order);
    first.close();
    second.close();
  }

  /** Random scans over a storage that delays, fails and loses reads, in little memory. */
  @Test
  void randomScansReadTheRightBytes() throws Exception {
    long seed = Long.getLong("ariadne.test.seed", System.nanoTime());
    System.out.println("replay with -Dariadne.test.seed=" + seed);
    Random random = new Random(seed);
    start(config(16L * MIB, 6, 100));
    ScheduledExecutorService storage = Executors.newScheduledThreadPool(2);
    file.react(
        read -> {
          int dice = random.nextInt(100);
          if (dice < 3) {
            read.ignoresCancel = dice == 0;
            var unused = storage.schedule(read::succeed, 500, TimeUnit.MILLISECONDS);
          } else if (dice < 6) {
            read.fail("scripted failure");
          } else {
            var unused =
                storage.schedule(read::succeed, random.nextInt(3000), TimeUnit.MICROSECONDS);
          }
        });
    List<Thread> threads = new ArrayList<>();
    List<Throwable> problems = java.util.Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 3; i++) {
      Random own = new Random(random.nextLong());
      Thread thread =
          new Thread(
              () -> {
                try {
                  runScan(own);
                } catch (Exception | AssertionError e) {
                  problems.add(e);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    storage.shutdown();
    assertTrue(storage.awaitTermination(20, TimeUnit.SECONDS));
    assertEquals(List.of(), problems);
    await("all memory is freed", () -> pool.allocatedBytes() == 0);
  }

  private void runScan(Random random) throws Exception {
    ReadAheadScan own = open("random scan");
    for (int round = 0; round < 12; round++) {
      List<PrefetchedRanges> queued = new ArrayList<>();
      List<List<WantedRange>> wanted = new ArrayList<>();
      for (int i = random.nextInt(5); i >= 0; i--) {
        List<WantedRange> ranges = randomRanges(random);
        wanted.add(ranges);
        queued.add(own.read(file, ranges, i, random.nextInt(4) > 0, released::incrementAndGet));
      }
      for (int i = 0; i < queued.size(); i++) {
        try (PrefetchedRanges ranges = queued.get(i)) {
          use(ranges, wanted.get(i), random);
        }
      }
    }
    own.close();
  }

  private static List<WantedRange> randomRanges(Random random) {
    List<WantedRange> ranges = new ArrayList<>();
    long position = random.nextInt(4 * MIB);
    for (int i = random.nextInt(6); i >= 0; i--) {
      long length = 1L + random.nextInt(random.nextBoolean() ? 1000 : 2 * MIB);
      ranges.add(new WantedRange(position, length, i));
      position += length + random.nextInt(random.nextBoolean() ? 100 : 2 * MIB);
    }
    return ranges;
  }

  private void use(PrefetchedRanges ranges, List<WantedRange> wanted, Random random)
      throws Exception {
    for (WantedRange range : wanted) {
      if (random.nextInt(8) == 0) {
        return; // the rest is not needed
      }
      if (random.nextBoolean()) {
        ranges.arrived(range.order() + 1).get(20, TimeUnit.SECONDS);
      }
      try {
        assertBytes(ranges, range.position(), (int) Math.min(range.length(), 5000));
      } catch (IOException e) {
        assertEquals("scripted failure", e.getMessage());
        return;
      } catch (EngineException e) {
        return; // no memory for the test's own buffer
      }
    }
  }
}
