package io.ariadne.bridge.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.bridge.file.VectoredStream.Extent;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.io.ByteRange;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests ranges read at once from a file that answers late, in any order, short, or not at all. */
class TestVectoredRead {
  private static final int FILE_BYTES = 100_000;
  private static final Duration SOON = Duration.ofMillis(20);

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private final Random random = RandomBatches.create().random();
  private final byte[] content = new byte[FILE_BYTES];
  private final TestingStream stream = new TestingStream();
  private MemoryBuffer target;

  @BeforeEach
  void fill() {
    random.nextBytes(content);
    target = memory.allocator().allocate(2L * FILE_BYTES);
  }

  @AfterEach
  void close() {
    target.close();
  }

  private void read(List<ByteRange> ranges, Duration patience) throws IOException {
    new VectoredRead("the file", stream, patience).read(ranges);
  }

  private ByteRange range(int position, int length) {
    return new ByteRange(position, target, position, length);
  }

  private void assertRead(ByteRange range) {
    byte[] read = new byte[(int) range.length()];
    target.getBytes(range.targetOffset(), read, 0, read.length);
    int first = (int) range.position();
    assertArrayEquals(Arrays.copyOfRange(content, first, first + read.length), read);
  }

  @Test
  void readsRandomRangesInRandomOrder() throws IOException {
    for (int round = 0; round < 300; round++) {
      stream.minSeek = random.nextInt(3) * 1000;
      stream.maxRead = random.nextInt(40_000);
      List<ByteRange> ranges = new ArrayList<>();
      long offset = 0;
      for (int i = random.nextInt(12); i > 0; i--) {
        int position = random.nextInt(FILE_BYTES);
        int length = random.nextInt(Math.min(FILE_BYTES - position, 8000));
        ranges.add(new ByteRange(position, target, offset, length));
        offset += length;
      }
      Collections.shuffle(ranges, random);
      read(ranges, VectoredRead.PATIENCE);
      ranges.forEach(this::assertRead);
    }
  }

  @Test
  void mergesCloseRanges() {
    List<ByteRange> ranges =
        List.of(range(5000, 10), range(0, 100), range(150, 50), range(5010, 10), range(9000, 0));
    assertEquals(List.of(new Extent(0, 200), new Extent(5000, 20)), extents(ranges, 51, 1000));
    assertEquals(
        List.of(new Extent(0, 100), new Extent(150, 50), new Extent(5000, 20)),
        extents(ranges, 50, 1000));
    assertEquals(
        List.of(new Extent(0, 100), new Extent(150, 50), new Extent(5000, 20)),
        extents(ranges, 51, 199));
    assertEquals(List.of(new Extent(0, 5020)), extents(ranges, 1 << 20, 1 << 20));
  }

  @Test
  void mergesOverlappingRangesOfAnyLength() {
    List<ByteRange> ranges =
        List.of(
            new ByteRange(0, target, 0, 100),
            new ByteRange(20, target, 500, 30),
            new ByteRange(99, target, 700, 100));
    assertEquals(List.of(new Extent(0, 199)), extents(ranges, 0, 50));
  }

  private static List<Extent> extents(List<ByteRange> ranges, int minSeek, int maxBytes) {
    return VectoredRead.groups(ranges, minSeek, maxBytes).stream()
        .map(VectoredRead.Group::extent)
        .toList();
  }

  @Test
  void acceptsSlicesAndDirectBuffers() throws IOException {
    for (Form form : List.of(Form.WHOLE, Form.SLICE, Form.DIRECT)) {
      stream.form = form;
      List<ByteRange> ranges = List.of(range(77, 1000), range(50_000, 3));
      read(ranges, VectoredRead.PATIENCE);
      ranges.forEach(this::assertRead);
    }
  }

  @Test
  void failureOfOneRangeFailsTheRead() {
    IOException damage = new IOException("checksum of the file");
    for (Throwable failure : List.of(damage, new UncheckedIOException(damage))) {
      stream.failure = failure;
      assertSame(damage, assertThrows(IOException.class, () -> read(ten(), Duration.ofDays(1))));
      assertTrue(stream.started.stream().allMatch(CompletableFuture::isDone));
    }
    stream.failure = new IllegalStateException("no thread");
    IOException wrapped = assertThrows(IOException.class, () -> read(ten(), Duration.ofDays(1)));
    assertSame(stream.failure, wrapped.getCause());
    assertTrue(wrapped.getMessage().contains("the file"), wrapped::getMessage);
    stream.failure = new StackOverflowError();
    assertThrows(StackOverflowError.class, () -> read(ten(), Duration.ofDays(1)));
  }

  /** Ten ranges, of which the fourth may fail. */
  private List<ByteRange> ten() {
    List<ByteRange> ranges = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      ranges.add(range(i * 5000, 100));
    }
    return ranges;
  }

  @Test
  void shortAnswersAreErrors() {
    stream.missingBytes = 1;
    EOFException e = assertThrows(EOFException.class, () -> read(ten(), Duration.ofDays(1)));
    assertEquals("99 bytes instead of 100 at 15000 of the file", e.getMessage());
    stream.missingBytes = 100;
    assertThrows(EOFException.class, () -> read(ten(), Duration.ofDays(1)));
    stream.missingBytes = -1;
    assertThrows(EOFException.class, () -> read(ten(), Duration.ofDays(1)));
  }

  @Test
  void missingAnswersAreErrors() {
    stream.form = Form.NULL;
    assertThrows(EOFException.class, () -> read(ten(), Duration.ofDays(1)));
  }

  @Test
  void waitsNoLongerThanItsTimeout() {
    stream.neverAnswers = true;
    FileSystemException e = assertThrows(FileSystemException.class, () -> read(ten(), SOON));
    assertEquals("the file", e.getFile());
    assertTrue(e.getReason().contains("PT0.02S to a read of 100 bytes at 15000"), e::getReason);
    assertTrue(stream.started.stream().allMatch(CompletableFuture::isDone));
  }

  @Test
  void ignoresLateAnswers() throws IOException {
    stream.neverAnswers = true;
    target.fillZero();
    assertThrows(FileSystemException.class, () -> read(List.of(range(15_000, 100)), SOON));
    assertEquals(1, stream.promised.size());
    stream.promised.get(0).put(0, (byte) 1);
    assertEquals(0, target.getByte(15_000));
  }

  @Test
  void interruptEndsTheWait() {
    stream.neverAnswers = true;
    Thread.currentThread().interrupt();
    assertThrows(InterruptedIOException.class, () -> read(ten(), Duration.ofDays(1)));
    assertTrue(Thread.interrupted());
  }

  @Test
  void readCancelledByTheFileSystemIsAnError() {
    stream.cancels = true;
    IOException e = assertThrows(IOException.class, () -> read(ten(), Duration.ofDays(1)));
    assertTrue(e.getMessage().contains("the file"), e::getMessage);
  }

  private enum Form {
    WHOLE,
    SLICE,
    DIRECT,
    NULL
  }

  /** Answers in random order. The extent at {@value #FOURTH} is the failing one. */
  private final class TestingStream implements VectoredStream {
    private static final int FOURTH = 15_000;

    private final List<CompletableFuture<ByteBuffer>> started = new ArrayList<>();
    private final List<ByteBuffer> promised = new ArrayList<>();
    private int minSeek;
    private int maxRead;
    private Form form = Form.WHOLE;
    private Throwable failure;
    private int missingBytes;
    private boolean neverAnswers;
    private boolean cancels;

    @Override
    public int minSeekBytes() {
      return minSeek;
    }

    @Override
    public int maxReadBytes() {
      return maxRead;
    }

    @Override
    public List<CompletableFuture<ByteBuffer>> start(List<Extent> extents) {
      started.clear();
      extents.forEach(extent -> started.add(new CompletableFuture<>()));
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < extents.size(); i++) {
        order.add(i);
      }
      Collections.shuffle(order, random);
      for (int i : order) {
        answer(extents.get(i), started.get(i));
      }
      return List.copyOf(started);
    }

    private void answer(Extent extent, CompletableFuture<ByteBuffer> read) {
      boolean isInTrouble = extent.position() == FOURTH;
      if (isInTrouble && neverAnswers) {
        promised.add(ByteBuffer.allocate(extent.length()));
      } else if (isInTrouble && cancels) {
        read.cancel(false);
      } else if (isInTrouble && failure != null) {
        read.completeExceptionally(failure);
      } else {
        read.complete(bytes(extent, isInTrouble ? missingBytes : 0));
      }
    }

    private ByteBuffer bytes(Extent extent, int missing) {
      int length = extent.length() - missing;
      int position = (int) extent.position();
      return switch (form) {
        case WHOLE -> ByteBuffer.wrap(Arrays.copyOfRange(content, position, position + length));
        case SLICE -> ByteBuffer.wrap(content).slice(position, length);
        case DIRECT -> ByteBuffer.allocateDirect(length).put(0, content, position, length);
        case NULL -> null;
      };
    }
  }
}
