package io.ariadne.preload;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.event.EventKind;
import io.ariadne.event.ThreadRecord;
import io.ariadne.io.PendingRead;

/** One attempt to read the bytes of a request. Guarded by the executor's lock. */
final class ReadAttempt {
  final RangeRequest request;
  final MemoryBuffer target;

  /** First byte of the target, chosen so that the reader need not copy. */
  final long offset;

  /** When the reader began, as far as is known. */
  private long startNanos = System.nanoTime();

  /** The read; null until it has been started. */
  PendingRead pending;

  /** Whether the read is to be cancelled as soon as it has been started. */
  boolean isCancelled;

  ReadAttempt(RangeRequest request, MemoryBuffer target, long offset) {
    this.request = request;
    this.target = target;
    this.offset = offset;
  }

  /**
   * Notes in the calling thread's record that the bytes have arrived.
   *
   * @return how long the reader has worked on it, in nanoseconds
   */
  long succeeded() {
    long length = request.range.length();
    return ThreadRecord.current().ended(EventKind.READ, startNanos, length, null, MemoryTier.HOST);
  }

  private long elapsedNanos() {
    return System.nanoTime() - startNanos;
  }

  /** Returns whether the reader has worked on it for longer; does not count waits for a thread. */
  boolean takesLonger(long nanos) {
    if (pending == null || !pending.hasBegun()) {
      startNanos = System.nanoTime();
    }
    return elapsedNanos() > nanos;
  }
}
