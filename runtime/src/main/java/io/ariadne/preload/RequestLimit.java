package io.ariadne.preload;

/**
 * Finds how many requests to have in progress: the fewest with which the storage gives its full
 * rate. Tries a larger or a smaller number while requests wait, and keeps it if the rate rises, or
 * does not fall. Used under its owner's lock.
 */
final class RequestLimit {
  private static final double RISE = 1.05;
  private static final double NO_FALL = 0.97;

  /** Ticks from a new number to the measurement, since older requests must end first. */
  private static final int TICKS_TO_SETTLE = 2;

  private static final int TICKS_TO_MEASURE = 3;

  /** Ticks between two trials. */
  private static final int TICKS_TO_REST = 8;

  private final int most;
  private int limit;
  private int before;
  private double rateBefore;
  private boolean isTrial;
  private boolean triesFewer;
  private int ticks;
  private long bytes;

  /**
   * Creates a limit.
   *
   * @param first number to begin with
   * @param most largest number
   */
  RequestLimit(int first, int most) {
    this.limit = Math.min(first, most);
    this.most = most;
  }

  /** Returns how many requests may be in progress. */
  int current() {
    return limit;
  }

  /**
   * Notes that a fixed time is over.
   *
   * @param arrivedBytes bytes that have arrived in that time
   * @param wasFull whether requests have waited all the time
   */
  void tick(long arrivedBytes, boolean wasFull) {
    if (!wasFull) {
      giveUpTrial();
      return;
    }
    ticks++;
    if (ticks > TICKS_TO_SETTLE) {
      bytes += arrivedBytes;
    }
    if (ticks < TICKS_TO_SETTLE + TICKS_TO_MEASURE) {
      return;
    }
    double rate = bytes / (double) TICKS_TO_MEASURE;
    if (isTrial) {
      judge(rate);
    } else if (ticks >= TICKS_TO_REST || rateBefore == 0) {
      rateBefore = rate;
      tryAnother();
    }
  }

  /** A trial that runs out of requests shows nothing. */
  private void giveUpTrial() {
    if (isTrial) {
      limit = before;
      isTrial = false;
    }
    ticks = 0;
    bytes = 0;
  }

  private void judge(double rate) {
    boolean isKept = triesFewer ? rate >= NO_FALL * rateBefore : rate >= RISE * rateBefore;
    if (isKept) {
      rateBefore = rate;
      tryAnother();
      return;
    }
    limit = before;
    isTrial = false;
    triesFewer = !triesFewer;
    ticks = 0;
    bytes = 0;
  }

  private void tryAnother() {
    before = limit;
    limit = triesFewer ? Math.max(1, limit * 3 / 4) : Math.min(most, limit * 3 / 2 + 1);
    isTrial = limit != before;
    triesFewer = isTrial ? triesFewer : !triesFewer;
    ticks = 0;
    bytes = 0;
  }
}
