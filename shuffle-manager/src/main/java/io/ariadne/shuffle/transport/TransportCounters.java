package io.ariadne.shuffle.transport;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what a process has sent to its peers, and received from them, since its start.
 *
 * @param sentBytes bytes of blocks in replies, compressed ones as they are sent
 * @param sentPlainBytes bytes of the same blocks before their compression
 * @param busyReplies requests that peers have to make again for lack of memory
 * @param receivedBytes bytes of blocks in replies of peers
 * @param receivedPlainBytes bytes of the same blocks before their compression
 * @param requests requests to peers
 * @param failedRequests requests to peers that have failed: they are made again, or fail their task
 * @param waitNanos time in which reduce tasks had nothing to read
 */
public record TransportCounters(
    LongAdder sentBytes,
    LongAdder sentPlainBytes,
    LongAdder busyReplies,
    LongAdder receivedBytes,
    LongAdder receivedPlainBytes,
    LongAdder requests,
    LongAdder failedRequests,
    LongAdder waitNanos) {
  /** Creates counters at 0. */
  public TransportCounters() {
    this(
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder());
  }
}
