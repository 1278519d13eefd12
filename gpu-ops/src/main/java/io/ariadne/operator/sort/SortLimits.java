package io.ariadne.operator.sort;

/**
 * Sizes by which a sort divides its work.
 *
 * @param runRows rows of a run at most, but for one batch
 * @param runBytes bytes of a run, the same
 * @param batchRows rows of a batch at rest and of the output at most
 * @param splitRows rows that are merged as one piece of work, about
 */
record SortLimits(int runRows, long runBytes, int batchRows, int splitRows) {
  /** Runs that are sorted within the caches several threads share; batches of about a megabyte. */
  static final SortLimits DEFAULT = new SortLimits(1 << 19, 64L << 20, 1 << 14, 1 << 17);
}
