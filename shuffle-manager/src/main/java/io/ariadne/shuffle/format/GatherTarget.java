package io.ariadne.shuffle.format;

/** Computes how many bytes a map task gathers before it concatenates rows. Stateless. */
public final class GatherTarget {
  private static final long BYTES_PER_PARTITION = 128 << 10;
  private static final long MIN_BYTES = 4 << 20;
  private static final long MAX_BYTES = 32 << 20;

  /** The map tasks of all task slots together gather at most this part of the pool. */
  private static final int POOL_SHARE = 8;

  private static final long LEAST_BYTES = 256 << 10;

  private GatherTarget() {}

  /**
   * Returns the bytes to gather: more with many partitions, less with little memory.
   *
   * @param partitions of the exchange
   * @param poolBytes the memory of the process
   * @param threads task slots of the process
   */
  public static long bytes(int partitions, long poolBytes, int threads) {
    long wanted = Math.min(MAX_BYTES, Math.max(MIN_BYTES, partitions * BYTES_PER_PARTITION));
    return Math.min(wanted, Math.max(LEAST_BYTES, poolBytes / POOL_SHARE / threads));
  }
}
