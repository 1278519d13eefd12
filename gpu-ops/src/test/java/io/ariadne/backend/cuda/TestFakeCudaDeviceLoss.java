package io.ariadne.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.kernel.abi.EntryMaskArgsLayout;
import io.ariadne.memory.FallbackMemorySource;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.MemorySource;
import io.ariadne.memory.PagePool;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillStore;
import io.ariadne.spill.host.DeviceBatches;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** After an error that loses the context, the driver is not called and everything is freed. */
class TestFakeCudaDeviceLoss {
  private static final int INVALID_VALUE = 1;
  private static final int ILLEGAL_ADDRESS = 700;
  private static final int UNKNOWN = 999;

  /** Some copies are made at once. */
  private static final int LATE_COPY_CASES = 8;

  private static final Schema LONGS = RandomBatches.schemaOf(List.of(PrimitiveType.INT64));

  @TempDir private Path folder;

  private static final long SEED = Long.getLong("ariadne.test.seed", System.nanoTime());

  private final List<String> told = new ArrayList<>();
  private CudaBackend backend;
  private MemoryPool pool;
  private MemoryBuffer buffer;
  private ArgumentBlock host;

  @BeforeEach
  void open() {
    open(SEED);
    host = new ArgumentBlock(64);
  }

  private void open(long seed) {
    FakeDriver.reset(FakeDriver.Options.DEFAULT, seed);
    backend = CudaBackend.open(0);
    backend.whenLost(told::add);
    pool = MemoryPools.over("device", 1 << 20, backend.memory(MemoryTier.DEVICE).orElseThrow());
    buffer = pool.allocate(128);
  }

  @AfterEach
  void close() {
    host.close();
    closeBuffer();
    assertEquals(0, pool.allocatedBytes());
    pool.close();
    backend.close();
    assertEquals(0, FakeDriver.openObjects());
  }

  private void closeBuffer() {
    if (buffer != null) {
      buffer.close();
      buffer = null;
    }
  }

  private void loseBy(int status) {
    FakeDriver.fail("cuEventSynchronize", 1, status);
    assertLost(() -> backend.read(buffer, 0, host.address(), 64));
  }

  private void assertLost(Executable call) {
    EngineException e = assertThrows(EngineException.class, call);
    assertEquals(ErrorCode.DEVICE_LOST, e.code(), e::getMessage);
    assertEquals(backend.lost(), Optional.of(e.getMessage()));
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        4, 46, 214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 806, 810, 911,
        999
      })
  void noCallReachesTheDriverAfterTheLoss(int status) {
    KernelStatus block = backend.newStatus();
    assertEquals(Optional.empty(), backend.lost());
    loseBy(status);
    long calls = FakeDriver.allCalls();
    assertLost(() -> backend.read(buffer, 0, host.address(), 64));
    assertLost(() -> backend.write(host.address(), buffer, 0, 64));
    assertLost(() -> backend.clear(buffer, 0, 64));
    assertLost(() -> backend.copy(buffer, buffer, 64));
    assertLost(() -> backend.kernel("tile_program"));
    assertLost(backend::newStatus);
    assertLost(backend::freeMemoryInBytes);
    assertLost(() -> pool.allocate(64));
    assertLost(block::await);
    assertLost(block::cancel);
    closeBuffer();
    block.close();
    assertEquals(calls, FakeDriver.allCalls(), "the driver was called");
    assertEquals(0, pool.allocatedBytes());
    assertTrue(FakeDriver.deviceBytes() > 0, "the context has it until it ends");
    assertEquals(1, told.size());
  }

  @Test
  void keepsTheFirstCause() {
    KernelStatus block = backend.newStatus();
    block.close();
    loseBy(ILLEGAL_ADDRESS);
    String cause = backend.lost().orElseThrow();
    assertTrue(
        cause.startsWith(
            "GPU 0 (Fake GPU) is lost: cuEventSynchronize failed: CUDA_ERROR_ILLEGAL_ADDRESS ("),
        cause);
    assertTrue(cause.endsWith("; no kernel was launched"), cause);
    assertEquals(List.of(cause), told);
    List<String> later = new ArrayList<>();
    backend.whenLost(later::add);
    assertEquals(List.of(cause), later, "a loss that is past is told at once");
  }

  /** A kernel that touches memory it was not given, as the emulator finds. */
  @Test
  void kernelThatFaultsLosesTheDevice() {
    KernelFunction kernel = backend.kernel("entry_mask");
    try (ArgumentBlock arguments = new ArgumentBlock(kernel.argumentBytes());
        KernelStatus block = backend.newStatus()) {
      arguments.putLong(EntryMaskArgsLayout.STATUS_OFFSET, block.address());
      arguments.putInt(EntryMaskArgsLayout.ROWS_OFFSET, 64);
      backend.launch(kernel, LaunchShape.ofRows(64), arguments);
      assertLost(block::await);
      String cause = backend.lost().orElseThrow();
      assertTrue(cause.contains("CUDA_ERROR_ILLEGAL_ADDRESS (out of bounds"), cause);
      assertTrue(cause.contains("the kernel launched last is entry_mask over 64 rows"), cause);
      assertEquals(1, cause.lines().count());
    }
  }

  @Test
  void failingFreeLosesTheDevice() {
    FakeDriver.fail("cuMemFree_v2", 1, ILLEGAL_ADDRESS);
    closeBuffer();
    assertEquals(1, told.size());
    assertTrue(told.get(0).contains("cuMemFree failed"), told.get(0));
    assertLost(() -> pool.allocate(64));
  }

  @Test
  void otherErrorsLeaveTheDeviceInUse() {
    FakeDriver.fail("cuMemcpyDtoHAsync_v2", 1, INVALID_VALUE);
    EngineException e =
        assertThrows(EngineException.class, () -> backend.read(buffer, 0, host.address(), 64));
    assertEquals(ErrorCode.INTERNAL, e.code());
    assertEquals(Optional.empty(), backend.lost());
    backend.read(buffer, 0, host.address(), 64);
    assertEquals(List.of(), told);
  }

  /** Pages on the way to disk are of it: what is lent stays usable, and others take its place. */
  @Test
  void pinnedMemoryStaysUsable() {
    MemorySource pinned = backend.memory(MemoryTier.PINNED).orElseThrow();
    MemoryPool pages = MemoryPools.over("pages", 1 << 20, pinned);
    MemoryBuffer page = pages.allocate(64);
    loseBy(ILLEGAL_ADDRESS);
    long calls = FakeDriver.allCalls();
    assertEquals(0, pinned.allocate(64));
    page.fillZero();
    page.putLong(8, 42);
    assertEquals(42, page.getLong(8));
    page.close();
    pages.close();
    assertEquals(calls, FakeDriver.allCalls(), "the driver was called");
  }

  /**
   * After an unknown error the GPU may go on with a copy to a page: the pool gives that page out no
   * more.
   */
  @Test
  void retiresPagesThatTheDeviceMayWriteTo() {
    long late = 0;
    for (int i = 0; i < LATE_COPY_CASES; i++) {
      close();
      host = new ArgumentBlock(64);
      open(SEED + i);
      loseWhileSpilling();
      late += FakeDriver.lateCopies();
    }
    assertTrue(late > 0, "no copy was late, seed " + SEED);
  }

  private void loseWhileSpilling() {
    MemorySource pinned = backend.memory(MemoryTier.PINNED).orElseThrow();
    MemorySource source = new FallbackMemorySource(pinned, MemoryPools.hostSource());
    DeviceBatches copies = new DeviceBatches(backend);
    try (MemoryPool rows = MemoryPools.host("rows", 1 << 20);
        MemoryPool pageMemory = MemoryPools.over("pages", 16 << 20, source);
        PagePool pages = new PagePool(pageMemory, PagePool.PAGE_BYTES, 0, 3);
        DiskSpillStore files =
            new DiskSpillStore(DiskSpillOptions.in(List.of(folder)), pages, backend);
        RecordBatch batch = RandomBatches.create().batch(LONGS, 1000, NullPattern.NONE, rows);
        RecordBatch onDevice = copies.toDevice(batch, pool, true)) {
      backend.prepareThread();
      FakeDriver.fail("cuStreamSynchronize", 1, UNKNOWN);
      assertLost(() -> files.ofDevice(rows).write(List.of(onDevice)));
      assertEquals(0, pages.pageCount());
      List<PagePool.Page> others = pages.take(3, 0);
      others.forEach(page -> Memory.fill(page.address(), page.sizeInBytes(), (byte) 0x5A));
      FakeDriver.runQueued();
      for (PagePool.Page page : others) {
        for (int at = 0; at < page.sizeInBytes(); at += Long.BYTES) {
          assertEquals(0x5A5A5A5A5A5A5A5AL, Memory.getLong(page.address() + at));
        }
      }
      pages.giveBack(others);
    }
  }

  /** Compiling and allocating may return an unknown error and succeed the next time. */
  @ParameterizedTest
  @ValueSource(strings = {"cuMemAlloc_v2", "cuMemHostAlloc", "cuMemcpyDtoHAsync_v2"})
  void unknownErrorOfOtherCallsLosesNothing(String entryPoint) {
    MemorySource pinned = backend.memory(MemoryTier.PINNED).orElseThrow();
    Executable calls =
        () -> {
          pool.allocate(64).close();
          pinned.free(pinned.allocate(64), 64);
          backend.read(buffer, 0, host.address(), 64);
        };
    FakeDriver.fail(entryPoint, 1, UNKNOWN);
    EngineException e = assertThrows(EngineException.class, calls);
    assertEquals(ErrorCode.INTERNAL, e.code(), e::getMessage);
    assertEquals(Optional.empty(), backend.lost());
    assertDoesNotThrow(calls);
    assertEquals(List.of(), told);
  }

  /** A copy fails for a reason of its own, and the wait until it is over finds the loss. */
  @Test
  void findsTheLossWhileACopySettles() {
    MemorySource pinned = backend.memory(MemoryTier.PINNED).orElseThrow();
    try (MemoryPool pages = MemoryPools.over("pages", 1 << 20, pinned);
        MemoryBuffer page = pages.allocate(64)) {
      FakeDriver.fail("cuMemcpyDtoHAsync_v2", 1, INVALID_VALUE);
      FakeDriver.fail("cuCtxSynchronize", 1, ILLEGAL_ADDRESS);
      assertLost(() -> backend.read(buffer, 0, page.address(), 64));
    }
  }

  @Test
  void findsTheLossWhilePinnedMemoryIsCleared() {
    MemorySource pinned = backend.memory(MemoryTier.PINNED).orElseThrow();
    try (MemoryPool pages = MemoryPools.over("pages", 1 << 20, pinned);
        MemoryBuffer page = pages.allocate(64)) {
      page.putLong(8, 42);
      backend.clear(buffer, 0, 64);
      FakeDriver.fail("cuStreamSynchronize", 1, ILLEGAL_ADDRESS);
      pinned.fill(page.address(), 64, (byte) 0);
      assertEquals(0, page.getLong(8));
      assertEquals(1, told.size());
    }
  }

  /** Batches of the host go on to disk, through pages of other memory. */
  @Test
  void lossIsNoFailureOfPinnedMemory() {
    FakeDriver.fail("cuMemHostAlloc", 1, ILLEGAL_ADDRESS);
    assertEquals(0, backend.memory(MemoryTier.PINNED).orElseThrow().allocate(64));
    assertEquals(1, told.size());
  }

  @Test
  void lossEndsTheWaitForAStatusBlock() throws InterruptedException {
    List<KernelStatus> all = new ArrayList<>();
    for (int i = 0; i < StatusBlocks.BLOCKS; i++) {
      all.add(backend.newStatus());
    }
    List<Throwable> thrown = new ArrayList<>();
    Thread waiting =
        new Thread(() -> thrown.add(assertThrows(EngineException.class, backend::newStatus)));
    waiting.start();
    DeviceWaits.await(waiting, "4096 status blocks");
    loseBy(ILLEGAL_ADDRESS);
    waiting.join();
    assertEquals(backend.lost(), Optional.of(thrown.get(0).getMessage()));
    all.forEach(KernelStatus::close);
    assertFalse(told.isEmpty());
  }
}
