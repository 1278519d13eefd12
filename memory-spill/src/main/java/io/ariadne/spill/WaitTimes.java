package io.ariadne.spill;

import java.time.Duration;
import java.util.Objects;

/**
 * How long somebody whose allocation would be refused waits for others to make room.
 *
 * @param stall how long nothing changes before those who wait are taken to wait for each other, and
 *     the latest to come gives up
 * @param most how long anybody waits: that others go on does not mean that there will be room
 * @param source how long a request is made again that the source of the memory refuses, the
 *     operating system or a driver, although the limit has room; 0 for no pauses
 */
public record WaitTimes(Duration stall, Duration most, Duration source) {
  /** One second, five, and one. */
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
