package io.ariadne.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.HostRead;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies of pageable memory through the ring, over the fake driver, which delays them. */
class TestFakeCudaStagingRing {
  private static final long SEED = Long.getLong("ariadne.test.seed", System.nanoTime());
  private static final int INVALID_VALUE = 1;
  private static final int OUT_OF_MEMORY = 2;
  private static final int CHUNK = StagingRing.CHUNK_BYTES;

  private final Random random = new Random(SEED);
  private final MemoryPool host = MemoryPools.host("host", 256L << 20, true);
  private CudaBackend backend;
  private MemoryPool device;

  @BeforeEach
  void open() {
    FakeDriver.reset(FakeDriver.Options.DEFAULT, SEED);
    backend = CudaBackend.open(0);
    device =
        MemoryPools.over("device", 256L << 20, backend.memory(MemoryTier.DEVICE).orElseThrow());
  }

  @AfterEach
  void close() {
    device.close();
    backend.close();
    host.close();
    assertEquals(0, FakeDriver.openObjects());
    assertEquals(0, FakeDriver.leakedObjects());
    assertEquals(0, FakeDriver.lateCopies());
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Copies to the device and back; the host's memory is used for something else between them. */
  private byte[] copied(byte[] bytes) {
    try (MemoryBuffer source = host.allocate(bytes.length);
        MemoryBuffer target = device.allocate(bytes.length)) {
      source.putBytes(0, bytes, 0, bytes.length);
      backend.write(source.address(), target, 0, bytes.length);
      Memory.fill(source.address(), bytes.length, (byte) 9);
      backend.read(target, 0, source.address(), bytes.length);
      byte[] result = new byte[bytes.length];
      source.getBytes(0, result, 0, bytes.length);
      return result;
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {1, 63, 4096, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK + 7, 16 * CHUNK, 40 * CHUNK + 1})
  void copiesOfAllLengthsKeepTheirBytes(int length) {
    byte[] bytes = bytes(length);
    assertArrayEquals(bytes, copied(bytes), "seed " + SEED);
    assertEquals(0, FakeDriver.usage().pageableCopies());
  }

  /** The host goes on at once, as long as the ring has room. */
  @Test
  void writesDoNotWait() {
    try (MemoryBuffer source = host.allocateZeroed(4 * CHUNK);
        MemoryBuffer target = device.allocate(4 * CHUNK)) {
      long waits = FakeDriver.usage().waits();
      for (int i = 0; i < 4; i++) {
        backend.write(source.address(), target, (long) i * CHUNK, CHUNK);
      }
      assertEquals(waits, FakeDriver.usage().waits());
      backend.read(target, 0, source.address(), 4 * CHUNK);
      assertEquals(waits + 1, FakeDriver.usage().waits());
    }
  }

  /** Reads buffers of some lengths at once; returns how many waits that took. */
  private long waitsForReadsOf(int... lengths) {
    List<MemoryBuffer> buffers = new ArrayList<>();
    List<HostRead> reads = new ArrayList<>();
    List<byte[]> contents = new ArrayList<>();
    try {
      for (int length : lengths) {
        MemoryBuffer source = device.allocate(length);
        buffers.add(source);
        MemoryBuffer target = host.allocateZeroed(length);
        buffers.add(target);
        byte[] bytes = bytes(length);
        contents.add(bytes);
        target.putBytes(0, bytes, 0, length);
        backend.write(target.address(), source, 0, length);
        target.fillZero();
        reads.add(new HostRead(source, target.address(), length));
      }
      long before = FakeDriver.usage().waits();
      backend.readAll(reads);
      long waits = FakeDriver.usage().waits() - before;
      for (int i = 0; i < lengths.length; i++) {
        byte[] copied = new byte[lengths[i]];
        buffers.get(2 * i + 1).getBytes(0, copied, 0, lengths[i]);
        assertArrayEquals(contents.get(i), copied, "buffer " + i + ", seed " + SEED);
      }
      return waits;
    } finally {
      buffers.forEach(MemoryBuffer::close);
    }
  }

  @Test
  void oneWaitReadsSeveralShortBuffers() {
    assertEquals(0, waitsForReadsOf());
    assertEquals(1, waitsForReadsOf(1, 64, 4096, 100_000, CHUNK, 63));
    assertEquals(0, FakeDriver.usage().pageableCopies());
  }

  @Test
  void readsManyBuffersOfAllLengths() {
    int[] lengths = new int[300];
    for (int i = 0; i < lengths.length; i++) {
      lengths[i] = 1 + random.nextInt(random.nextInt(8) == 0 ? 3 * CHUNK : 5000);
    }
    long waits = waitsForReadsOf(lengths);
    assertTrue(waits < lengths.length / 4, waits + " waits, seed " + SEED);
    assertEquals(0, FakeDriver.usage().pageableCopies());
  }

  @Test
  void readsSeveralBuffersWithoutPageLockedMemory() {
    FakeDriver.refusePinnedAbove(CHUNK);
    long unused = waitsForReadsOf(3 * CHUNK, 5, 70_000);
    assertEquals(6, FakeDriver.usage().pageableCopies());
  }

  /** The driver copies pageable memory when it has no page-locked memory. */
  @Test
  void copiesWithoutPageLockedMemory() {
    FakeDriver.refusePinnedAbove(CHUNK);
    byte[] bytes = bytes(3 * CHUNK + 5);
    assertArrayEquals(bytes, copied(bytes), "seed " + SEED);
    assertEquals(2, FakeDriver.usage().pageableCopies());
  }

  @ParameterizedTest
  @CsvSource({
    "cuMemcpyHtoDAsync_v2, 1",
    "cuMemcpyHtoDAsync_v2, 6",
    "cuMemcpyHtoDAsync_v2, 20",
    "cuMemcpyDtoHAsync_v2, 1",
    "cuMemcpyDtoHAsync_v2, 3",
    "cuMemcpyDtoHAsync_v2, 20",
    "cuEventCreate, 3",
    "cuEventRecord, 1",
    "cuEventRecord, 18",
    "cuEventRecord, 23",
    "cuEventSynchronize, 1",
    "cuMemHostAlloc, 1",
  })
  void copiesAfterOneThatHasFailed(String entryPoint, int call) {
    byte[] bytes = bytes(20 * CHUNK + 1);
    FakeDriver.fail(entryPoint, call, INVALID_VALUE);
    EngineException e = assertThrows(EngineException.class, () -> copied(bytes));
    assertEquals(ErrorCode.INTERNAL, e.code(), e::getMessage);
    for (int i = 0; i < 3; i++) {
      assertArrayEquals(bytes, copied(bytes), "seed " + SEED);
    }
    assertEquals(0, FakeDriver.usage().pageableCopies());
  }

  /** The first copy through the ring has no event, so the driver copies; the others have. */
  @Test
  void copiesWithoutAnEvent() {
    FakeDriver.fail("cuEventCreate", 1, OUT_OF_MEMORY);
    byte[] bytes = bytes(3 * CHUNK);
    assertArrayEquals(bytes, copied(bytes), "seed " + SEED);
    assertEquals(1, FakeDriver.usage().pageableCopies());
    assertArrayEquals(bytes, copied(bytes), "seed " + SEED);
    assertEquals(1, FakeDriver.usage().pageableCopies());
  }

  /** Many short copies that the device has not made wait for it instead of taking more events. */
  @Test
  void shortCopiesTakeFewEvents() {
    int count = 3 * StagingRing.MAX_SLOTS;
    byte[] bytes = bytes(64 * count);
    try (MemoryBuffer source = host.allocate(bytes.length);
        MemoryBuffer target = device.allocate(bytes.length)) {
      source.putBytes(0, bytes, 0, bytes.length);
      long before = FakeDriver.openObjects();
      for (int i = 0; i < count; i++) {
        backend.write(source.address() + 64L * i, target, 64L * i, 64);
      }
      long added = FakeDriver.openObjects() - before;
      assertTrue(added <= StagingRing.MAX_SLOTS + 2, added + " objects");
      source.fillZero();
      backend.read(target, 0, source.address(), bytes.length);
      byte[] result = new byte[bytes.length];
      source.getBytes(0, result, 0, bytes.length);
      assertArrayEquals(bytes, result, "seed " + SEED);
    }
  }

  /** A thread that keeps the oldest slot does not keep others waiting. */
  @Test
  void copiesBesideTheRingWhenAnotherThreadKeepsIt() throws Exception {
    byte[] bytes = bytes(17 * CHUNK);
    FakeDriver.stall("cuMemcpyHtoDAsync_v2", 1);
    byte[] others = bytes(CHUNK);
    CompletableFuture<byte[]> other = CompletableFuture.supplyAsync(() -> copied(others));
    FakeDriver.awaitStalled();
    try (MemoryBuffer source = host.allocate(bytes.length);
        MemoryBuffer target = device.allocate(bytes.length)) {
      source.putBytes(0, bytes, 0, bytes.length);
      backend.write(source.address(), target, 0, bytes.length);
      assertEquals(1, FakeDriver.usage().pageableCopies());
      FakeDriver.resume();
      assertArrayEquals(others, other.get(), "seed " + SEED);
      source.fillZero();
      backend.read(target, 0, source.address(), bytes.length);
      byte[] result = new byte[bytes.length];
      source.getBytes(0, result, 0, bytes.length);
      assertArrayEquals(bytes, result, "seed " + SEED);
      assertEquals(1, FakeDriver.usage().pageableCopies());
    } finally {
      FakeDriver.resume();
    }
  }

  @Test
  void threadsShareTheRing() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        Random own = new Random(SEED + i);
        all.add(
            threads.submit(
                () -> {
                  for (int round = 0; round < 8; round++) {
                    byte[] bytes = new byte[1 + own.nextInt(6 * CHUNK)];
                    own.nextBytes(bytes);
                    assertArrayEquals(bytes, copied(bytes), "seed " + SEED);
                  }
                }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
