package io.ariadne.parquet.scan;

/**
 * Decides whether the columns outside a scan's predicate are read ahead: unless most splits of the
 * scan had no row that passed the predicate. Thread-safe.
 */
final class PrefetchPolicy {
  /** Splits from which on the decision may be against it. */
  private static final int LEAST_SPLITS = 2;

  private int ended;
  private int needed;

  /** Returns whether the other columns will be needed in all likelihood. */
  synchronized boolean isRestCertain() {
    return ended < LEAST_SPLITS || 2 * needed >= ended;
  }

  /**
   * Notes that a split has ended.
   *
   * @param hasNeededRest whether rows have passed the predicate
   */
  synchronized void ended(boolean hasNeededRest) {
    ended++;
    needed += hasNeededRest ? 1 : 0;
  }
}
