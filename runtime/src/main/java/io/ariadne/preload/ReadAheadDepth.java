package io.ariadne.preload;

/**
 * Regulates how many bytes to hold that have arrived before they are needed: more after a thread
 * needed bytes for which reading had not begun, slowly fewer when that has not happened for some
 * time. Bytes that have not arrived do not count: a storage with a high latency or rate needs many
 * of them in progress. So when use stops, the bytes of the requests in progress arrive beyond the
 * depth. What the steps of scans hold, such as footers, does not count against the depth, but
 * against the limit of all bytes. Used under its owner's lock.
 */
final class ReadAheadDepth {
  private static final long LEAST_BYTES = 8L << 20;
  private static final int FIRST_SHARES = 4;
  private static final int TICKS_TO_REST = 20;

  private final long most;
  private long depth;

  /** Bytes of the memory of all requests. */
  private long heldBytes;

  /** Bytes of the requests in progress. */
  private long readingBytes;

  /** Bytes that steps of scans read and hold. */
  private long stepBytes;

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

  /** Returns the depth: while so many bytes have arrived early, no other request begins. */
  long current() {
    return depth;
  }

  /** Returns the bytes of the memory of all requests and steps. */
  long heldBytes() {
    return heldBytes + stepBytes;
  }

  /** Returns whether a request for bytes that nothing needs yet may begin. */
  boolean mayBegin(long bytes) {
    return !isBeyond(bytes) && mayHold(bytes);
  }

  /** Returns whether the limit of all bytes allows to hold so many more. */
  boolean mayHold(long bytes) {
    return heldBytes + stepBytes + bytes <= most;
  }

  private boolean isBeyond(long bytes) {
    return heldBytes - readingBytes + bytes > depth;
  }

  /** Counts bytes that steps read and hold more, or fewer if negative. */
  void countSteps(long bytes) {
    stepBytes += bytes;
  }

  /** Notes that memory for a request was counted. */
  void begun(long bytes) {
    readingBytes += bytes;
    heldBytes += bytes;
  }

  /** Notes that a request has ended, and holds its bytes. */
  void arrived(long bytes) {
    readingBytes -= bytes;
  }

  /** Notes that a request has ended, or has not begun, and holds no memory. */
  void failed(long bytes) {
    readingBytes -= bytes;
    heldBytes -= bytes;
  }

  /** Notes that bytes which had arrived are about to be freed. */
  void freed(long bytes) {
    heldBytes -= bytes;
  }

  /** Notes that a thread needs bytes for which reading has not begun. */
  void noteUnread(long bytes) {
    wasShort |= isBeyond(bytes);
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
