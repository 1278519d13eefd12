package io.ariadne.spill;

import java.time.Duration;
import java.util.Objects;

/**
 * How long a thread waits for other threads to free memory before its allocation is refused.
 *
 * @param stall time without a change after which the waiting threads are assumed to wait for each
 *     other; the latest of them gives up
 * @param most longest wait of a thread: progress of other threads may never free enough memory
 * @param source how long a request is repeated that the source of the memory, the operating system
 *     or a driver, refuses although the limit allows it; 0 for no pauses
 */
public record WaitTimes(Duration stall, Duration most, Duration source) {
  /** A stall of one second, at most five seconds, and one second for the source. */
  public static final WaitTimes DEFAULT =
      new WaitTimes(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(1));

  /** Checks the bounds. */
  public WaitTimes {
    requirePositive("stall", stall);
    requirePositive("most", most);
    Objects.requireNonNull(source, "source is null");
    if (source.isNegative()) {
      throw new IllegalArgumentException("source must not be negative, is " + source);
    }
  }

  private static void requirePositive(String what, Duration time) {
    Objects.requireNonNull(time, what);
    if (time.isZero() || time.isNegative()) {
      throw new IllegalArgumentException(what + " must be positive, is " + time);
    }
  }
}
