package io.ariadne.preload;

/**
 * Finds how many requests to have in progress, so that the storage gives its full rate: rather too
 * many than too few. Tries a larger or a smaller number from time to time, and keeps it if the rate
 * rises, or does not fall. Used under its owner's lock.
 *
 * <p>The rate is measured only while the number is exhausted, and after as many requests have ended
 * since then: the beginning and the end of a scan, when fewer are in progress, say nothing about
 * the storage. Short scans are measured together.
 */
final class RequestLimit {
  private static final double RISE = 1.05;
  private static final double CLEAR_RISE = 1.2;
  private static final double NO_FALL = 0.98;
  private static final double CLEAR_FALL = 0.9;

  /** The storage has changed when its rate differs by so much from the earlier measurements. */
  private static final double CHANGE = 1.2;

  /** The highest rate becomes less by so much with each measurement. */
  private static final double FADING = 0.98;

  /**
   * Fewer requests must give this part of the highest rate. Otherwise a rate that varies would let
   * a trial of fewer requests succeed by chance again and again.
   */
  private static final double SHARE_OF_HIGHEST = 0.99;

  /** A measurement is of so many times the requests that are in progress at once. */
  private static final int ROUNDS = 2;

  /** The least time of a measurement: shorter ones depend on which requests end just then. */
  private static final long LEAST_NANOS = 100_000_000;

  /** Fewer requests are not tried. */
  private static final int LEAST_REQUESTS = 4;

  /** Measurements of a trial whose result is not clear after the first. */
  private static final int TRIAL_MEASUREMENTS = 2;

  /** Measurements between two trials, at first and at most. */
  private static final int FIRST_PAUSE = 2;

  private static final int LONGEST_PAUSE = 32;

  private final int most;
  private int limit;

  /** Requests that have ended since this limit has been exhausted. */
  private int ended;

  private long lastNanos;

  /** Requests of the measurement, their bytes and time, without the times between scans. */
  private int measured;

  private long bytes;
  private long elapsedNanos;

  private double highestRate;

  /** The mean of the measurements with the limit that is not a trial. */
  private final MeanRate settled = new MeanRate();

  private final MeanRate trial = new MeanRate();
  private int before;
  private boolean isTrial;
  private boolean triesFewer;
  private int pause = FIRST_PAUSE;
  private int measurements = FIRST_PAUSE;

  /** A mean of rates, in bytes per nanosecond; of many, the latest count more. */
  private static final class MeanRate {
    private static final int MOST = 8;
    private double mean;
    private int count;

    void add(double rate) {
      count = Math.min(count + 1, MOST);
      mean += (rate - mean) / count;
    }

    void clear() {
      mean = 0;
      count = 0;
    }
  }

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
   * Notes that a request has succeeded.
   *
   * @param length its bytes
   * @param nanos the time, of {@link System#nanoTime}
   * @param isExhausted whether other requests wait because of this limit, and no more are in
   *     progress than it allows
   */
  void ended(long length, long nanos, boolean isExhausted) {
    if (!isExhausted) {
      ended = 0;
      return;
    }
    ended++;
    if (ended > limit) {
      measured++;
      bytes += length;
      elapsedNanos += nanos - lastNanos;
    }
    lastNanos = nanos;
    if (measured >= ROUNDS * limit && elapsedNanos >= LEAST_NANOS) {
      double rate = bytes / (double) elapsedNanos;
      clearMeasurement();
      measured(rate);
    }
  }

  private void clearMeasurement() {
    measured = 0;
    bytes = 0;
    elapsedNanos = 0;
  }

  private void measured(double rate) {
    highestRate = Math.max(rate, highestRate * FADING);
    if (isTrial) {
      trial.add(rate);
      judge();
      return;
    }
    measurements++;
    boolean hasChanged =
        settled.count > 0 && (rate > CHANGE * settled.mean || rate < settled.mean / CHANGE);
    if (hasChanged) {
      pause = FIRST_PAUSE;
      triesFewer = false;
      highestRate = rate;
      settled.clear();
    }
    settled.add(rate);
    if (hasChanged || measurements >= pause) {
      tryAnother();
    }
  }

  private void judge() {
    double needed =
        triesFewer
            ? NO_FALL * Math.max(settled.mean, SHARE_OF_HIGHEST * highestRate)
            : RISE * settled.mean;
    double ratio = trial.mean / settled.mean;
    boolean isClear = triesFewer ? ratio < CLEAR_FALL : ratio < 1 || ratio > CLEAR_RISE;
    if (!isClear && trial.count < TRIAL_MEASUREMENTS) {
      return;
    }
    isTrial = false;
    measurements = 0;
    if (trial.mean >= needed) {
      settled.clear();
      settled.add(trial.mean);
      pause = FIRST_PAUSE;
      tryAnother();
    } else {
      setLimit(before);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
      triesFewer = !triesFewer;
    }
  }

  private void tryAnother() {
    before = limit;
    int least = Math.min(LEAST_REQUESTS, most);
    setLimit(triesFewer ? Math.max(least, limit * 7 / 8) : Math.min(most, limit * 3 / 2 + 1));
    trial.clear();
    isTrial = limit != before;
    triesFewer = isTrial ? triesFewer : !triesFewer;
  }

  private void setLimit(int number) {
    limit = number;
    ended = 0;
    clearMeasurement();
  }
}
