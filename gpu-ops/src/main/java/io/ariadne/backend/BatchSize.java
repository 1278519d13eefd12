package io.ariadne.backend;

/**
 * Sizes of the batches that operators make for a back end. Each launch and each wait for a GPU
 * costs as much as thousands of rows, so its batches have millions of them; those of a processor
 * stay in its cache.
 *
 * @param smallRows a batch with fewer rows is small: it is worth a copy to concatenate it with
 *     others
 * @param fullRows about how many rows a concatenated batch has
 * @param fullBytes no more batches are collected when they have so many bytes
 * @param memoryShares the batches that one operator per thread collects may take one of this many
 *     equal parts of the memory
 * @param spansInputs whether batches of different splits, and of different time slices, are
 *     concatenated where the pipeline ends in a sink, which reads all of its input before it yields
 *     output
 * @param outputRows the most rows of a batch that an operator makes of its state: groups, and pairs
 *     of a join
 * @param leastRows a scan decodes fewer rows on the host, for which launches cost more than they
 *     save
 */
public record BatchSize(
    int smallRows,
    int fullRows,
    long fullBytes,
    int memoryShares,
    boolean spansInputs,
    int outputRows,
    int leastRows) {
  /** For kernels that a thread of the processor runs. */
  public static final BatchSize HOST = new BatchSize(4096, 16_384, 16 << 20, 32, false, 1 << 15, 1);

  /** For kernels that a GPU runs. */
  public static final BatchSize DEVICE =
      new BatchSize(4 << 20, 4 << 20, 256 << 20, 32, true, 1 << 20, 1 << 14);

  /** Checks that each size is positive. */
  public BatchSize {
    boolean isPositive =
        smallRows > 0
            && fullRows > 0
            && fullBytes > 0
            && memoryShares > 0
            && outputRows > 0
            && leastRows > 0;
    if (!isPositive) {
      throw new IllegalArgumentException("a size is not positive");
    }
  }
}
