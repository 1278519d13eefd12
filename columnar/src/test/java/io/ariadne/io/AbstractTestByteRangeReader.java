package io.ariadne.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.RandomBatches;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What each {@link ByteRangeReader} does. A subclass provides the storage.
 *
 * <p>Replay a failure with {@code -Dariadne.test.seed=SEED}.
 */
public abstract class AbstractTestByteRangeReader {
  private static final int LENGTH = 300_001;
  private static final long TIMEOUT_SECONDS = 60;

  /** Allocates targets, and fails a test that leaves one open. */
  @RegisterExtension protected final LeakCheck memory = new LeakCheck();

  private final long seed = Long.getLong(RandomBatches.SEED_PROPERTY, System.nanoTime());
  private final Random random = new Random(seed);
  private final ExecutorService threads = Executors.newFixedThreadPool(4);

  /** Returns the provider under test. */
  protected abstract ByteRangeReaderProvider provider();

  /** Stores a file, in place of the one with the same name if there is one. */
  protected abstract URI store(String name, byte[] bytes) throws IOException;

  /** Returns the address of a file that does not exist. */
  protected abstract URI missing();

  /** Returns what is needed to open a file whose length and time are unknown. */
  protected abstract OpenRequest request(URI file, ReadCounters counters);

  /** Whether the reader counts requests and bytes. */
  protected abstract boolean counts();

  /** Whether a missing file fails {@link ByteRangeReaderProvider#open} of an unknown length. */
  protected boolean knowsMissingFiles() {
    return true;
  }

  /** Ends the threads that reads may use. */
  @AfterEach
  final void endThreads() throws InterruptedException {
    threads.shutdown();
    assertTrue(threads.awaitTermination(TIMEOUT_SECONDS, TimeUnit.SECONDS));
  }

  private byte[] randomBytes() {
    System.out.println("replay with -D" + RandomBatches.SEED_PROPERTY + "=" + seed);
    byte[] bytes = new byte[LENGTH];
    random.nextBytes(bytes);
    return bytes;
  }

  private ByteRangeReader open(String name, byte[] bytes) throws IOException {
    return provider().open(request(store(name, bytes), ReadCounters.create()));
  }

  private static void assertBytes(byte[] file, ByteRange range) {
    byte[] actual = new byte[(int) range.length()];
    range.target().getBytes(range.targetOffset(), actual, 0, actual.length);
    int from = (int) range.position();
    assertArrayEquals(Arrays.copyOfRange(file, from, from + actual.length), actual);
  }

  private ByteRange randomRange(MemoryBuffer target, long targetOffset, int most) {
    int from = random.nextInt(LENGTH);
    int length = random.nextInt(Math.min(most, LENGTH - from) + 1);
    return new ByteRange(from, target, targetOffset, length);
  }

  /** Returns ranges of which some follow each other in the file, and not in the target. */
  private List<ByteRange> randomRanges(MemoryBuffer target) {
    List<ByteRange> ranges = new ArrayList<>();
    long end = target.lengthInBytes();
    long at = 0;
    while (at < end) {
      ByteRange before = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
      int most = (int) Math.min(60_000, end - at);
      if (before != null && random.nextInt(3) == 0) {
        long from = before.position() + before.length();
        long length = Math.min(LENGTH - from, 1 + random.nextInt(most));
        ranges.add(new ByteRange(from, target, at, length));
      } else {
        ranges.add(randomRange(target, at, most));
      }
      at += ranges.get(ranges.size() - 1).length() + 1;
    }
    Collections.shuffle(ranges, random);
    return ranges;
  }

  @Test
  void isSupported() throws IOException {
    OpenRequest request = request(store("file", new byte[3]), ReadCounters.create());
    assertEquals(
        ByteRangeReaderProvider.Support.Kind.SUPPORTED, provider().support(request).kind());
  }

  @Test
  void readsRanges() throws IOException {
    byte[] bytes = randomBytes();
    try (ByteRangeReader reader = open("ranges", bytes);
        MemoryBuffer target = memory.allocator().allocate(LENGTH + 100)) {
      assertEquals(LENGTH, reader.lengthInBytes());
      for (int i = 0; i < 40; i++) {
        ByteRange range = randomRange(target, random.nextInt(100), LENGTH);
        reader.read(range.position(), target, range.targetOffset(), range.length());
        assertBytes(bytes, range);
      }
      reader.read(0, target, 0, LENGTH);
      assertBytes(bytes, new ByteRange(0, target, 0, LENGTH));
      reader.read(LENGTH, target, 0, 0);
    }
  }

  @Test
  void writesOnlyTheRange() throws IOException {
    byte[] bytes = randomBytes();
    try (ByteRangeReader reader = open("only", bytes);
        MemoryBuffer target = memory.allocator().allocate(300)) {
      byte before = target.getByte(99);
      byte after = target.getByte(200);
      reader.read(5, target, 100, 100);
      assertEquals(before, target.getByte(99));
      assertEquals(after, target.getByte(200));
    }
  }

  @Test
  void readsSeveralRangesAtOnce() throws Exception {
    byte[] bytes = randomBytes();
    try (ByteRangeReader reader = open("several", bytes);
        MemoryBuffer target = memory.allocator().allocate(500_000)) {
      for (int i = 0; i < 5; i++) {
        List<ByteRange> ranges = randomRanges(target);
        reader.readAll(ranges);
        ranges.forEach(range -> assertBytes(bytes, range));
        List<ByteRange> started = randomRanges(target);
        await(reader.start(started, threads));
        started.forEach(range -> assertBytes(bytes, range));
      }
      reader.readAll(List.of());
      await(reader.start(List.of(), threads));
    }
  }

  private static void await(PendingRead read) throws Exception {
    read.completion().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void readsOnManyThreads() throws Exception {
    byte[] bytes = randomBytes();
    try (ByteRangeReader reader = open("threads", bytes);
        MemoryBuffer target = memory.allocator().allocate(8 * 1000)) {
      List<CompletableFuture<Void>> reads = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        Random own = new Random(random.nextLong());
        int offset = i * 1000;
        reads.add(
            CompletableFuture.runAsync(
                () -> readSome(reader, bytes, new ByteRange(0, target, offset, 1000), own),
                threads));
      }
      CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
          .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
  }

  private static void readSome(
      ByteRangeReader reader, byte[] bytes, ByteRange place, Random random) {
    try {
      for (int i = 0; i < 20; i++) {
        int from = random.nextInt(LENGTH - 1000);
        reader.read(from, place.target(), place.targetOffset(), 1000);
        assertBytes(bytes, new ByteRange(from, place.target(), place.targetOffset(), 1000));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void refusesRangesOutsideTheFile() throws Exception {
    URI file = store("outside", new byte[LENGTH]);
    try (ByteRangeReader reader = provider().open(request(file, ReadCounters.create()));
        MemoryBuffer target = memory.allocator().allocate(64)) {
      long[][] bad = {{-1, 1}, {LENGTH - 3, 4}, {Long.MAX_VALUE, 2}, {LENGTH + 1, 0}};
      for (long[] range : bad) {
        EOFException e =
            assertThrows(EOFException.class, () -> reader.read(range[0], target, 0, range[1]));
        assertTrue(e.getMessage().contains("outside"), e.getMessage());
        List<ByteRange> ranges = List.of(new ByteRange(range[0], target, 0, range[1]));
        assertThrows(EOFException.class, () -> reader.readAll(ranges));
        ExecutionException started =
            assertThrows(ExecutionException.class, () -> await(reader.start(ranges, threads)));
        assertInstanceOf(EOFException.class, started.getCause());
      }
      assertThrows(IndexOutOfBoundsException.class, () -> reader.read(0, target, 60, 5));
      assertThrows(IndexOutOfBoundsException.class, () -> reader.read(0, target, 0, 65));
    }
  }

  @Test
  void cancelledReadsEnd() throws Exception {
    byte[] bytes = randomBytes();
    try (ByteRangeReader reader = open("cancelled", bytes)) {
      for (int i = 0; i < 20; i++) {
        try (MemoryBuffer target = memory.allocator().allocate(LENGTH)) {
          PendingRead read = reader.start(randomRanges(target), threads);
          if (i % 2 == 0) {
            Thread.onSpinWait();
          }
          read.cancel();
          read.cancel();
          assertEndsByCancellation(read);
        }
      }
      try (MemoryBuffer target = memory.allocator().allocate(LENGTH)) {
        PendingRead read = reader.start(List.of(new ByteRange(0, target, 0, LENGTH)), threads);
        await(read);
        read.cancel();
        await(read);
        assertBytes(bytes, new ByteRange(0, target, 0, LENGTH));
      }
    }
  }

  /** It may have read everything before. */
  private static void assertEndsByCancellation(PendingRead read) throws Exception {
    try {
      await(read);
    } catch (CancellationException e) {
      assertTrue(read.completion().isDone());
    }
  }

  @Test
  void namesAMissingFile() throws IOException {
    if (!knowsMissingFiles()) {
      return;
    }
    IOException e =
        assertThrows(
            IOException.class,
            () -> provider().open(request(missing(), ReadCounters.create())).close());
    assertTrue(e instanceof FileNotFoundException || e instanceof NoSuchFileException, "" + e);
    String name = missing().getPath();
    String last = name.substring(name.lastIndexOf('/') + 1);
    assertTrue(e.getMessage().contains(last), e.getMessage());
  }

  @Test
  void failsAfterClose() throws Exception {
    ByteRangeReader reader = open("closed", new byte[100]);
    reader.close();
    reader.close();
    try (MemoryBuffer target = memory.allocator().allocate(64)) {
      assertThrows(IOException.class, () -> reader.read(0, target, 0, 1));
      List<ByteRange> ranges = List.of(new ByteRange(0, target, 0, 1));
      ExecutionException started =
          assertThrows(ExecutionException.class, () -> await(reader.start(ranges, threads)));
      assertInstanceOf(IOException.class, started.getCause());
    }
  }

  @Test
  void countsRequestsAndBytes() throws IOException {
    ReadCounters counters = ReadCounters.create();
    URI file = store("counted", new byte[LENGTH]);
    try (ByteRangeReader reader = provider().open(request(file, counters));
        MemoryBuffer target = memory.allocator().allocate(1000)) {
      long opened = counters.requests().sum();
      assertTrue(opened <= 1, opened + " requests to open a file");
      reader.read(0, target, 0, 1000);
      reader.read(5000, target, 0, 500);
      if (counts()) {
        assertEquals(opened + 2, counters.requests().sum());
        assertEquals(1500, counters.bytes().sum());
        assertTrue(counters.nanos().sum() > 0);
      }
      assertEquals(0, counters.retries().sum());
    }
  }

  @Test
  void keepsItsVersion() throws IOException {
    try (ByteRangeReader reader = open("version", new byte[100]);
        MemoryBuffer target = memory.allocator().allocate(64)) {
      reader.read(0, target, 0, 1);
      String version = reader.version();
      reader.read(1, target, 0, 1);
      assertEquals(version, reader.version());
    }
  }
}
