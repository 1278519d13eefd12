package io.ariadne.shuffle.transport;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A peer that a task asks for blocks. Guarded by the monitor of its {@link RemoteBlocks}. */
final class AskedPeer {
  /** Most ranges of a request. */
  private static final int MAX_PARTS = 512;

  /** Bytes of the smallest reply that is asked for: estimates of small ranges are inexact. */
  private static final long MIN_REQUEST_BYTES = 64 << 10;

  private static final long BUSY_PAUSE_MILLIS = 10;
  private static final int MAX_BUSY_DOUBLINGS = 7;

  final Peer peer;
  final Deque<WantedPart> pending = new ArrayDeque<>();
  int openCount;
  long openBytes;
  int failures;
  int busyReplies;
  private long busySinceNanos;
  long pausedUntilNanos = System.nanoTime();

  AskedPeer(Peer peer) {
    this.peer = peer;
  }

  boolean isPaused() {
    return System.nanoTime() - pausedUntilNanos < 0;
  }

  /** Returns for how long the peer has been busy, which it has just said. */
  long busyNanos() {
    long now = System.nanoTime();
    if (busyReplies == 0) {
      busySinceNanos = now;
    }
    return now - busySinceNanos;
  }

  /** Returns after which time a busy peer is asked again: each time twice as long. */
  long busyPauseMillis() {
    return BUSY_PAUSE_MILLIS << Math.min(busyReplies++, MAX_BUSY_DOUBLINGS);
  }

  /** Returns bytes for the blocks of the next request; there are pending parts. */
  long bytesOfNext(FetchLimits limits) {
    long sum = 0;
    int count = 0;
    for (WantedPart part : pending) {
      sum += part.bytes();
      if (sum >= limits.requestBytes() || ++count == MAX_PARTS) {
        break;
      }
    }
    long wanted = Math.min(Math.max(MIN_REQUEST_BYTES, sum + sum / 4), limits.requestBytes());
    return Math.max(wanted, pending.getFirst().neededBytes());
  }

  /** Returns the first pending parts, for a request of some bytes; they stay pending. */
  List<WantedPart> first(long bytes) {
    List<WantedPart> parts = new ArrayList<>();
    long sum = 0;
    for (WantedPart part : pending) {
      if (sum >= bytes || parts.size() == MAX_PARTS) {
        break;
      }
      parts.add(part);
      sum += part.bytes();
    }
    return parts;
  }

  /** Takes the first pending parts. */
  void take(int count) {
    for (int i = 0; i < count; i++) {
      pending.remove();
    }
  }

  void putBack(List<WantedPart> parts) {
    for (int i = parts.size() - 1; i >= 0; i--) {
      pending.addFirst(parts.get(i));
    }
  }

  /** Describes what is missing, for people. */
  @Override
  public String toString() {
    return peer
        + ": "
        + openCount
        + " requests, "
        + pending.size()
        + " ranges to ask for"
        + (isPaused() ? ", pausing" : "");
  }
}
