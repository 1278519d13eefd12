package io.ariadne.watch;

import io.ariadne.event.WorkOwner;

/** Work that a {@link Watchdog} checks. The methods hold locks only briefly. */
public interface Watched extends WorkOwner {
  /** Returns a number that changes whenever the work makes progress. */
  long progress();

  /** Returns whether a thread waits for the work to make progress. */
  boolean isAwaited();

  /** Returns a description, of several lines, of which thread of the work waits for what. */
  String diagnosis();
}
