package io.ariadne.preload;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.io.WantedRange;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One request of some {@link PreloadedRanges}. Guarded by the executor's lock. */
final class RangeRequest {
  /** The states of a request. */
  enum State {
    /** Reading has not begun. */
    QUEUED,
    /** An attempt is in progress. */
    READING,
    /** The bytes are in memory. */
    ARRIVED,
    /** The bytes cannot be read. */
    FAILED,
    /** There was no memory: the thread that needs the bytes reads them itself. */
    LEFT_TO_USER,
    /** The bytes are not needed any more. */
    OVER
  }

  final PreloadedRanges owner;
  final WantedRange range;
  State state = State.QUEUED;

  /** Whether a thread has asked for the bytes. */
  boolean isNeeded;

  /** The bytes, when they have arrived. */
  MemoryBuffer bytes;

  /** Where the range begins in the buffer. */
  long offset;

  /** The attempts in progress, of which the first to succeed settles the request. */
  final List<ReadAttempt> attempts = new ArrayList<>();

  /** Whether the request has been sent again. */
  boolean isSentAgain;

  Throwable failure;

  /** Threads that copy from the bytes now. */
  int users;

  /** Bytes of wanted ranges that have not been used. */
  long unusedBytes;

  /** Completes when the request leaves the states QUEUED and READING; made on demand. */
  private CompletableFuture<Void> settled;

  RangeRequest(PreloadedRanges owner, WantedRange range, long wantedBytes) {
    this.owner = owner;
    this.range = range;
    this.unusedBytes = wantedBytes;
  }

  boolean isSettled() {
    return state != State.QUEUED && state != State.READING;
  }

  CompletableFuture<Void> settled() {
    if (settled == null) {
      settled = new CompletableFuture<>();
    }
    return settled;
  }

  /** Returns the future to complete once the lock is free; null when nothing waits. */
  CompletableFuture<Void> takeSettled() {
    CompletableFuture<Void> waited = settled;
    settled = null;
    return waited;
  }

  /** Takes the bytes, to be freed without the lock; null when there are none. */
  MemoryBuffer takeBytes() {
    MemoryBuffer taken = bytes;
    bytes = null;
    return taken;
  }

  @Override
  public String toString() {
    return range.length()
        + " bytes from "
        + range.position()
        + " of "
        + owner.file()
        + " ("
        + state
        + ")";
  }
}
