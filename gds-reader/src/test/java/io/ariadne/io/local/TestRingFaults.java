package io.ariadne.io.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.PendingRead;
import io.ariadne.io.ReadCounters;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A real ring, of which some answers are exchanged for those of a bad day. */
class TestRingFaults {
  private static final int LENGTH = (6 << 20) + 77;

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  private final byte[] bytes = new byte[LENGTH];
  private LocalStorage storage;
  private Path file;

  /** Changes results of reads, and of entering the kernel. */
  private static final class FaultyRing extends Ring {
    private final IntUnaryOperator result;
    private final IntUnaryOperator entered;

    FaultyRing(IntUnaryOperator result, IntUnaryOperator entered) {
      this.result = result;
      this.entered = entered;
    }

    @Override
    int enter(int waitFor, long nanos) {
      int fault = entered.applyAsInt(0);
      return fault < 0 ? fault : super.enter(waitFor, nanos);
    }

    @Override
    void reap(ResultConsumer consumer) {
      super.reap(
          (id, code) -> {
            boolean isRead = id > 1 && id < 1L << 62;
            consumer.accept(id, isRead ? result.applyAsInt(code) : code);
          });
    }
  }

  @BeforeEach
  void writeFile() throws IOException {
    new Random(9).nextBytes(bytes);
    file = Files.write(folder.resolve("faulty"), bytes);
  }

  @AfterEach
  void nothingIsLeft() {
    if (storage != null) {
      storage.release();
      storage.awaitClosed();
      assertEquals(0, storage.pageBytes());
      assertEquals("[]", OpenDescriptors.of(folder).toString());
    }
  }

  private ByteRangeReader open(
      DirectReads direct, IntUnaryOperator result, IntUnaryOperator entered) throws IOException {
    storage =
        LocalStorage.open(
            LocalReadOptions.of(direct),
            Optional.of(() -> Ring.open(new FaultyRing(result, entered))));
    Assumptions.assumeTrue(storage.ring().isPresent(), "no io_uring");
    storage.retain();
    return LinuxFileReader.open(file, storage, ReadCounters.create());
  }

  private static void await(PendingRead read) throws Exception {
    read.completion().get(60, TimeUnit.SECONDS);
  }

  @Test
  void repeatsWhatTheKernelWantsRepeatedAndContinuesShortReads() throws Exception {
    long seed = RandomBatches.create().seed();
    for (DirectReads direct : new DirectReads[] {DirectReads.OFF, DirectReads.ON}) {
      Random random = new Random(seed);
      IntUnaryOperator faults =
          code ->
              switch (random.nextInt(8)) {
                case 0 -> -SystemErrors.EAGAIN;
                case 1 -> -SystemErrors.EINTR;
                case 2 -> -SystemErrors.ECANCELED;
                case 3, 4 -> code > 1 ? 1 + random.nextInt(code) : code;
                default -> code;
              };
      IntUnaryOperator busy = zero -> random.nextInt(5) == 0 ? -SystemErrors.EAGAIN : zero;
      List<GuardedTarget> targets = new ArrayList<>();
      try (ByteRangeReader reader = open(direct, faults, busy)) {
        for (int i = 0; i < 10; i++) {
          int start = random.nextInt(LENGTH);
          int length = 1 + random.nextInt(LENGTH - start);
          targets.add(
              GuardedTarget.of(
                  memory.allocator(), start, length, reader.alignmentInBytes(), i % 2));
        }
        await(reader.start(targets.stream().map(GuardedTarget::range).toList(), Runnable::run));
        targets.forEach(target -> target.assertRead(bytes, direct + ", seed " + seed));
      } finally {
        targets.forEach(GuardedTarget::close);
      }
      nothingIsLeft();
      storage = null;
    }
  }

  @Test
  void anErrorOfTheDeviceFailsTheReadOnce() throws Exception {
    int[] calls = {0};
    IntUnaryOperator third = code -> ++calls[0] == 3 ? -SystemErrors.EIO : code;
    try (ByteRangeReader reader = open(DirectReads.ON, third, zero -> 0);
        GuardedTarget target = GuardedTarget.of(memory.allocator(), 1, LENGTH - 1, 1, 0)) {
      PendingRead read = reader.start(List.of(target.range()), Runnable::run);
      ExecutionException e = assertThrows(ExecutionException.class, () -> await(read));
      FileSystemException failure = assertInstanceOf(FileSystemException.class, e.getCause());
      assertTrue(failure.getMessage().contains("faulty: Input/output error"), failure.getMessage());
      target.assertGuards("failed");
      await(reader.start(List.of(target.range()), Runnable::run));
      target.assertRead(bytes, "after a failure");
    }
  }

  @Test
  void aFileSystemThatRefusesDirectReadsIsReadThroughThePageCache() throws Exception {
    int[] calls = {0};
    IntUnaryOperator atFirst = code -> ++calls[0] == 1 ? -SystemErrors.EINVAL : code;
    try (ByteRangeReader reader = open(DirectReads.ON, atFirst, zero -> 0);
        GuardedTarget target = GuardedTarget.of(memory.allocator(), 5, LENGTH - 5, 1, 0)) {
      Assumptions.assumeTrue(reader.alignmentInBytes() > 1, "the file system has no direct I/O");
      await(reader.start(List.of(target.range()), Runnable::run));
      target.assertRead(bytes, "refused");
      assertEquals(1, reader.alignmentInBytes());
    }
  }

  @Test
  void aRingThatFailsEndsItsReadsAndOthersDoWithoutIt() throws Exception {
    int[] left = {20};
    IntUnaryOperator failing = zero -> --left[0] < 0 ? -SystemErrors.EBADF : 0;
    try (ByteRangeReader reader = open(DirectReads.OFF, code -> code / 2 + 1, failing);
        GuardedTarget target = GuardedTarget.of(memory.allocator(), 0, LENGTH, 1, 0)) {
      for (int i = 0; i < 100 && storage.ring().isPresent(); i++) {
        try {
          await(reader.start(List.of(target.range()), Runnable::run));
          target.assertRead(bytes, "read " + i);
        } catch (ExecutionException e) {
          assertTrue(e.getCause().getMessage().contains("io_uring_enter"), e.getCause().toString());
        }
      }
      assertFalse(storage.ring().isPresent());
      await(reader.start(List.of(target.range()), Runnable::run));
      target.assertRead(bytes, "without a ring");
    } finally {
      // The ring must be able to take its last notification.
      left[0] = Integer.MAX_VALUE;
    }
  }

  @Test
  void aRingThatIsRefusedIsNamedInTheDescription() {
    storage =
        LocalStorage.open(
            LocalReadOptions.of(DirectReads.OFF),
            Optional.of(
                () -> {
                  throw new Ring.RefusedException("forbidden by a test");
                }));
    assertTrue(storage.description().contains("no io_uring: forbidden by a test"));
    assertTrue(storage.ring().isEmpty());
  }
}
