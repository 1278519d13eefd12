package io.ariadne.preload;

/**
 * Finds how many requests to have in progress: the fewest with which the storage gives its full
 * rate. Tries a larger or a smaller number while requests wait, and keeps it if the rate rises, or
 * does not fall. Used under its owner's lock.
 */
final class RequestLimit {
  private static final double RISE = 1.05;
  private static final double NO_FALL = 0.97;

  /** The storage has changed when its rate differs by so much from the last measurement. */
  private static final double CHANGE = 1.2;

  /** Ticks from a new number to the measurement, since older requests must end first. */
  private static final int TICKS_TO_SETTLE = 1;

  private static final int TICKS_TO_MEASURE = 2;

  /** Measurements between two trials, at first and at most. */
  private static final int FIRST_PAUSE = 2;

  private static final int LONGEST_PAUSE = 32;

  private final int most;
  private int limit;
  private int before;
  private double rateBefore;
  private boolean isTrial;
  private boolean triesFewer;
  private int ticks;
  private long bytes;
  private int pause = FIRST_PAUSE;
  private int measurements = FIRST_PAUSE;

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
    bytes += ticks > TICKS_TO_SETTLE ? arrivedBytes : 0;
    if (ticks == TICKS_TO_SETTLE + TICKS_TO_MEASURE) {
      double rate = bytes / (double) TICKS_TO_MEASURE;
      ticks = 0;
      bytes = 0;
      measured(rate);
    }
  }

  /** A trial that runs out of requests shows nothing. */
  private void giveUpTrial() {
    limit = isTrial ? before : limit;
    isTrial = false;
    ticks = 0;
    bytes = 0;
  }

  private void measured(double rate) {
    if (isTrial) {
      judge(rate);
      return;
    }
    measurements++;
    boolean hasChanged = rate > CHANGE * rateBefore || rate < rateBefore / CHANGE;
    if (hasChanged) {
      pause = FIRST_PAUSE;
      triesFewer = false;
    }
    if (hasChanged || measurements >= pause) {
      rateBefore = rate;
      tryAnother();
    }
  }

  private void judge(double rate) {
    isTrial = false;
    measurements = 0;
    if (triesFewer ? rate >= NO_FALL * rateBefore : rate >= RISE * rateBefore) {
      rateBefore = rate;
      pause = FIRST_PAUSE;
      tryAnother();
    } else {
      limit = before;
      pause = Math.min(2 * pause, LONGEST_PAUSE);
      triesFewer = !triesFewer;
    }
  }

  private void tryAnother() {
    before = limit;
    limit = triesFewer ? Math.max(1, limit * 7 / 8) : Math.min(most, limit * 3 / 2 + 1);
    isTrial = limit != before;
    triesFewer = isTrial ? triesFewer : !triesFewer;
  }
}
