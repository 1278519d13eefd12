package io.ariadne.io.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.io.ByteRangeReader;
import io.ariadne.spill.fuzz.FaultPlan;
import io.ariadne.spill.fuzz.Faults;
import io.ariadne.spill.fuzz.FaultyFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Directories: their sharing, their limit, their owners, and disks that fail. */
class TestCacheDirectories extends RangeCacheFixture {
  @Override
  RangeCacheConfig config(RangeCacheConfig plain) {
    return plain;
  }

  /** Two processes' worth of caches on the same two disks: the limit holds for both together. */
  @Test
  void cachesShareDirectoriesAndTheirLimit() throws Exception {
    long limit = 1_500_000;
    List<Path> both = List.of(folder.resolve("one"), folder.resolve("two"));
    RangeCacheConfig shared = in("one", 2 * limit).withDirectories(both);
    AtomicBoolean ended = new AtomicBoolean();
    ExecutorService watcher = Executors.newSingleThreadExecutor();
    try (RangeCache first = open(shared);
        RangeCache second = open(shared)) {
      Future<Long> most =
          watcher.submit(
              () -> {
                long seen = 0;
                while (!ended.get()) {
                  for (Path each : both) {
                    seen = Math.max(seen, bytesIn(each.resolve("objects")));
                  }
                }
                return seen;
              });
      readAtRandom(List.of(first, second), files(6), 60);
      settle(first);
      settle(second);
      ended.set(true);
      long seen = most.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertTrue(seen <= limit, seen + " bytes");
      assertTrue(seen > limit / 2, seen + " bytes");
      long evicted = first.counters().evictions().sum() + second.counters().evictions().sum();
      assertTrue(evicted > 0, "nothing was evicted");
    } finally {
      ended.set(true);
      watcher.shutdown();
    }
  }

  private static long bytesIn(Path place) throws IOException {
    long sum = 0;
    for (Path file : snapshot(place)) {
      try {
        sum += Files.size(file);
      } catch (IOException e) {
        // Evicted since it was listed.
      }
    }
    return sum;
  }

  private static List<Path> snapshot(Path place) {
    for (int i = 0; ; i++) {
      try {
        return filesIn(place);
      } catch (IOException | java.io.UncheckedIOException e) {
        assertTrue(i < 1000, "the folder changes all the time");
      }
    }
  }

  @Test
  void foreignEntriesAreDeleted() throws IOException {
    TestingStorage file = new TestingStorage("a", 1000, 6);
    try (RangeCache cache = open()) {
      try (ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
        check(file, reader, 0, 1000);
      }
      settle(cache);
      Path cached = filesIn(folder.resolve("cache/objects")).get(0);
      Path garbage = Files.write(cached.resolveSibling("garbage"), new byte[random.nextInt(5000)]);
      Path secret = Files.write(folder.resolve("secret"), new byte[10]);
      Path link = Files.createSymbolicLink(cached.resolveSibling("link"), secret);
      try (RangeCache other = open();
          ByteRangeReader reader = other.wrap(file.reader(), file.address)) {
        check(file, reader, 0, 1000);
        settle(other);
        assertEquals(2, other.counters().corruptFiles().sum());
      }
      assertFalse(Files.exists(garbage));
      assertFalse(Files.exists(link, LinkOption.NOFOLLOW_LINKS));
      assertTrue(Files.exists(secret));
      assertEquals(1, file.requests.get());
    }
  }

  @Test
  void vanishedFilesAreMisses() throws IOException {
    TestingStorage file = new TestingStorage("a", LENGTH, 7);
    try (RangeCache cache = open();
        ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
      check(file, reader, 0, LENGTH);
      settle(cache);
      for (Path cached : filesIn(folder.resolve("cache/objects"))) {
        Files.delete(cached);
      }
      check(file, reader, 0, LENGTH);
      settle(cache);
      CacheFolders.deleteTree(folder.resolve("cache"));
      check(file, reader, 0, LENGTH);
      settle(cache);
      check(file, reader, 0, 10);
      int requests = file.requests.get();
      settle(cache);
      check(file, reader, 0, 10);
      assertEquals(requests, file.requests.get(), "the directory is not made again");
    }
  }

  /** No read waits for a disk that does not write; what does not fit into memory is dropped. */
  @Test
  void readsDoNotWaitForWrites() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    AtomicBoolean isSlow = new AtomicBoolean();
    FaultPlan slow =
        kind -> {
          if (kind == Faults.Kind.WRITE && isSlow.get()) {
            try {
              assertTrue(released.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          }
          return false;
        };
    TestingStorage file = new TestingStorage("a", LENGTH, 12);
    Path disk = FaultyFiles.over(folder.resolve("cache"), slow);
    try (RangeCache cache = open(in("cache", LARGE).withDirectories(List.of(disk)));
        ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
      settle(cache);
      isSlow.set(true);
      for (int i = 0; i < 5; i++) {
        check(file, reader, 0, LENGTH);
      }
      assertTrue(cache.counters().droppedWrites().sum() > 0);
      released.countDown();
      settle(cache);
      check(file, reader, 0, LENGTH / 2);
      assertTrue(cache.counters().bytesWritten().sum() > 0);
    } finally {
      released.countDown();
    }
  }

  @Test
  void failingDisksFailNoRead() throws Exception {
    for (Faults.Kind kind : List.of(Faults.Kind.OPEN, Faults.Kind.WRITE, Faults.Kind.READ)) {
      AtomicBoolean isBroken = new AtomicBoolean();
      Path name = folder.resolve("disk-" + kind);
      Path disk = FaultyFiles.over(name, each -> each == kind && isBroken.get());
      TestingStorage file = new TestingStorage("a", LENGTH, 13);
      try (RangeCache cache = open(in("cache", LARGE).withDirectories(List.of(disk)))) {
        try (ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
          check(file, reader, 0, 100_000);
          settle(cache);
          isBroken.set(true);
          for (int i = 0; i < 5; i++) {
            check(file, reader, 0, 100_000);
            check(file, reader, 200_000 + 200_000 * i, 100_000);
            settle(cache);
          }
        }
        await(() -> !cache.directories().get(0).isUsable());
        isBroken.set(false);
      }
      assertEquals(List.of(), filesIn(name.resolve("writing")));
    }
  }

  private static void await(java.util.function.BooleanSupplier condition)
      throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "it does not happen");
      Thread.sleep(1);
    }
  }

  /** Disks that fail now and then: each read is right, and no file is left half written. */
  @Test
  void rareFailuresFailNoRead() throws Exception {
    Faults faults = new Faults();
    Path disk = FaultyFiles.over(folder.resolve("cache"), faults);
    try (RangeCache cache = open(in("cache", 6_000_000).withDirectories(List.of(disk)))) {
      settle(cache);
      faults.begin(new Random(random.nextLong()), 60, Integer.MAX_VALUE);
      readAtRandom(List.of(cache), files(3), 40);
      assertTrue(faults.count() > 0);
      faults.end();
    }
  }

  @Test
  void keepsTheDiskFree() throws IOException {
    TestingStorage file = new TestingStorage("a", LENGTH, 14);
    RangeCacheConfig config = in("cache", LARGE);
    try (RangeCache cache = open(config);
        ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
      check(file, reader, 0, 100_000);
      settle(cache);
    }
    try (RangeCache cache = open(config.withMinFree(Long.MAX_VALUE / 2));
        ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
      check(file, reader, 500_000, 100_000);
      settle(cache);
      assertEquals(1, cache.counters().evictions().sum());
      assertEquals(1, cache.counters().droppedWrites().sum());
      assertEquals(List.of(), filesIn(folder.resolve("cache/objects")));
    }
  }

  @Test
  void evictsWhatWasNotUsedForLongest() throws IOException {
    try (RangeCache cache = open(in("cache", 1_000_000))) {
      List<TestingStorage> files = new ArrayList<>();
      for (int i = 0; i < 9; i++) {
        files.add(new TestingStorage("f" + i, 100_000, i));
        readWhole(cache, files.get(i));
      }
      long old = System.currentTimeMillis() - TimeUnit.HOURS.toMillis(1);
      for (Path each : filesIn(folder.resolve("cache/objects"))) {
        Files.setLastModifiedTime(each, FileTime.fromMillis(old));
      }
      readWhole(cache, files.get(3));
      TestingStorage large = new TestingStorage("large", 700_000, 20);
      readWhole(cache, large);
      readWhole(cache, files.get(3));
      readWhole(cache, large);
      assertEquals(1, files.get(3).requests.get());
      assertEquals(1, large.requests.get());
      assertTrue(cache.counters().evictions().sum() >= 6);
    }
  }

  @Test
  void deletesWhatEndedProcessesHaveLeft() throws IOException {
    open().close();
    FileTime old = FileTime.fromMillis(System.currentTimeMillis() - TimeUnit.HOURS.toMillis(1));
    Path ledger = Files.write(folder.resolve("cache/ledgers/dead"), new byte[7]);
    Path half = Files.write(folder.resolve("cache/writing/dead-5"), new byte[100_000]);
    Path young = Files.write(folder.resolve("cache/writing/alive-1"), new byte[100]);
    Files.setLastModifiedTime(ledger, old);
    Files.setLastModifiedTime(half, old);
    try (RangeCache cache = open()) {
      settle(cache);
      assertFalse(Files.exists(ledger));
      assertFalse(Files.exists(half));
      assertTrue(Files.exists(young));
    }
    Files.delete(young);
  }

  @Test
  void lastProcessDeletesTheDirectory() throws IOException {
    TestingStorage file = new TestingStorage("a", 1000, 15);
    RangeCacheConfig config = in("cache", LARGE).withDeletion(true);
    RangeCache first = open(config);
    try (RangeCache second = open(config)) {
      readWhole(first, file);
      settle(second);
      first.close();
      readWhole(second, file);
      assertEquals(1, file.requests.get());
    }
    assertFalse(Files.exists(folder.resolve("cache")));
  }

  @Test
  void onlyThisUserMayRead() throws IOException {
    try (RangeCache cache = open()) {
      readWhole(cache, new TestingStorage("a", 1000, 16));
      try (Stream<Path> all = Files.walk(folder.resolve("cache"))) {
        for (Path each : all.toList()) {
          String expected = Files.isDirectory(each) ? "rwx------" : "rw-------";
          assertEquals(
              expected, PosixFilePermissions.toString(Files.getPosixFilePermissions(each)));
        }
      }
    }
  }

  @Test
  void refusesDirectoriesOfOthers() throws IOException {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Files.createSymbolicLink(folder.resolve("link"), elsewhere);
    Files.write(folder.resolve("file"), new byte[1]);
    Path others = Files.createDirectory(folder.resolve("others"));
    List<String> names = new ArrayList<>(List.of("link", "file"));
    if (Files.getAttribute(others, "unix:uid").equals(0)) {
      Files.setAttribute(others, "unix:uid", 12345);
      names.add("others");
    }
    for (String name : names) {
      TestingStorage file = new TestingStorage("a", 1000, 17);
      try (RangeCache cache = open(in(name, LARGE))) {
        assertEquals(List.of(), cache.directories());
        readWhole(cache, file);
        readWhole(cache, file);
        assertEquals(2, file.requests.get());
      }
    }
    assertEquals(List.of(), filesIn(elsewhere));
    assertEquals(List.of(), filesIn(others));
  }

  @Test
  void localFilesAreNotWrapped() throws IOException {
    TestingStorage file = new TestingStorage("a", 10, 20);
    try (RangeCache cache = open();
        ByteRangeReader reader = file.reader()) {
      assertEquals(reader, cache.wrap(reader, java.net.URI.create("file:///a")));
    }
  }

  @Test
  void namesTellNothing() throws IOException {
    try (RangeCache cache = open()) {
      TestingStorage file = new TestingStorage("payroll.parquet", 1000, 21);
      readWhole(cache, file);
      for (Path each : filesIn(folder.resolve("cache"))) {
        assertFalse(each.toString().contains("payroll"), each.toString());
        assertFalse(each.toString().contains("bucket"), each.toString());
      }
    }
  }

  /** Another JVM reads and writes the same directory while this one does, and leaves its files. */
  @Test
  void processesShareDirectories() throws Exception {
    Path disk = folder.resolve("cache");
    try (RangeCache cache = open(in("cache", CacheProcess.LIMIT))) {
      Process other = CacheProcess.start(disk, 80);
      try {
        for (int i = 0; other.isAlive(); i++) {
          readWhole(cache, CacheProcess.file(1 + i % (CacheProcess.FILES - 1)));
          assertTrue(bytesIn(disk.resolve("objects")) <= CacheProcess.LIMIT);
        }
      } finally {
        CacheProcess.end(other);
      }
      CacheProcess.end(CacheProcess.start(disk, 0));
      TestingStorage last = CacheProcess.file(0);
      readWhole(cache, last);
      assertEquals(0, last.requests.get(), "what the other process has cached is not found");
      assertEquals(0, cache.counters().corruptFiles().sum());
      assertTrue(cache.counters().evictions().sum() > 0);
    }
  }
}
