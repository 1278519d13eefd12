package io.ariadne.io.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.PendingRead;
import io.ariadne.memory.testing.ProcessUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Caches over temporary directories, and files to read through them. */
abstract class RangeCacheFixture {
  static final int LENGTH = 3_000_000;
  static final long STAGING = 4 << 20;
  static final long LARGE = 1 << 30;
  static final long PATIENCE_SECONDS = 60;

  @TempDir Path folder;

  final TestingAllocator memory = new TestingAllocator();
  private final long seed = Long.getLong("ariadne.test.seed", System.nanoTime());
  final Random random = new Random(seed);
  MemoryBuffer target;
  private static ProcessUse before;

  /** Returns settings with or without encryption. */
  abstract RangeCacheConfig config(RangeCacheConfig plain);

  @BeforeEach
  void allocateTarget() {
    System.out.println("replay with -Dariadne.test.seed=" + seed);
    target = memory.allocate(LENGTH);
  }

  @BeforeAll
  static void measure() throws IOException, InterruptedException {
    before = ProcessUse.now(name -> name.startsWith("ariadne-cache"));
  }

  @AfterAll
  static void noThreadOrFileIsLeft() throws IOException, InterruptedException {
    ProcessUse after = ProcessUse.now(name -> name.startsWith("ariadne-cache"));
    assertEquals(before.threads(), after.threads());
    assertEquals(List.of(), after.filesBeyond(before));
  }

  @AfterEach
  void noByteOrTemporaryFileIsLeft() throws IOException {
    target.close();
    assertEquals(0, memory.allocatedBytes());
    for (String place : List.of("writing", "ledgers")) {
      for (Path root : roots()) {
        assertEquals(List.of(), filesIn(root.resolve(place)), place);
      }
    }
  }

  private List<Path> roots() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(path -> Files.exists(path.resolve("objects"))).toList();
    }
  }

  static List<Path> filesIn(Path place) throws IOException {
    if (!Files.exists(place)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(place)) {
      return all.filter(path -> !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)).toList();
    }
  }

  final RangeCacheConfig in(String name, long limit) {
    return config(RangeCacheConfig.in(List.of(folder.resolve(name)), limit))
        .withStaging(STAGING)
        .withMinFree(0);
  }

  final RangeCache open(RangeCacheConfig config) {
    return RangeCache.open(config, memory);
  }

  final RangeCache open() {
    return open(in("cache", LARGE));
  }

  static void settle(RangeCache cache) {
    try {
      cache.written().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("writes do not end", e);
    }
  }

  void check(TestingStorage storage, ByteRangeReader reader, int from, int length)
      throws IOException {
    target.fillZero();
    reader.read(from, target, 0, length);
    assertEqual(storage.content(), from, target, 0, length);
  }

  static void assertEqual(byte[] content, int from, MemoryBuffer got, long at, int length) {
    byte[] actual = new byte[length];
    got.getBytes(at, actual, 0, length);
    assertArrayEquals(Arrays.copyOfRange(content, from, from + length), actual);
  }

  /** Draws ranges that do not overlap in their targets; some follow each other without a gap. */
  final List<ByteRange> draw(Random draws, int length, MemoryBuffer into) {
    List<ByteRange> ranges = new ArrayList<>();
    long offset = 0;
    long next = draws.nextInt(length);
    for (int i = draws.nextInt(6); i >= 0; i--) {
      int most = draws.nextInt(3) == 0 ? 700_000 : 5_000;
      long from = draws.nextBoolean() && next < length ? next : draws.nextInt(length);
      long bytes = Math.min(draws.nextInt(most), Math.min(length - from, LENGTH - offset));
      ranges.add(new ByteRange(from, into, offset, bytes));
      offset += bytes;
      next = from + bytes;
    }
    return ranges;
  }

  static void checkAll(byte[] content, List<ByteRange> ranges) {
    for (ByteRange range : ranges) {
      int length = (int) range.length();
      assertEqual(content, (int) range.position(), range.target(), range.targetOffset(), length);
    }
  }

  static void readSomehow(
      Random draws, ByteRangeReader reader, List<ByteRange> ranges, Executor threads)
      throws IOException {
    switch (draws.nextInt(3)) {
      case 0 -> reader.readAll(ranges);
      case 1 -> {
        for (ByteRange each : ranges) {
          reader.read(each.position(), each.target(), each.targetOffset(), each.length());
        }
      }
      default -> join(reader.start(ranges, threads));
    }
  }

  static void join(PendingRead read) throws IOException {
    try {
      read.completion().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new AssertionError(e);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Reads random ranges with several threads; the right bytes come, however they come. */
  void readAtRandom(List<RangeCache> caches, List<TestingStorage> files, int reads)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    ExecutorService blocking = Executors.newFixedThreadPool(2);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        Random draws = new Random(random.nextLong());
        ends.add(
            threads.submit(
                () -> {
                  try (MemoryBuffer into = memory.allocate(LENGTH)) {
                    for (int i = 0; i < reads; i++) {
                      RangeCache cache = caches.get(draws.nextInt(caches.size()));
                      TestingStorage file = files.get(draws.nextInt(files.size()));
                      try (ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
                        List<ByteRange> ranges = draw(draws, file.content().length, into);
                        readSomehow(draws, reader, ranges, blocking);
                        checkAll(file.content(), ranges);
                      }
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdown();
      blocking.shutdown();
      assertTrue(threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS));
      assertTrue(blocking.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }
  }

  final List<TestingStorage> files(int count) {
    List<TestingStorage> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      files.add(new TestingStorage("f" + i, 1 + random.nextInt(LENGTH), random.nextLong()));
    }
    return files;
  }

  void readWhole(RangeCache cache, TestingStorage file) throws IOException {
    try (ByteRangeReader reader = cache.wrap(file.reader(), file.address)) {
      check(file, reader, 0, file.content().length);
    }
    settle(cache);
  }
}
