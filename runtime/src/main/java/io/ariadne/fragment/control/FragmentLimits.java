package io.ariadne.fragment.control;

/**
 * Limits of one fragment.
 *
 * @param batchesInFlight how many in-flight batches each pipeline admits, at least 1
 * @param bytesInFlight how many bytes the in-flight batches of a pipeline and their output may
 *     take; buffers that several share count once, and one batch is always admitted
 * @param reportMillis how long a fragment that a thread waits for may make no progress before the
 *     watchdog reports it, and again after each such time
 */
public record FragmentLimits(int batchesInFlight, long bytesInFlight, long reportMillis) {
  /** Checks the limits. */
  public FragmentLimits {
    if (batchesInFlight < 1 || bytesInFlight < 1 || reportMillis < 1) {
      throw new IllegalArgumentException(
          "batchesInFlight="
              + batchesInFlight
              + " bytesInFlight="
              + bytesInFlight
              + " reportMillis="
              + reportMillis);
    }
  }
}
