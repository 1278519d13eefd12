package io.ariadne.io.gds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.simulated.SimulatedBackend;
import io.ariadne.backend.simulated.SimulatedDevice;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.event.ThreadRecords;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.PendingRead;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies through pages when the reader of local files does not do what it should. */
class TestStagingPages {
  private static final int PAGE = 1 << 16;
  private static final int LENGTH = 5 * PAGE + 100;

  private final Backend backend = SimulatedBackend.open(new SimulatedDevice(16 << 20, 0, 0, 1));
  private final MemoryPool pool =
      MemoryPools.over("device", 16 << 20, backend.memory(MemoryTier.DEVICE).orElseThrow());
  private StagingPages pages;
  private MemoryBuffer target;

  @BeforeEach
  void open() {
    open(20_000);
    target = pool.allocate(LENGTH);
  }

  private void open(long patienceMillis) {
    pages =
        new StagingPages(
            backend, GdsOptions.DEFAULT.withPages(PAGE, 2).withPatience(patienceMillis));
  }

  @AfterEach
  void close() {
    target.close();
    Closer closer = new Closer();
    pages.close(closer);
    closer.rethrow();
    assertEquals(0, pages.allocatedBytes(), "bytes of pages");
    pool.close();
    backend.close();
  }

  /** A file whose reads end when the test says so. */
  private static final class SlowFile implements ByteRangeReader {
    private final List<Started> started = new ArrayList<>();
    private int failing = -1;

    /** A read that has been started. */
    private static final class Started implements PendingRead {
      private final CompletableFuture<Void> completion = new CompletableFuture<>();
      private boolean isCancelled;

      @Override
      public CompletableFuture<Void> completion() {
        return completion;
      }

      @Override
      public void cancel() {
        isCancelled = true;
      }
    }

    @Override
    public long lengthInBytes() {
      return LENGTH;
    }

    @Override
    public void read(long position, MemoryBuffer target, long targetOffset, long length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public PendingRead start(List<ByteRange> ranges, Executor threads) {
      Started read = new Started();
      if (started.size() == failing) {
        read.completion.completeExceptionally(new IOException("damaged"));
      } else if (failing >= 0) {
        read.completion.complete(null);
      }
      started.add(read);
      return read;
    }

    @Override
    public void close() {}

    @Override
    public String toString() {
      return "slow file";
    }
  }

  private ByteRange whole() {
    return new ByteRange(0, target, 0, LENGTH);
  }

  @Test
  void readsTheNextPageWhileOneIsCopied() throws IOException {
    SlowFile file = new SlowFile();
    file.failing = 100;
    int[] asked = {0};
    pages.read(
        file,
        whole(),
        () -> {
          // Page n has arrived; the read of the next one follows before the copy.
          assertEquals(++asked[0], file.started.size());
          return false;
        });
    assertEquals(6, file.started.size());
  }

  @Test
  void passesFailuresOfTheFile() {
    SlowFile file = new SlowFile();
    file.failing = 2;
    IOException e = assertThrows(IOException.class, () -> pages.read(file, whole(), () -> false));
    assertEquals("damaged", e.getMessage());
    assertEquals(3, file.started.size());
  }

  @Test
  void endsEarlyWhenItIsCancelled() {
    SlowFile file = new SlowFile();
    file.failing = 100;
    assertThrows(
        CancellationException.class,
        () -> pages.read(file, whole(), () -> file.started.size() == 2));
    assertEquals(2, file.started.size());
  }

  /** Pages that a stranded read may still write to are not used again before it has ended. */
  @Test
  void keepsPagesOfStrandedReads() throws IOException {
    Closer closer = new Closer();
    pages.close(closer);
    open(50);
    SlowFile file = new SlowFile();
    IOException e = assertThrows(IOException.class, () -> pages.read(file, whole(), () -> false));
    assertEquals("slow file has not given " + LENGTH + " bytes within 50 ms", e.getMessage());
    assertTrue(file.started.get(0).isCancelled);
    SlowFile other = new SlowFile();
    other.failing = 100;
    EngineException refusal =
        assertThrows(EngineException.class, () -> pages.read(other, whole(), () -> false));
    assertTrue(EngineException.isOutOfMemory(refusal), refusal.getMessage());
    file.started.get(0).completion.completeExceptionally(new CancellationException());
    pages.read(other, whole(), () -> false);
  }

  @Test
  void theWaitCanBeBrokenOff() throws Exception {
    SlowFile file = new SlowFile();
    CompletableFuture<IOException> failure =
        CompletableFuture.supplyAsync(
            () -> assertThrows(IOException.class, () -> pages.read(file, whole(), () -> false)));
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!breakOff() && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertTrue(file.started.get(0).isCancelled);
    file.started.get(0).completion.completeExceptionally(new CancellationException());
    assertEquals(
        "a read of slow file was broken off: no progress",
        failure.get(20, TimeUnit.SECONDS).getMessage());
  }

  private static boolean breakOff() {
    return ThreadRecords.all().stream()
        .map(record -> record.currentWait())
        .filter(wait -> wait != null && wait.isBreakable() && wait.toString().contains("slow"))
        .peek(wait -> wait.breakOff("no progress"))
        .findFirst()
        .isPresent();
  }
}
