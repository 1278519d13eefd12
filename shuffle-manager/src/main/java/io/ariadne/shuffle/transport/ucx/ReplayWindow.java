package io.ariadne.shuffle.transport.ucx;

import java.util.BitSet;

/**
 * The numbers of the requests of a session that have come: each is taken once. Numbers far below
 * the highest one are refused. Used by one thread.
 */
final class ReplayWindow {
  static final int SIZE = 4096;

  private final BitSet seen = new BitSet(SIZE);
  private long highest = -1;

  /** Returns whether a number has not come yet; it has then. */
  boolean isNew(long number) {
    if (number < 0 || number <= highest - SIZE) {
      return false;
    }
    for (long next = Math.max(highest + 1, number - SIZE + 1); next <= number; next++) {
      seen.clear(slot(next));
    }
    highest = Math.max(highest, number);
    boolean isNew = !seen.get(slot(number));
    seen.set(slot(number));
    return isNew;
  }

  private static int slot(long number) {
    return (int) (number % SIZE);
  }
}
