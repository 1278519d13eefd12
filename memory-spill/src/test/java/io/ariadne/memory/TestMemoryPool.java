package io.ariadne.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.MemoryUse;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.WaitKind;
import io.ariadne.event.WorkOwner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class TestMemoryPool {
  private static final int THREADS = 8;
  private static final int STEPS = 20_000;

  @Test
  void buffersAreAlignedAndPadded() {
    try (MemoryPool pool = MemoryPools.host("p", 1 << 20)) {
      for (long length : new long[] {1, 63, 64, 65, 4096, 100_001}) {
        try (MemoryBuffer buffer = pool.allocate(length)) {
          assertEquals(0, buffer.address() % MemoryBuffer.ALIGNMENT);
          assertEquals(length, buffer.lengthInBytes());
          assertEquals((length + 63) / 64 * 64, buffer.capacityInBytes());
          assertEquals(buffer.capacityInBytes(), pool.allocatedBytes());
          assertEquals(MemoryTier.HOST, buffer.tier());
          buffer.putByte(buffer.capacityInBytes() - 1, (byte) 1);
        }
        assertEquals(0, pool.allocatedBytes());
      }
    }
  }

  @Test
  void emptyBufferTakesNothingButMustBeClosed() {
    MemoryPool pool = MemoryPools.host("p", 0);
    MemoryBuffer buffer = pool.allocate(0);
    assertEquals(0, pool.allocatedBytes());
    assertEquals(1, pool.openBufferCount());
    buffer.close();
    pool.close();
  }

  @Test
  void limitIsExactAndTheMessageNamesTheState() {
    try (MemoryPool pool = MemoryPools.host("executor", 1024)) {
      try (MemoryBuffer all = pool.allocate(1024)) {
        assertEquals(0, pool.availableBytes());
        EngineException e = assertThrows(EngineException.class, () -> pool.allocate(1));
        assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
        assertTrue(e.getMessage().contains("executor"), e.getMessage());
        assertTrue(e.getMessage().contains("limit=1024 allocated=1024"), e.getMessage());
        assertEquals(1024, all.capacityInBytes());
      }
      assertThrows(EngineException.class, () -> pool.allocate(1025));
      assertThrows(EngineException.class, () -> pool.allocate(Long.MAX_VALUE - 64));
      assertThrows(IllegalArgumentException.class, () -> pool.allocate(Long.MAX_VALUE));
      assertThrows(IllegalArgumentException.class, () -> pool.allocate(-1));
      assertEquals(0, pool.allocatedBytes());
      assertEquals(1024, pool.peakBytes());
    }
  }

  @Test
  void zeroedBufferIsZeroToItsCapacity() {
    try (MemoryPool pool = MemoryPools.host("p", 4096)) {
      try (MemoryBuffer dirty = pool.allocate(640)) {
        for (int i = 0; i < 640; i++) {
          dirty.putByte(i, (byte) 7);
        }
      }
      try (MemoryBuffer buffer = pool.allocateZeroed(600)) {
        for (int i = 0; i < 640; i++) {
          assertEquals(0, buffer.getByte(i));
        }
      }
    }
  }

  /** A device whose memory the host must not touch. */
  private static final class DeviceSource implements MemorySource {
    private final List<Long> zeroed = new ArrayList<>();
    private boolean broken;

    @Override
    public MemoryTier tier() {
      return MemoryTier.DEVICE;
    }

    @Override
    public long allocate(long lengthInBytes) {
      return 1 << 20;
    }

    @Override
    public void free(long address, long lengthInBytes) {}

    @Override
    public void fill(long address, long lengthInBytes, byte value) {
      if (broken) {
        throw new IllegalStateException("device is gone");
      }
      zeroed.add(lengthInBytes);
    }
  }

  @Test
  void deviceMemoryIsZeroedByItsSource() throws Exception {
    DeviceSource source = new DeviceSource();
    try (MemoryPool pool = MemoryPools.over("device", 4096, source);
        Reservation reservation = pool.reserve("task", 1024, 0)) {
      pool.allocateZeroed(100).close();
      reservation.allocateZeroed(64).close();
      pool.allocateZeroed(0).close();
      assertEquals(List.of(128L, 64L), source.zeroed);
      source.broken = true;
      assertThrows(IllegalStateException.class, () -> pool.allocateZeroed(100));
      assertThrows(IllegalStateException.class, () -> reservation.allocateZeroed(100));
      assertEquals(1024, pool.allocatedBytes());
      assertEquals(MemoryTier.DEVICE, reservation.tier());
    }
  }

  @Test
  void childCountsAgainstItselfAndItsParents() {
    MemoryPool root = MemoryPools.host("root", 1024);
    MemoryPool child = root.newChild("a", 512);
    MemoryPool grandchild = child.newChild("b", 4096);
    MemoryBuffer buffer = grandchild.allocate(512);
    assertEquals(512, root.allocatedBytes());
    assertEquals(512, child.allocatedBytes());
    assertEquals(0, grandchild.availableBytes());
    EngineException e = assertThrows(EngineException.class, () -> grandchild.allocate(64));
    assertTrue(e.getMessage().contains("in pool root/a/b: pool root/a (HOST)"), e.getMessage());
    assertEquals(512, grandchild.allocatedBytes(), "the refused request is not charged");
    MemoryBuffer own = root.allocate(512);
    assertThrows(EngineException.class, () -> root.newChild("c", 64).allocate(1));
    buffer.close();
    own.close();
    assertEquals(0, root.allocatedBytes());
    assertEquals(512, grandchild.peakBytes());
    assertEquals(1024, root.peakBytes());
    grandchild.close();
    child.close();
  }

  @Test
  void leakReportNamesTheSite() {
    MemoryPool root = MemoryPools.host("root", 1 << 20, true);
    MemoryPool child = root.newChild("task", 1 << 20);
    MemoryBuffer first = allocateForTheLeak(child);
    MemoryBuffer second = allocateForTheLeak(child);
    EngineException e = assertThrows(EngineException.class, child::close);
    assertEquals(ErrorCode.INTERNAL, e.code());
    assertTrue(e.getMessage().contains("root/task has 384 bytes and 2 buffers"), e.getMessage());
    assertTrue(e.getMessage().contains("TestMemoryPool.allocateForTheLeak"), e.getMessage());
    assertFalse(e.getMessage().contains("MemoryPool.newBuffer"), e.getMessage());
    EngineException above = assertThrows(EngineException.class, root::close);
    assertTrue(above.getMessage().contains("allocateForTheLeak"), above.getMessage());
    first.close();
    second.close();
    assertEquals(0, root.allocatedBytes());
  }

  private static MemoryBuffer allocateForTheLeak(MemoryPool pool) {
    return pool.allocate(129);
  }

  @Test
  void leakReportWithoutTrackingSaysHowToTrack() {
    MemoryPool pool = MemoryPools.host("p", 1024, false);
    MemoryBuffer buffer = pool.allocate(1);
    EngineException e = assertThrows(EngineException.class, pool::close);
    assertTrue(
        e.getMessage().contains(MemoryPools.TRACK_ALLOCATIONS_PROPERTY + "=true"), e.getMessage());
    buffer.close();
  }

  @Test
  void doubleCloseIsDetected() {
    MemoryPool pool = MemoryPools.host("p", 1024);
    MemoryBuffer buffer = pool.allocate(1);
    buffer.close();
    assertThrows(IllegalStateException.class, buffer::close);
    assertEquals(0, pool.allocatedBytes());
    pool.close();
    assertThrows(IllegalStateException.class, pool::close);
    assertThrows(IllegalStateException.class, () -> pool.allocate(1));
    assertThrows(IllegalStateException.class, () -> pool.newChild("c", 1));
  }

  /**
   * Buffers count for the work that allocated them until any thread frees them or they leave it.
   */
  @Test
  void buffersCountForTheWorkThatAllocatedThem() throws Exception {
    MemoryPool pool = MemoryPools.host("p", 1 << 20);
    MemoryUse whole = new MemoryUse(null);
    MemoryUse[] nodes = {new MemoryUse(whole), new MemoryUse(whole)};
    ThreadRecord thread = ThreadRecord.current();
    WorkOwner before = thread.workFor(new Work(whole, nodes));
    thread.workOn(0);
    MemoryBuffer first = pool.allocate(1000);
    thread.workOn(1);
    MemoryBuffer second = pool.allocate(2000);
    MemoryBuffer handedOn = pool.allocate(64);
    boolean wasForProcess = ThreadUse.current().forProcess(true);
    MemoryBuffer ofNobody = pool.allocate(64);
    ThreadUse.current().forProcess(wasForProcess);
    thread.workFor(before);
    MemoryBuffer outside = pool.allocate(64);
    handedOn.leaveWork();
    Thread other = new Thread(first::close);
    other.start();
    other.join();
    assertEquals(0, nodes[0].heldBytes());
    assertEquals(1024, nodes[0].peakBytes());
    assertEquals(2048, nodes[1].heldBytes());
    assertEquals(2048 + 64, nodes[1].peakBytes());
    assertEquals(2048, whole.heldBytes());
    assertEquals(1024 + 2048 + 64, whole.peakBytes());
    List.of(second, handedOn, ofNobody, outside).forEach(MemoryBuffer::close);
    assertEquals(0, whole.heldBytes());
    pool.close();
  }

  private record Work(MemoryUse whole, MemoryUse[] nodes) implements WorkOwner {
    @Override
    public MemoryUse memoryUse(int node) {
      return node < 0 ? whole : nodes[node];
    }

    @Override
    public String description() {
      return "work";
    }

    @Override
    public long startNanos() {
      return 0;
    }

    @Override
    public void waited(int node, WaitKind kind, long nanos) {}

    @Override
    public void spilled(int node, long bytes, long diskBytes, long nanos) {}

    @Override
    public void readBack(int node, long bytes, long nanos) {}
  }

  @Test
  void racingOwnersFreeOnce() {
    MemoryPool pool = MemoryPools.host("p", 1024);
    Allocation allocation = new Allocation(pool, bytes -> {}, 0, null, null);
    MemoryBuffer buffer = new MemoryBuffer(0, 0, 0, MemoryTier.HOST, allocation);
    allocation.release(buffer);
    assertThrows(IllegalStateException.class, () -> allocation.release(buffer));
  }

  @Test
  void bufferMayMoveToAnotherLength() {
    try (MemoryPool pool = MemoryPools.host("p", 1024)) {
      MemoryBuffer buffer = pool.allocate(128);
      buffer.putLong(0, 42);
      MemoryBuffer moved = buffer.withLength(8);
      assertThrows(IllegalStateException.class, buffer::close);
      assertEquals(42, moved.getLong(0));
      assertEquals(8, moved.lengthInBytes());
      moved.close();
    }
  }

  @Test
  void exhaustedSourceIsReportedAndNotCharged() {
    CountingSource source = new CountingSource();
    source.exhausted = true;
    try (MemoryPool pool = MemoryPools.over("p", 1024, source)) {
      EngineException e = assertThrows(EngineException.class, () -> pool.allocate(100));
      assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
      assertTrue(e.getMessage().contains("within the limit"), e.getMessage());
      assertEquals(0, pool.allocatedBytes());
      assertEquals(0, pool.openBufferCount());
    }
  }

  @Test
  void limitIsNeverExceededByThreads() throws Exception {
    long limit = 64 << 10;
    CountingSource source = new CountingSource();
    MemoryPool root = MemoryPools.over("root", limit, source);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<Integer>> results = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      MemoryPool child = root.newChild("t" + thread, limit / 3);
      long seed = thread;
      results.add(threads.submit(() -> allocateAndFree(child, new Random(seed))));
    }
    int refused = 0;
    for (Future<Integer> result : results) {
      refused += result.get();
    }
    threads.shutdown();
    assertTrue(refused > 0, "the limit was never reached");
    assertTrue(source.highest.get() <= limit, "highest " + source.highest.get());
    assertTrue(root.peakBytes() <= limit);
    assertEquals(0, source.out.get());
    assertEquals(0, root.allocatedBytes());
    root.close();
  }

  @Test
  void failingSourceLeavesNothingCharged() {
    CountingSource source = new CountingSource();
    MemoryPool root = MemoryPools.over("root", 1024, source);
    source.broken = true;
    EngineException e = assertThrows(EngineException.class, () -> root.allocate(64));
    assertEquals(ErrorCode.INTERNAL, e.code());
    assertEquals(0, root.allocatedBytes());
    root.close();
  }

  private static int allocateAndFree(MemoryPool pool, Random random) {
    Deque<MemoryBuffer> open = new ArrayDeque<>();
    int refused = 0;
    for (int step = 0; step < STEPS; step++) {
      if (random.nextInt(3) > 0) {
        try {
          open.add(pool.allocate(random.nextInt(4096)));
        } catch (EngineException e) {
          refused++;
          while (open.size() > 2) {
            open.remove().close();
          }
        }
      } else if (!open.isEmpty()) {
        open.remove().close();
      }
      if (pool.allocatedBytes() > pool.limitInBytes()) {
        throw new AssertionError(pool.state());
      }
    }
    open.forEach(MemoryBuffer::close);
    pool.close();
    return refused;
  }
}
