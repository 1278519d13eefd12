package io.ariadne.spill;

import java.time.Duration;
import java.util.Objects;

/**
 * How long somebody whose allocation would be refused waits for others to make room.
 *
 * @param stall how long nothing changes before those who wait are taken to wait for each other, and
 *     the latest to come gives up
 * @param most how long anybody waits: that others go on does not mean that there will be room
 */
public record WaitTimes(Duration stall, Duration most) {
  /** One second, and five. */
  public static final WaitTimes DEFAULT =
      new WaitTimes(Duration.ofSeconds(1), Duration.ofSeconds(5));

  /** Checks the bounds. */
  public WaitTimes {
    requirePositive("stall", stall);
    requirePositive("most", most);
  }

  private static void requirePositive(String what, Duration time) {
    Objects.requireNonNull(time, what);
    if (time.isZero() || time.isNegative()) {
      throw new IllegalArgumentException(what + " must be positive, is " + time);
    }
  }
}
