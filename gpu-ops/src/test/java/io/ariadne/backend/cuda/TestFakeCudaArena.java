package io.ariadne.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.memory.ArenaMemorySource;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * Threads take device memory from one arena while the fake driver delays what they have queued: a
 * block that is freed is another thread's at once.
 */
class TestFakeCudaArena {
  private static final long SEED = Long.getLong("ariadne.test.seed", System.nanoTime());
  private static final long ARENA_BYTES = 4L << 20;
  private static final int THREADS = 4;
  private static final int MOST_BYTES = 64 << 10;

  private CudaBackend backend;

  /** A buffer of the device and what was written to it. */
  private record Written(MemoryBuffer buffer, byte[] bytes) {}

  @Test
  void threadsReuseFreedBlocksAtOnce() throws Exception {
    FakeDriver.reset(FakeDriver.Options.DEFAULT, SEED);
    backend = CudaBackend.open(0);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (MemoryPool host = MemoryPools.host("host", 16L << 20, true);
        ArenaMemorySource arena =
            new ArenaMemorySource(
                backend.memory(MemoryTier.DEVICE).orElseThrow(), ARENA_BYTES, true);
        MemoryPool device = MemoryPools.over("device", ARENA_BYTES, arena)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Random random = new Random(SEED + i);
        all.add(threads.submit(() -> writeCopyAndCheck(host, device, random)));
      }
      for (Future<?> each : all) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    backend.close();
    assertEquals(0, FakeDriver.openObjects());
    assertEquals(0, FakeDriver.leakedObjects());
    assertEquals(0, FakeDriver.lateCopies());
  }

  private void writeCopyAndCheck(MemoryPool host, MemoryPool device, Random random) {
    Deque<Written> written = new ArrayDeque<>();
    try (MemoryBuffer staging = host.allocate(MOST_BYTES)) {
      for (int round = 0; round < 200; round++) {
        written.add(write(staging, device, random));
        if (random.nextInt(3) > 0) {
          written.add(copied(written.remove(), device));
        }
        if (written.size() > 4) {
          check(written.remove(), staging);
        }
      }
      written.forEach(each -> check(each, staging));
    }
  }

  private Written write(MemoryBuffer staging, MemoryPool device, Random random) {
    byte[] bytes = new byte[1 + random.nextInt(MOST_BYTES)];
    random.nextBytes(bytes);
    staging.putBytes(0, bytes, 0, bytes.length);
    MemoryBuffer buffer = device.allocate(bytes.length);
    backend.write(staging.address(), buffer, 0, bytes.length);
    return new Written(buffer, bytes);
  }

  /** Copies to another block, and frees the first one while the copy is queued. */
  private Written copied(Written source, MemoryPool device) {
    MemoryBuffer target = device.allocate(source.bytes().length);
    try (MemoryBuffer from = source.buffer()) {
      backend.copy(from, target, source.bytes().length);
    }
    return new Written(target, source.bytes());
  }

  private void check(Written written, MemoryBuffer staging) {
    try (MemoryBuffer buffer = written.buffer()) {
      int length = written.bytes().length;
      backend.read(buffer, 0, staging.address(), length);
      byte[] found = new byte[length];
      staging.getBytes(0, found, 0, length);
      assertArrayEquals(written.bytes(), found, "seed " + SEED);
    }
  }
}
