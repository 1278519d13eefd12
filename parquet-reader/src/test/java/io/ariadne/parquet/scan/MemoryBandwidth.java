package io.ariadne.parquet.scan;

import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * The memory bandwidth of one thread, an upper limit for decoding.
 *
 * <p>Arrays are far larger than a cache. Processor time, best of several rounds.
 *
 * @param readGigabytes read per second, by comparing two equal arrays, a vector loop of the JVM
 * @param copyGigabytes copied per second; each byte is read once and written once
 */
record MemoryBandwidth(double readGigabytes, double copyGigabytes) {
  private static final int BYTES = 256 << 20;
  private static final int ROUNDS = 12;

  static MemoryBandwidth measure() {
    byte[] one = new byte[BYTES];
    byte[] other = new byte[BYTES];
    Arrays.fill(one, (byte) 1);
    double copy = 0;
    double read = 0;
    for (int round = 0; round < ROUNDS; round++) {
      copy = Math.max(copy, rate(BYTES, () -> System.arraycopy(one, 0, other, 0, BYTES)));
      read = Math.max(read, rate(2L * BYTES, () -> requireEqual(one, other)));
    }
    return new MemoryBandwidth(read, copy);
  }

  private static void requireEqual(byte[] one, byte[] other) {
    if (Arrays.mismatch(one, other) >= 0) {
      throw new IllegalStateException("a copy differs");
    }
  }

  /** Returns bytes per nanosecond of processor time. */
  private static double rate(long bytes, Runnable pass) {
    long begin = cpuNanos();
    pass.run();
    return (double) bytes / (cpuNanos() - begin);
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
