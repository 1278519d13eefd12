package io.ariadne.backend.cuda;

import static jcuda.driver.CUstream_flags.CU_STREAM_NON_BLOCKING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.EventKind;
import io.ariadne.event.EventTotals;
import io.ariadne.event.ThreadRecords;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import jcuda.Pointer;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.junit.jupiter.api.Test;

/** The back end's own duties over the fake driver. */
class TestFakeCudaBackend {
  private static final long SEED = Long.getLong("ariadne.test.seed", System.nanoTime());

  private static CudaBackend open(FakeDriver.Options options) {
    FakeDriver.reset(options, SEED);
    return CudaBackend.open(0);
  }

  private static void close(CudaBackend backend) {
    backend.close();
    assertEquals(0, FakeDriver.openObjects());
    assertEquals(0, FakeDriver.leakedObjects());
  }

  @Test
  void opensAndReleasesEverything() {
    CudaBackend backend = open(FakeDriver.Options.DEFAULT);
    assertEquals("cuda", backend.name());
    assertEquals("sm_90", backend.isa());
    assertEquals(MemoryTier.DEVICE, backend.tier());
    assertEquals("GPU 0 (Fake GPU)", backend.deviceName());
    assertEquals(
        "GPU 0 (Fake GPU), 1024 MiB, compute capability 9.0, driver of CUDA 12.6, by its number",
        backend.description());
    assertEquals(1L << 30, backend.sharing().memoryInBytes());
    assertEquals("tile_program", backend.kernel("tile_program").name());
    close(backend);
  }

  @Test
  void copiesThroughDeviceMemory() {
    CudaBackend backend = open(FakeDriver.Options.DEFAULT);
    try (MemoryPool pool =
            MemoryPools.over("device", 1 << 20, backend.memory(MemoryTier.DEVICE).orElseThrow());
        MemoryBuffer first = pool.allocateZeroed(100);
        MemoryBuffer second = pool.allocate(100);
        ArgumentBlock host = new ArgumentBlock(64)) {
      host.putLong(0, 42);
      EventTotals before = ThreadRecords.totals(EventKind.COPY);
      FakeDriver.Usage usageBefore = FakeDriver.usage();
      backend.write(host.address(), first, 64, 8);
      backend.copy(first, second, 72);
      Memory.fill(host.address(), 64, (byte) -1);
      backend.read(second, 60, host.address(), 16);
      EventTotals copied = ThreadRecords.totals(EventKind.COPY).minus(before);
      assertEquals(2, copied.count());
      assertEquals(8 + 16, copied.bytes());
      FakeDriver.Usage usage = FakeDriver.usage().minus(usageBefore);
      assertEquals(0, usage.pageableCopies());
      assertEquals(2, usage.pinnedCopies());
      assertEquals(8 + 16, usage.pinnedBytes());
      assertEquals(1, usage.waits());
      assertEquals(42L << 32, host.getLong(0));
      assertThrows(IllegalStateException.class, () -> second.getLong(0));
    }
    close(backend);
  }

  @Test
  void copyDoesNotWaitForAThreadThatFreesMemory() {
    CudaBackend backend = open(FakeDriver.Options.DEFAULT);
    CUstream stream = new CUstream();
    try (MemoryPool pool =
            MemoryPools.over("device", 1 << 20, backend.memory(MemoryTier.DEVICE).orElseThrow());
        MemoryBuffer zeros = pool.allocateZeroed(Long.BYTES);
        ArgumentBlock host = new ArgumentBlock(64)) {
      backend.read(zeros, 0, host.address(), Long.BYTES); // makes the context this thread's, too
      assertEquals(0, JCudaDriver.cuStreamCreate(stream, CU_STREAM_NON_BLOCKING));
      for (int i = 0; i < 16; i++) { // of four copies the driver runs one when it is queued
        host.putLong(0, -1);
        DevicePointer source = DevicePointer.of(zeros.address());
        Pointer target = HostPointer.of(host.address());
        assertEquals(0, JCudaDriver.cuMemcpyDtoHAsync(target, source, Long.BYTES, stream));
        CompletableFuture.runAsync(() -> pool.allocate(Long.BYTES).close()).join();
        assertEquals(0, JCudaDriver.cuStreamSynchronize(stream));
        assertEquals(0, host.getLong(0));
      }
      assertEquals(0, JCudaDriver.cuStreamDestroy(stream));
    }
    assertEquals(0, FakeDriver.lateCopies());
    close(backend);
  }

  @Test
  void runsOutOfMemoryWhenTheDriverSaysSo() {
    CudaBackend backend = open(FakeDriver.Options.DEFAULT.withMemory(1 << 20));
    MemoryPool pool =
        MemoryPools.over("device", 1L << 40, backend.memory(MemoryTier.DEVICE).orElseThrow());
    EngineException e = assertThrows(EngineException.class, () -> pool.allocate(1 << 20));
    assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
    pool.close();
    close(backend);
  }

  @Test
  void reportsWhyThereIsNoDevice() {
    assertUnavailable(FakeDriver.Options.DEFAULT.withDeviceCount(0), "cuInit failed");
    assertUnavailable(FakeDriver.Options.DEFAULT.withDriverVersion(11_080), "CUDA 11.8");
    assertUnavailable(FakeDriver.Options.DEFAULT.withCapability(75), "compute capability 7.5");
    FakeDriver.reset(FakeDriver.Options.DEFAULT, SEED);
    assertTrue(CudaBackend.reasonAgainst(1).orElse("").startsWith("there is no GPU 1"));
    assertEquals(Optional.empty(), CudaBackend.reasonAgainst(0));
  }

  private static void assertUnavailable(FakeDriver.Options options, String reason) {
    FakeDriver.reset(options, SEED);
    EngineException e = assertThrows(EngineException.class, () -> CudaBackend.open(0));
    assertEquals(ErrorCode.CONFIGURATION, e.code());
    assertTrue(e.getMessage().contains(reason), e.getMessage());
    assertEquals(0, FakeDriver.openObjects());
  }
}
