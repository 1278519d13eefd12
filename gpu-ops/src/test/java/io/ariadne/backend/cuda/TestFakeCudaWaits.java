package io.ariadne.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WorkPermit;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Waits for the device, its status blocks and its kernels: what each waits for, and how it ends.
 */
class TestFakeCudaWaits {
  private static final long SEED = Long.getLong("ariadne.test.seed", System.nanoTime());
  private static final Duration LONG = Duration.ofMinutes(2);

  @Test
  void waitForTheDeviceNamesTheQueuedWork() throws InterruptedException {
    FakeDriver.reset(FakeDriver.Options.DEFAULT, SEED);
    try (CudaBackend backend = CudaBackend.open(0);
        MemoryPool pool =
            MemoryPools.over("device", 1 << 20, backend.memory(MemoryTier.DEVICE).orElseThrow());
        MemoryBuffer buffer = pool.allocate(64);
        ArgumentBlock host = new ArgumentBlock(64)) {
      backend.clear(buffer, 0, 64);
      FakeDriver.stall("cuEventSynchronize", 1);
      Thread reader = new Thread(() -> backend.read(buffer, 0, host.address(), 64));
      reader.start();
      FakeDriver.awaitStalled();
      try {
        String wait = DeviceWaits.await(reader, "GPU 0 (Fake GPU)");
        assertTrue(wait.contains("at most 2 queued calls to do; no kernel was launched"), wait);
        assertTrue(wait.contains("(DEVICE)"), wait);
        assertTrue(backend.work().contains("at most 2 queued calls"), backend.work());
      } finally {
        FakeDriver.resume();
        reader.join();
      }
      assertTrue(backend.work().contains("at most 0 queued calls"), backend.work());
      assertEquals(0, host.getLong(0));
    }
  }

  @Test
  void oneWaitReadsAStatusAndABuffer() {
    FakeDriver.reset(FakeDriver.Options.DEFAULT, SEED);
    int most = KernelStatus.MAX_BYTES_READ;
    try (CudaBackend backend = CudaBackend.open(0);
        MemoryPool pool =
            MemoryPools.over("device", 1 << 20, backend.memory(MemoryTier.DEVICE).orElseThrow());
        MemoryBuffer buffer = pool.allocate(most);
        KernelStatus status = backend.newStatus();
        KernelStatus other = backend.newStatus();
        ArgumentBlock bytes = new ArgumentBlock(most);
        ArgumentBlock tooMany = new ArgumentBlock(most + 1)) {
      for (int i = 0; i < most; i += Long.BYTES) {
        bytes.putLong(i, SEED + i);
      }
      backend.write(bytes.address(), buffer, 0, most);
      bytes.clear();
      long waits = FakeDriver.usage().waits();
      status.await(buffer, bytes);
      assertEquals(waits + 1, FakeDriver.usage().waits());
      other.await();
      assertEquals(0, status.errorWord());
      assertEquals(0, other.errorWord());
      for (int i = 0; i < most; i += Long.BYTES) {
        assertEquals(SEED + i, bytes.getLong(i));
      }
      assertThrows(IllegalArgumentException.class, () -> status.await(buffer, tooMany));
    }
    assertEquals(0, FakeDriver.openObjects());
  }

  @Test
  void workNamesTheKernelLaunchedLast() {
    CudaWork work = new CudaWork("GPU 3 (some)");
    work.launched("tile_program", 65_536);
    work.queued();
    String text = work.toString();
    assertTrue(
        text.startsWith(
            "GPU 3 (some) with at most 1 queued calls to do; the kernel launched last is"
                + " tile_program over 65536 rows, "),
        text);
    work.done(1);
    assertTrue(work.isDone(1));
  }

  /** The driver compiles one family; kernels of another are loaded meanwhile. */
  @Test
  void loadsFamiliesConcurrently() throws InterruptedException {
    FakeDriver.reset(FakeDriver.Options.DEFAULT.withCapability(100), SEED);
    try (CudaBackend backend = CudaBackend.open(0)) {
      FakeDriver.stall("cuModuleLoadData", 1);
      Thread first = new Thread(() -> backend.kernel("tile_program"), "first");
      first.start();
      FakeDriver.awaitStalled();
      Thread second = new Thread(() -> backend.kernel("tile_program"), "second");
      try {
        assertEquals("entry_mask", backend.kernel("entry_mask").name());
        second.start();
        String wait = DeviceWaits.await(second, "kernels of family");
        assertTrue(wait.contains("which first loads"), wait);
      } finally {
        FakeDriver.resume();
        first.join();
        second.join();
      }
      assertEquals(2, FakeDriver.calls("cuModuleLoadData"));
      assertEquals("sm_100", backend.isa());
    }
    assertEquals(0, FakeDriver.openObjects());
  }

  /** Counts how often a thread has given its permit back and taken it again. */
  private static final class CountedPermit implements WorkPermit {
    final AtomicInteger givenBack = new AtomicInteger();
    final AtomicInteger takenAgain = new AtomicInteger();

    @Override
    public void giveBack() {
      givenBack.incrementAndGet();
    }

    @Override
    public void takeAgain() {
      takenAgain.incrementAndGet();
    }
  }

  @Test
  void aWaitForAFamilyLeavesItsPermitToOthersAndEndsWithTheWork() throws InterruptedException {
    FakeDriver.reset(FakeDriver.Options.DEFAULT.withCapability(100), SEED);
    try (CudaBackend backend = CudaBackend.open(0)) {
      FakeDriver.stall("cuModuleLoadData", 1);
      Thread first = new Thread(() -> backend.kernel("tile_program"), "first");
      first.start();
      FakeDriver.awaitStalled();
      CountedPermit permit = new CountedPermit();
      CompletableFuture<String> refusal = new CompletableFuture<>();
      Thread second =
          new Thread(
              () -> {
                ThreadRecord.current().workBy(permit);
                refusal.complete(
                    assertThrows(EngineException.class, () -> backend.kernel("tile_program"))
                        .getMessage());
              });
      second.start();
      try {
        Wait wait = DeviceWaits.find(second, "kernels of family");
        wait.breakOff("because the query was cancelled");
        assertTrue(refusal.join().endsWith("ended: because the query was cancelled"));
        assertEquals(1, permit.givenBack.get());
      } finally {
        FakeDriver.resume();
        first.join();
        second.join();
      }
      assertEquals(1, permit.takenAgain.get());
    }
  }

  /** Few status blocks over a context of their own. */
  private static final class FewBlocks implements AutoCloseable {
    final CudaContext context;
    final StatusBlocks blocks;
    final List<CudaKernelStatus> taken = new ArrayList<>();

    FewBlocks(int count, Duration maxWait) {
      FakeDriver.reset(FakeDriver.Options.DEFAULT, SEED);
      context = new CudaContext(CudaDevice.find(0).device());
      blocks =
          new StatusBlocks(
              context,
              new DeviceMemorySource(context),
              new PinnedMemorySource(context),
              count,
              maxWait);
      for (int i = 0; i < count; i++) {
        taken.add(blocks.take());
      }
    }

    @Override
    public void close() {
      taken.forEach(KernelStatus::close);
      assertEquals(0, blocks.openBlocks());
      blocks.free();
      context.close();
      assertEquals(0, FakeDriver.openObjects());
    }
  }

  @Test
  void waitForAStatusBlockGetsAReturnedBlock() {
    try (FewBlocks few = new FewBlocks(2, LONG)) {
      CompletableFuture<CudaKernelStatus> wanted = new CompletableFuture<>();
      Thread waiting = new Thread(() -> wanted.complete(few.blocks.take()));
      waiting.start();
      DeviceWaits.await(waiting, "one of 2 status blocks, which are all in use");
      few.taken.remove(0).close();
      few.taken.add(wanted.join());
      assertEquals(2, few.blocks.openBlocks());
    }
  }

  @Test
  void waitForAStatusBlockTimesOut() {
    try (FewBlocks few = new FewBlocks(3, Duration.ofMillis(30))) {
      EngineException e = assertThrows(EngineException.class, few.blocks::take);
      assertEquals(ErrorCode.INTERNAL, e.code());
      assertTrue(
          e.getMessage()
              .startsWith(
                  "all 3 status blocks of the GPU are in use and none came back within 30 ms; GPU"
                      + " 0 (Fake GPU) with at most 3 queued calls to do"),
          e.getMessage());
      assertEquals(3, few.blocks.openBlocks());
    }
  }

  @Test
  void waitForAStatusBlockEndsWhenTheWorkIsStopped() throws InterruptedException {
    try (FewBlocks few = new FewBlocks(1, LONG)) {
      List<EngineException> thrown = new ArrayList<>();
      Thread waiting =
          new Thread(() -> thrown.add(assertThrows(EngineException.class, few.blocks::take)));
      waiting.start();
      Wait wait = DeviceWaits.find(waiting, "one of 1 status blocks");
      assertTrue(wait.isBreakable());
      wait.breakOff("because the query was cancelled");
      waiting.join();
      assertTrue(
          thrown.get(0).getMessage().contains("because the query was cancelled"),
          thrown.get(0).getMessage());
    }
    assertEquals(null, ThreadRecord.current().currentWait());
  }

  @Test
  void remembersLaunches() {
    FakeDriver.reset(FakeDriver.Options.DEFAULT, SEED);
    try (CudaBackend backend = CudaBackend.open(0)) {
      KernelFunction kernel = backend.kernel("entry_mask");
      try (ArgumentBlock arguments = new ArgumentBlock(kernel.argumentBytes())) {
        backend.launch(kernel, LaunchShape.ofRows(0), arguments);
        assertTrue(
            backend.work().contains("the kernel launched last is entry_mask over 0 rows"),
            backend.work());
      }
    }
  }
}
