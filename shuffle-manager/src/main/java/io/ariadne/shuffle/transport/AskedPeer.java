package io.ariadne.shuffle.transport;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** A peer that a task asks for blocks. Guarded by the monitor of its {@link RemoteBlocks}. */
final class AskedPeer {
  final Peer peer;
  final Deque<WantedPart> pending = new ArrayDeque<>();
  int openCount;
  long openBytes;
  int failures;
  int busyReplies;
  long busySinceNanos;
  long pausedUntilNanos = System.nanoTime();

  AskedPeer(Peer peer) {
    this.peer = peer;
  }

  boolean isPaused() {
    return System.nanoTime() - pausedUntilNanos < 0;
  }

  void putBack(List<WantedPart> parts) {
    for (int i = parts.size() - 1; i >= 0; i--) {
      pending.addFirst(parts.get(i));
    }
  }
}
