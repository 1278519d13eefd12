package io.ariadne.shuffle.format;

/** How many bytes a map task gathers before it puts rows of one partition together. Stateless. */
public final class GatherTarget {
  private static final long BYTES_PER_PARTITION = 128 << 10;
  private static final long MIN_BYTES = 4 << 20;
  private static final long MAX_BYTES = 32 << 20;

  /** The map tasks of all task slots take this part of the pool at most. */
  private static final int POOL_SHARE = 8;

  private static final long LEAST_BYTES = 256 << 10;

  private GatherTarget() {}

  /**
   * Returns the bytes: more where there are many partitions, less where there is little memory.
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
