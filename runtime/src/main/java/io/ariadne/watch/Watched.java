package io.ariadne.watch;

import io.ariadne.event.WorkOwner;

/** Work that a {@link Watchdog} looks after. Its methods take locks for a moment only. */
public interface Watched extends WorkOwner {
  /** Returns a number that is another one whenever the work has got on. */
  long progress();

  /** Returns whether a thread waits for the work to get on. */
  boolean isAwaited();

  /** Returns who waits for what within the work, several lines. */
  String diagnosis();
}
