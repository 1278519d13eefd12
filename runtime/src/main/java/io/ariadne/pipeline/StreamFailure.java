package io.ariadne.pipeline;

/**
 * The first failure in a pipeline's stream, by the place in the stream of what failed: the one that
 * a single thread would have met. Guarded by the fragment's lock.
 */
final class StreamFailure {
  private Throwable problem;
  private long sequence;

  /** Returns whether anything has failed. */
  boolean isSet() {
    return problem != null;
  }

  /** Notes what failed at a place; returns false when something has failed there or before. */
  boolean set(long place, Throwable failed) {
    if (problem != null && place >= sequence) {
      return false;
    }
    problem = failed;
    sequence = place;
    return true;
  }

  /** Forgets what failed behind what is wanted. */
  void clear() {
    problem = null;
  }

  /** Returns whether what is at a place is before the failure. */
  boolean isBehind(long place) {
    return problem == null || place < sequence;
  }

  /**
   * Returns the failure once all that comes before it has left the pipeline, what the failed one
   * has yielded included; null until then. Flushes come last, have no order among them and may wait
   * for each other: none waits for those before it.
   *
   * @param first the oldest that has not left it, or null
   */
  Throwable due(InFlightBatch first) {
    boolean isDue =
        first == null
            || first.isFlush()
            || first.sequence() > sequence
            || (first.sequence() == sequence && !first.hasOutput());
    return isDue ? problem : null;
  }

  @Override
  public String toString() {
    return problem == null ? "" : "; batch " + sequence + " failed: " + problem;
  }
}
