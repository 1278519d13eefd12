package io.ariadne.shuffle.transport;

import java.time.Duration;
import java.util.Objects;

/**
 * Bounds what a reduce task fetches at once, and how long it tries.
 *
 * @param maxBytesInFlight bytes that a task has asked for, or has received and not read; at least
 *     one request is made in any case
 * @param requestBytes bytes of the blocks of a reply; one row may need more
 * @param requestsPerPeer requests to one peer at the same time
 * @param maxRetries how often requests to a peer are made again in a row after a failure
 * @param retryPause how long a task pauses before it makes a failed request again
 * @param timeout how long a reply may take, and how long a peer may be busy
 */
public record FetchLimits(
    long maxBytesInFlight,
    long requestBytes,
    int requestsPerPeer,
    int maxRetries,
    Duration retryPause,
    Duration timeout) {
  /** Checks the bounds. */
  public FetchLimits {
    Objects.requireNonNull(retryPause, "retryPause is null");
    Objects.requireNonNull(timeout, "timeout is null");
    if (maxBytesInFlight < 1
        || requestBytes < 1
        || requestBytes > BlockReply.MAX_BYTES
        || requestsPerPeer < 1
        || maxRetries < 0) {
      throw new IllegalArgumentException(
          maxBytesInFlight
              + " bytes in flight, "
              + requestBytes
              + " per request, "
              + requestsPerPeer
              + " requests, "
              + maxRetries
              + " retries");
    }
  }
}
