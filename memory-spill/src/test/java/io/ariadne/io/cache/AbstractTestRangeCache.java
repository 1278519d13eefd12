package io.ariadne.io.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.PendingRead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** What readers of a cache promise; a subclass says how bytes are stored. */
abstract class AbstractTestRangeCache extends RangeCacheFixture {
  @Test
  void readsRepeatWithoutRequests() throws IOException {
    TestingStorage file = new TestingStorage("a", LENGTH, 1);
    try (RangeCache cache = open();
        ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
      check(file, reader, 1000, 500_000);
      check(file, reader, LENGTH - 70_000, 70_000);
      settle(cache);
      assertEquals(2, file.requests.get());
      check(file, reader, 1000, 500_000);
      check(file, reader, 1000 + 64 * 1024, 64 * 1024);
      check(file, reader, 99_999, 1);
      check(file, reader, LENGTH - 1, 1);
      assertEquals(2, file.requests.get());
      assertEquals(4, cache.counters().hits().sum());
      assertEquals(2, cache.counters().misses().sum());
      assertEquals(570_000, cache.counters().bytesFromStorage().sum());
    }
    try (RangeCache again = open();
        ByteRangeReader reader = again.wrap(file.reader(), file.address)) {
      check(file, reader, 1000, 500_000);
      assertEquals(2, file.requests.get());
    }
  }

  /** One part of each range at most comes from the storage, and never more than was asked for. */
  @Test
  void needsNoMoreRequestsThanWithoutCache() throws IOException {
    TestingStorage file = new TestingStorage("a", LENGTH, 2);
    try (RangeCache cache = open();
        ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
      for (int i = 0; i < 60; i++) {
        List<ByteRange> ranges = draw(random, LENGTH, target);
        int requests = file.requests.get();
        long bytes = file.bytes.get();
        readSomehow(random, reader, ranges, Runnable::run);
        checkAll(file.content(), ranges);
        assertTrue(file.requests.get() - requests <= ranges.size());
        long asked = ranges.stream().mapToLong(ByteRange::length).sum();
        assertTrue(file.bytes.get() - bytes <= asked, "bytes that were not asked for");
        settle(cache);
        requests = file.requests.get();
        readSomehow(random, reader, ranges, Runnable::run);
        checkAll(file.content(), ranges);
        assertEquals(requests, file.requests.get(), "requests for what is cached");
      }
      assertEquals(0, cache.counters().corruptFiles().sum());
    }
  }

  @Test
  void joinsWhatIsMissingInRangesWithoutGap() throws IOException {
    TestingStorage file = new TestingStorage("a", LENGTH, 3);
    try (RangeCache cache = open();
        ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
      check(file, reader, 100, 100);
      settle(cache);
      List<ByteRange> touching =
          List.of(
              new ByteRange(0, target, 0, 100),
              new ByteRange(100, target, 100, 100),
              new ByteRange(200, target, 200, 100));
      ObjectIndex index = cache.indexOf(cache.keyOf(file.address, reader), true);
      assertEquals(touching, new ReadPlan(index, touching, 0).missing());
      List<ByteRange> apart = List.of(touching.get(0), new ByteRange(101, target, 100, 99));
      assertEquals(List.of(touching.get(0)), new ReadPlan(index, apart, 0).missing());
    }
  }

  @Test
  void readsEqualTheFileWhateverIsCached() throws Exception {
    try (RangeCache cache = open(in("cache", 3_000_000))) {
      readAtRandom(List.of(cache), files(5), 60);
      settle(cache);
      assertTrue(cache.counters().hits().sum() > 0);
      assertTrue(cache.counters().evictions().sum() > 0, "nothing was evicted");
      assertEquals(0, cache.counters().corruptFiles().sum());
    }
  }

  /** What one cache has written, another one reads, even if it looked before. */
  @Test
  void cachesReadEachOthersFiles() throws IOException {
    TestingStorage file = new TestingStorage("a", LENGTH, 4);
    try (RangeCache first = open();
        RangeCache second = open();
        ByteRangeReader writer = first.wrap(file.reader(), file.address)) {
      second.wrap(file.reader(), file.address).close();
      check(file, writer, 5, 300_000);
      settle(first);
      try (ByteRangeReader reader = second.wrap(file.reader(), file.address)) {
        check(file, reader, 6, 100_000);
      }
      assertEquals(1, file.requests.get());
      assertEquals(1, second.counters().hits().sum());
    }
  }

  /** Every damaged file is a miss; sampled over all of its bytes. */
  @Test
  void damagedFilesAreMisses() throws IOException {
    TestingStorage file = new TestingStorage("a", 200_000, 5);
    try (RangeCache cache = open()) {
      for (int i = 0; i < 120; i++) {
        readTwoRanges(cache, file);
        settle(cache);
        List<Path> all = filesIn(folder.resolve("cache/objects"));
        Path cached = all.get(random.nextInt(all.size()));
        damage(cached, i);
        int requests = file.requests.get();
        long corrupt = cache.counters().corruptFiles().sum();
        if (i % 2 == 0) {
          readTwoRanges(cache, file);
        } else {
          try (RangeCache other = open()) {
            readTwoRanges(other, file);
            settle(other);
            corrupt -= other.counters().corruptFiles().sum();
          }
        }
        assertTrue(file.requests.get() > requests, "damage was not seen in round " + i);
        settle(cache);
        assertTrue(cache.counters().corruptFiles().sum() > corrupt, "not counted");
        assertFalse(Files.exists(cached), "damaged file was not deleted");
      }
    }
  }

  private void readTwoRanges(RangeCache cache, TestingStorage file) throws IOException {
    try (ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
      List<ByteRange> ranges =
          List.of(
              new ByteRange(10, target, 0, 66_000), new ByteRange(90_000, target, 70_000, 100_000));
      reader.readAll(ranges);
      checkAll(file.content(), ranges);
    }
  }

  private void damage(Path file, int round) throws IOException {
    int size = (int) Files.size(file);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      if (round % 5 == 4) {
        channel.truncate(random.nextInt(size));
        return;
      }
      // Who has read the header already does not read it again.
      int from = round % 2 == 0 ? 200 : 0;
      int at = from + random.nextInt(size - from);
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, at);
      one.put(0, (byte) (one.get(0) ^ (1 << random.nextInt(8))));
      channel.write(one.flip(), at);
      if (round % 7 == 0) {
        channel.write(ByteBuffer.allocate(100), size);
      }
    }
  }

  @Test
  void replacedFilesAreReadAnew() throws IOException {
    TestingStorage file = new TestingStorage("a", LENGTH, 8);
    try (RangeCache cache = open()) {
      for (int i = 0; i < 4; i++) {
        try (ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
          check(file, reader, 77, 100_000);
          settle(cache);
          check(file, reader, 77, 100_000);
        }
        assertEquals(i + 1, file.requests.get());
        file.replace(LENGTH, random.nextLong(), "version " + i);
      }
    }
  }

  @Test
  void modificationTimesIdentifyFilesWithoutVersion() throws IOException {
    TestingStorage file = new TestingStorage("a", LENGTH, 9).identifiedByTime(1_000_000, false);
    try (RangeCache cache = open()) {
      for (int i = 0; i < 3; i++) {
        try (ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
          check(file, reader, 1, 1000);
          settle(cache);
          check(file, reader, 1, 1000);
        }
        assertEquals(i + 1, file.requests.get());
        file.replace(LENGTH, random.nextLong(), "");
        file.identifiedByTime(2_000_000 + i, false);
      }
      file.identifiedByTime(System.currentTimeMillis(), false);
      assertIsNotCached(cache, file);
      file.identifiedByTime(ByteRangeReader.UNKNOWN_TIME, false).withoutVersion();
      assertIsNotCached(cache, file);
    }
  }

  private void assertIsNotCached(RangeCache cache, TestingStorage file) throws IOException {
    int requests = file.requests.get();
    try (ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
      check(file, reader, 1, 1000);
      settle(cache);
      check(file, reader, 1, 1000);
    }
    assertEquals(requests + 2, file.requests.get());
  }

  /** A file is replaced under an old listing: cached and new bytes are never mixed. */
  @Test
  void cachedBytesAreNotMixedWithThoseOfAnotherVersion() throws IOException {
    TestingStorage file = new TestingStorage("a", LENGTH, 10).identifiedByTime(1_000_000, true);
    try (RangeCache cache = open()) {
      try (ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
        check(file, reader, 0, 1000);
      }
      settle(cache);
      file.replace(LENGTH, random.nextLong(), "other");
      try (ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
        reader.read(0, target, 0, 1000);
        IOException changed =
            assertThrows(IOException.class, () -> reader.read(5000, target, 0, 1000));
        assertTrue(changed.getMessage().contains(file.address.toString()), changed.getMessage());
      }
      settle(cache);
      try (ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
        check(file, reader, 0, 1000);
        check(file, reader, 5000, 1000);
      }
    }
  }

  @Test
  void versionMayBeKnownLate() throws IOException {
    TestingStorage file =
        new TestingStorage("a", LENGTH, 11).identifiedByTime(ByteRangeReader.UNKNOWN_TIME, true);
    try (RangeCache cache = open();
        ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
      check(file, reader, 0, 1000);
      settle(cache);
      check(file, reader, 0, 1000);
      assertEquals(1, file.requests.get());
    }
  }

  @Test
  void failedReadsOfTheStorageAreTheReaders() throws IOException {
    TestingStorage file = new TestingStorage("a", LENGTH, 18);
    try (RangeCache cache = open();
        ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
      assertThrows(IOException.class, () -> reader.read(LENGTH - 5, target, 0, 10));
      assertThrows(IOException.class, () -> reader.read(-1, target, 0, 10));
      List<ByteRange> outside = List.of(new ByteRange(LENGTH, target, 0, 1));
      PendingRead failed = reader.start(outside, Runnable::run);
      assertThrows(IOException.class, () -> join(failed));
      settle(cache);
      assertEquals(List.of(), filesIn(folder.resolve("cache/objects")));
    }
  }

  @Test
  void cancelledReadsEnd() throws IOException {
    TestingStorage file = new TestingStorage("a", LENGTH, 19);
    try (RangeCache cache = open();
        ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
      check(file, reader, 0, 100_000);
      settle(cache);
      List<Runnable> waiting = new ArrayList<>();
      PendingRead both =
          reader.start(List.of(new ByteRange(50_000, target, 0, 200_000)), waiting::add);
      both.cancel();
      assertFalse(both.completion().isDone());
      waiting.forEach(Runnable::run);
      ExecutionException cancelled =
          assertThrows(
              ExecutionException.class,
              () ->
                  both.completion()
                      .handle((nothing, thrown) -> thrown)
                      .thenCompose(
                          thrown -> java.util.concurrent.CompletableFuture.failedFuture(thrown))
                      .get());
      assertTrue(cancelled.getCause() instanceof CancellationException, "" + cancelled.getCause());
      Executor stopped =
          work -> {
            throw new RejectedExecutionException();
          };
      PendingRead refused = reader.start(List.of(new ByteRange(0, target, 0, 100)), stopped);
      assertThrows(IOException.class, () -> join(refused));
    }
  }

  /** An interrupt ends no file of the cache: the reader of the storage decides what it means. */
  @Test
  void interruptedReadsLeaveTheCacheAsItIs() throws IOException {
    TestingStorage file = new TestingStorage("a", LENGTH, 22);
    try (RangeCache cache = open();
        ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
      check(file, reader, 0, 100_000);
      settle(cache);
      Thread.currentThread().interrupt();
      check(file, reader, 0, 100_000);
      assertTrue(Thread.interrupted());
      assertEquals(2, file.requests.get());
      check(file, reader, 0, 100_000);
      assertEquals(2, file.requests.get());
      assertEquals(0, cache.counters().corruptFiles().sum());
    }
  }
}
