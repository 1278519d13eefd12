package io.ariadne.expression.compiler;

import java.time.ZoneId;

/**
 * A time zone's offsets from UTC in seconds, in the form that kernels read: the bytes of a {@code
 * step_function}.
 */
public final class ZoneTables {
  private ZoneTables() {}

  /** Returns the offsets by seconds since 1970-01-01 00:00:00 UTC. */
  public static byte[] byInstant(ZoneId zone) {
    return ZoneSteps.of(zone).byInstant().bytes();
  }

  /** Returns the offsets by local seconds, as {@code LocalDateTime.atZone} chooses them. */
  public static byte[] byLocalTime(ZoneId zone) {
    return ZoneSteps.of(zone).byLocalTime().bytes();
  }
}
