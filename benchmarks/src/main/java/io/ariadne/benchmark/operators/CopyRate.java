package io.ariadne.benchmark.operators;

import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelStatus;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Measures the rate at which a back end copies within the memory of its kernels. */
final class CopyRate {
  private static final int ROUNDS = 5;
  private static final int COPIES = 4;
  private static final int ALIGNMENT = 64;

  private CopyRate() {}

  /**
   * Measures the rate.
   *
   * @param size of one copy; allocates twice as much
   * @param number of concurrent copies if the processor copies
   * @return the best of several rounds in GB/s, bytes read plus bytes written
   */
  static double measure(Backend backend, long bytes, int threads) throws InterruptedException {
    int copiers = backend.tier() == MemoryTier.HOST ? threads : 1;
    long share = bytes / copiers / ALIGNMENT * ALIGNMENT;
    try (MemoryPool pool = pool(backend, 2 * share * copiers)) {
      List<MemoryBuffer> buffers = new ArrayList<>();
      try {
        for (int i = 0; i < 2 * copiers; i++) {
          buffers.add(pool.allocateZeroed(share));
        }
        long best = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
          best = Math.min(best, nanos(backend, buffers, share));
        }
        return 2.0 * share * copiers * COPIES / best;
      } finally {
        buffers.forEach(MemoryBuffer::close);
      }
    }
  }

  private static MemoryPool pool(Backend backend, long bytes) {
    return backend
        .memory(backend.tier())
        .map(source -> MemoryPools.over("copy rate", bytes, source))
        .orElseGet(() -> MemoryPools.host("copy rate", bytes));
  }

  private static long nanos(Backend backend, List<MemoryBuffer> buffers, long bytes)
      throws InterruptedException {
    ExecutorService executor = Executors.newFixedThreadPool(buffers.size() / 2);
    try {
      List<Callable<Void>> copies = new ArrayList<>();
      for (int i = 0; i < buffers.size(); i += 2) {
        MemoryBuffer from = buffers.get(i);
        MemoryBuffer to = buffers.get(i + 1);
        copies.add(
            () -> {
              copy(backend, from, to, bytes);
              return null;
            });
      }
      long begin = System.nanoTime();
      for (Future<Void> copied : executor.invokeAll(copies)) {
        copied.get();
      }
      return System.nanoTime() - begin;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a copy fails", e.getCause());
    } finally {
      executor.shutdownNow();
    }
  }

  private static void copy(Backend backend, MemoryBuffer from, MemoryBuffer to, long bytes) {
    try (KernelStatus status = backend.newStatus()) {
      for (int i = 0; i < COPIES; i++) {
        backend.copy(from, to, bytes);
      }
      status.await();
    }
  }
}
