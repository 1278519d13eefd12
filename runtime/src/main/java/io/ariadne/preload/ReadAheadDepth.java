package io.ariadne.preload;

/**
 * Regulates how many bytes to hold that nothing needs yet: more after a thread needed bytes for
 * which reading had not begun, slowly fewer when that has not happened for some time. Used under
 * its owner's lock.
 */
final class ReadAheadDepth {
  private static final long LEAST_BYTES = 8L << 20;
  private static final int FIRST_SHARES = 4;
  private static final int TICKS_TO_REST = 20;

  private final long most;
  private long depth;
  private boolean wasShort;
  private int quietTicks;

  /**
   * Creates a regulator.
   *
   * @param most most bytes, at least 0; 0 for none
   */
  ReadAheadDepth(long most) {
    this.most = most;
    this.depth = Math.min(most, Math.max(LEAST_BYTES, most / FIRST_SHARES));
  }

  /** Returns how many bytes may be held. */
  long current() {
    return depth;
  }

  /**
   * Notes that a thread needs bytes for which reading has not begun: if that is because of this
   * limit, it is too small.
   *
   * @param bytes these and the bytes that are held
   */
  void noteLate(long bytes) {
    wasShort |= bytes > depth;
  }

  /** Notes that a fixed time is over. */
  void tick() {
    quietTicks = wasShort ? 0 : quietTicks + 1;
    if (wasShort) {
      depth = Math.min(most, depth + depth / 2);
    } else if (quietTicks > TICKS_TO_REST) {
      depth = Math.max(Math.min(most, LEAST_BYTES), depth - depth / 64);
    }
    wasShort = false;
  }
}
