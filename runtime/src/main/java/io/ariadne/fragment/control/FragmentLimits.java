package io.ariadne.fragment.control;

/**
 * Bounds of one fragment.
 *
 * @param batchesInFlight batches each pipeline lets in before earlier ones have left it, at least 1
 * @param bytesInFlight bytes of such batches and their output, what several share counted once; one
 *     batch is always let in
 * @param reportMillis how long a fragment that is waited for may stand still before that is
 *     reported with who waits for what, and again after each such time
 */
public record FragmentLimits(int batchesInFlight, long bytesInFlight, long reportMillis) {
  /** Checks the bounds. */
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
