package io.ariadne.io.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.io.AbstractTestLocalFileReader;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.PendingRead;
import io.ariadne.io.ReadCounters;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the reader does in each of its ways. */
abstract class AbstractTestLinuxFileReader extends AbstractTestLocalFileReader {
  private static final int LENGTH = (3 << 20) + 1234;
  private static final long TIMEOUT_SECONDS = 60;

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private final DirectReads direct;
  private final boolean withRing;
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final ReadCounters counters = ReadCounters.create();
  private LocalStorage storage;

  AbstractTestLinuxFileReader(DirectReads direct, boolean withRing) {
    this.direct = direct;
    this.withRing = withRing;
  }

  @BeforeEach
  void openStorage() {
    storage = LocalStorage.open(LocalReadOptions.of(direct), withRing);
    assertEquals(List.of(), storage.ring().filter(ring -> !withRing).stream().toList());
  }

  @AfterEach
  void nothingIsLeft() {
    threads.shutdownNow();
    storage.release();
    storage.awaitClosed();
    assertEquals(0, storage.pageBytes());
    assertEquals("[]", OpenDescriptors.of(folder).toString());
  }

  @Override
  protected ByteRangeReader open(Path file) throws IOException {
    storage.retain();
    return LinuxFileReader.open(file, storage, counters);
  }

  private byte[] write(Path file) throws IOException {
    byte[] bytes = new byte[LENGTH];
    new Random(3).nextBytes(bytes);
    Files.write(file, bytes);
    return bytes;
  }

  private static void await(PendingRead read)
      throws InterruptedException, ExecutionException, java.util.concurrent.TimeoutException {
    read.completion().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void startedReadsDeliverAlignedAndUnalignedRanges() throws Exception {
    Path file = folder.resolve("started");
    byte[] bytes = write(file);
    int[] starts = {0, 1, 511, 512, 4095, 4096, 1 << 20, (1 << 20) + 7, LENGTH - 5000, LENGTH - 1};
    int[] lengths = {1, 511, 4096, 4097, 200_000, 1 << 20, LENGTH};
    List<GuardedTarget> targets = new ArrayList<>();
    try (ByteRangeReader reader = open(file)) {
      for (int start : starts) {
        for (int length : lengths) {
          int most = Math.min(length, LENGTH - start);
          for (int skew : new int[] {0, 64, 3}) {
            targets.add(
                GuardedTarget.of(memory.allocator(), start, most, reader.alignmentInBytes(), skew));
          }
        }
      }
      await(reader.start(targets.stream().map(GuardedTarget::range).toList(), threads));
      targets.forEach(target -> target.assertRead(bytes, target.range().toString()));
    } finally {
      targets.forEach(GuardedTarget::close);
    }
  }

  @Test
  void readsAtOnceDeliverAlignedAndUnalignedRanges() throws IOException {
    Path file = folder.resolve("at-once");
    byte[] bytes = write(file);
    try (ByteRangeReader reader = open(file)) {
      for (int start : new int[] {0, 5, 4096, LENGTH - 70_000}) {
        for (int skew : new int[] {0, 1}) {
          try (GuardedTarget one =
                  GuardedTarget.of(
                      memory.allocator(), start, LENGTH - start, reader.alignmentInBytes(), skew);
              GuardedTarget other = GuardedTarget.of(memory.allocator(), start, 9, 1, 0)) {
            reader.readAll(List.of(one.range(), other.range()));
            one.assertRead(bytes, "from " + start + " skew " + skew);
            other.assertRead(bytes, "from " + start);
          }
        }
      }
    }
  }

  @Test
  void countsCallsAndBytes() throws Exception {
    Path file = folder.resolve("counted");
    write(file);
    try (ByteRangeReader reader = open(file);
        GuardedTarget target = GuardedTarget.of(memory.allocator(), 0, LENGTH, 4096, 0)) {
      await(reader.start(List.of(target.range()), threads));
      assertTrue(counters.bytes().sum() >= LENGTH, "bytes " + counters.bytes());
      assertTrue(counters.requests().sum() >= 1, "requests " + counters.requests());
      assertTrue(counters.nanos().sum() > 0, "nanos " + counters.nanos());
    }
  }

  @Test
  void aStartedReadOfNothingCompletes() throws Exception {
    Path file = folder.resolve("nothing-read");
    write(file);
    try (ByteRangeReader reader = open(file)) {
      await(reader.start(List.of(), threads));
    }
  }

  @Test
  void aRangeOutsideTheFileFailsAStartedRead() throws Exception {
    Path file = folder.resolve("beyond");
    write(file);
    try (ByteRangeReader reader = open(file);
        GuardedTarget good = GuardedTarget.of(memory.allocator(), 0, 10, 1, 0);
        GuardedTarget bad = GuardedTarget.of(memory.allocator(), LENGTH - 3, 4, 1, 0)) {
      PendingRead read = reader.start(List.of(good.range(), bad.range()), threads);
      ExecutionException e = assertThrows(ExecutionException.class, () -> await(read));
      assertInstanceOf(EOFException.class, e.getCause());
      assertTrue(e.getCause().getMessage().contains("beyond"), e.getCause().getMessage());
      bad.assertGuards("outside");
    }
  }

  @Test
  void aFileThatWasCutFailsAStartedRead() throws Exception {
    Path file = folder.resolve("cut-meanwhile");
    write(file);
    try (ByteRangeReader reader = open(file);
        GuardedTarget target = GuardedTarget.of(memory.allocator(), 0, LENGTH, 4096, 0)) {
      Files.write(file, new byte[1_000_003]);
      PendingRead read = reader.start(List.of(target.range()), threads);
      ExecutionException e = assertThrows(ExecutionException.class, () -> await(read));
      assertInstanceOf(EOFException.class, e.getCause());
      assertTrue(e.getCause().getMessage().contains("ends at byte"), e.getCause().getMessage());
      target.assertGuards("cut");
    }
  }

  @Test
  void aFileThatHasGrownIsReadUpToItsOldLength() throws Exception {
    Path file = folder.resolve("grown");
    byte[] bytes = write(file);
    try (ByteRangeReader reader = open(file);
        GuardedTarget target = GuardedTarget.of(memory.allocator(), 7, LENGTH - 7, 4096, 0)) {
      Files.write(file, new byte[100_000], java.nio.file.StandardOpenOption.APPEND);
      assertEquals(LENGTH, reader.lengthInBytes());
      await(reader.start(List.of(target.range()), threads));
      target.assertRead(bytes, "grown");
    }
  }

  @Test
  void refusesAStartedReadAfterClose() throws IOException {
    Path file = folder.resolve("closed-before");
    write(file);
    ByteRangeReader reader = open(file);
    reader.close();
    reader.close();
    try (GuardedTarget target = GuardedTarget.of(memory.allocator(), 0, 10, 1, 0)) {
      PendingRead read = reader.start(List.of(target.range()), threads);
      ExecutionException e = assertThrows(ExecutionException.class, () -> await(read));
      assertInstanceOf(ClosedChannelException.class, e.getCause());
    }
  }

  @Test
  void aReadThatRunsKeepsTheFileOpen() throws Exception {
    Path file = folder.resolve("closed-while-read");
    byte[] bytes = write(file);
    Assumptions.assumeTrue(storage.ring().isPresent(), "no io_uring");
    ByteRangeReader reader = open(file);
    try (GuardedTarget target = GuardedTarget.of(memory.allocator(), 0, LENGTH, 4096, 1)) {
      PendingRead read = reader.start(List.of(target.range()), threads);
      reader.close();
      await(read);
      target.assertRead(bytes, "closed");
    }
  }

  @Test
  void aCancelledReadEndsAndLeavesItsTargetAlone() throws Exception {
    Path file = folder.resolve("cancelled");
    byte[] bytes = write(file);
    try (ByteRangeReader reader = open(file)) {
      for (int i = 0; i < 50; i++) {
        try (GuardedTarget target = GuardedTarget.of(memory.allocator(), 0, LENGTH, 4096, i % 2)) {
          PendingRead read = reader.start(List.of(target.range()), threads);
          read.cancel();
          read.cancel();
          try {
            await(read);
            target.assertRead(bytes, "complete before it was cancelled");
          } catch (CancellationException e) {
            target.assertGuards("cancelled");
          }
          read.cancel();
        }
      }
    }
  }

  @Test
  void refusesWhatIsNotAFile() throws IOException {
    Path inside = Files.createDirectory(folder.resolve("inside"));
    FileSystemException e = assertThrows(FileSystemException.class, () -> open(inside));
    assertTrue(e.getMessage().contains("inside: Is a directory"), e.getMessage());
    FileSystemException device =
        assertThrows(FileSystemException.class, () -> open(Path.of("/dev/zero")));
    assertTrue(device.getMessage().contains("regular"), device.getMessage());
    Path below = Files.createFile(folder.resolve("a-file")).resolve("below");
    FileSystemException notAFolder = assertThrows(FileSystemException.class, () -> open(below));
    assertTrue(notAFolder.getMessage().contains("Not a directory"), notAFolder.getMessage());
  }

  @Test
  void readsAnEmptyListOfRanges() throws IOException {
    Path file = folder.resolve("empty-list");
    write(file);
    try (ByteRangeReader reader = open(file)) {
      reader.readAll(List.<ByteRange>of());
    }
  }

  @Test
  void readsDirectlyWhereAsked() throws IOException {
    Path file = folder.resolve("way");
    write(file);
    try (ByteRangeReader reader = open(file)) {
      boolean isDirect = reader.alignmentInBytes() > 1;
      if (direct == DirectReads.OFF) {
        assertEquals(1, reader.alignmentInBytes());
      } else {
        Assumptions.assumeTrue(isDirect, "the file system has no direct I/O");
        assertTrue(reader.waits(0, 1));
        assertEquals(storage.ring().isPresent(), reader.isFasterTogether());
      }
      assertSame(
          withRing && storage.ring().isPresent(), storage.description().contains("io_uring ("));
    }
  }
}
