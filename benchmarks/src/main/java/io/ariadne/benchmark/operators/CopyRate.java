package io.ariadne.benchmark.operators;

import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelStatus;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import java.util.ArrayList;
import java.util.List;

/** How fast a back end copies within the memory that its kernels see. */
final class CopyRate {
  private static final int ROUNDS = 5;
  private static final int COPIES = 4;

  private CopyRate() {}

  /**
   * Measures it.
   *
   * @param bytes of one copy
   * @param threads that copy at once where the processor copies
   * @return the best of a few rounds: bytes read and written per nanosecond, which are GB/s
   */
  static double measure(Backend backend, long bytes, int threads) throws InterruptedException {
    int copiers = backend.isBlockParallel() ? 1 : threads;
    try (MemoryPool pool = pool(backend, 2 * bytes * copiers)) {
      List<MemoryBuffer> buffers = new ArrayList<>();
      try {
        for (int i = 0; i < 2 * copiers; i++) {
          buffers.add(pool.allocateZeroed(bytes));
        }
        long best = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
          best = Math.min(best, nanos(backend, buffers, bytes));
        }
        return 2.0 * bytes * copiers * COPIES / best;
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
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < buffers.size(); i += 2) {
      MemoryBuffer from = buffers.get(i);
      MemoryBuffer to = buffers.get(i + 1);
      threads.add(new Thread(() -> copy(backend, from, to, bytes), "copy-" + i));
    }
    long begin = System.nanoTime();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    return System.nanoTime() - begin;
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
