package io.ariadne.benchmark.store;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How a request to a store can fail without a fault of the client. */
public enum StoreFault {
  /** The store refuses the request because there are too many: 503 {@code SlowDown}. */
  THROTTLE,
  /** The store fails: 500 {@code InternalError}. */
  ERROR,
  /** The response begins a second late. */
  SLOW,
  /** The connection is reset within the body. */
  RESET,
  /** The connection is closed within the body, as after its end. */
  SHORT,
  /** The body stops and neither continues nor ends. */
  STALL;

  /** Returns whether the fault is within the body of an object. */
  boolean isInBody() {
    return this == RESET || this == SHORT || this == STALL;
  }

  /** Returns the fault of a name in lower case. */
  static StoreFault parse(String name) {
    return Arrays.stream(values())
        .filter(f -> f.text().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'" + name + "' is not a fault of a store; valid faults are " + names()));
  }

  /** Returns the names of all faults. */
  static String names() {
    return Arrays.stream(values()).map(StoreFault::text).collect(Collectors.joining(", "));
  }

  /** Returns the name in lower case. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
