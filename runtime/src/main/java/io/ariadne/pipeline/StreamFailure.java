package io.ariadne.pipeline;

/**
 * The first failure in a pipeline's stream, by sequence number: the one that a single thread would
 * have hit. Guarded by the fragment's lock.
 */
final class StreamFailure {
  private Throwable problem;
  private long sequence;

  /** Returns whether anything has failed. */
  boolean isSet() {
    return problem != null;
  }

  /**
   * Notes a failure at a sequence number; returns false if the stream has failed there or earlier.
   */
  boolean set(long place, Throwable failed) {
    if (problem != null && place >= sequence) {
      return false;
    }
    problem = failed;
    sequence = place;
    return true;
  }

  /** Forgets the failure, because it is after the last needed batch. */
  void clear() {
    problem = null;
  }

  /** Returns whether a sequence number precedes the failure; true if there is none. */
  boolean isAfter(long place) {
    return problem == null || place < sequence;
  }

  /**
   * Returns the failure once all earlier batches and the output of the failed one have left the
   * pipeline; null until then. Flushes come last and have no order among them; as one may wait for
   * another, none delays the failure.
   *
   * @param first the oldest in-flight batch, or null
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
