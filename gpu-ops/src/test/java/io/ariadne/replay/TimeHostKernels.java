package io.ariadne.replay;

import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;

/**
 * Times every measured replay case on the host library that this JVM loads, and prints one line
 * each: family, case, nanoseconds per row. {@link CompareHostLibraries} starts it once per level.
 */
public final class TimeHostKernels {

  private static final long MEMORY_LIMIT = 4L << 30;
  private static final int ROUNDS = 9;
  private static final long ROUND_NANOS = 20_000_000;

  private TimeHostKernels() {}

  /** Prints the times. */
  public static void main(String[] arguments) {
    try (MemoryPool pool = MemoryPools.host("host kernel times", MEMORY_LIMIT);
        HostBackend host = HostBackend.open()) {
      for (ReplayCase replayCase : WriteReplayBundle.cases()) {
        if (replayCase.bytesMoved() > 0) {
          try (LoadedCase loaded = new LoadedCase(host, pool, replayCase)) {
            double nanos = bestNanos(loaded) / replayCase.rows();
            System.out.printf(
                "%s\t%s\t%.5f%n",
                WriteReplayBundle.family(replayCase.kernel()), replayCase.name(), nanos);
          }
        }
      }
    }
  }

  /** Returns the shortest mean of one run over several rounds. */
  private static double bestNanos(LoadedCase loaded) {
    double best = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      int runs = 0;
      long start = System.nanoTime();
      long elapsed;
      do {
        loaded.run();
        runs++;
        elapsed = System.nanoTime() - start;
      } while (elapsed < ROUND_NANOS);
      best = Math.min(best, (double) elapsed / runs);
    }
    return best;
  }
}
