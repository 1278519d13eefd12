package io.ariadne.shuffle.transport;

/**
 * What the requests of one reader have cost.
 *
 * @param repeatedRequests requests that had to be made again: they had failed, or the peer was busy
 * @param readBackBytes how many bytes peers have read back from disk for the blocks
 * @param openNanos time in which at least one request was open
 */
public record FetchStatistics(long repeatedRequests, long readBackBytes, long openNanos) {
  /** The statistics so far. Not thread-safe: its owner guards it. */
  static final class Builder {
    private long repeatedRequests;
    private long readBackBytes;
    private long openNanos;
    private long openSince;
    private boolean isOpen;

    /** Notes that the first of the requests that are open has begun. */
    void opened() {
      openSince = System.nanoTime();
      isOpen = true;
    }

    /** Notes that the last of the open requests has ended. */
    void closed() {
      openNanos += System.nanoTime() - openSince;
      isOpen = false;
    }

    void repeated() {
      repeatedRequests++;
    }

    void readBack(long bytes) {
      readBackBytes += bytes;
    }

    FetchStatistics build() {
      long nanos = openNanos + (isOpen ? System.nanoTime() - openSince : 0);
      return new FetchStatistics(repeatedRequests, readBackBytes, nanos);
    }
  }
}
