package io.ariadne.shuffle.transport;

/**
 * A range that a reduce task reads from a peer.
 *
 * @param peer where the rows are
 * @param range the rows
 * @param estimatedBytes about how many bytes their blocks have
 * @param copyAt who has a copy if the peer no longer has the rows; null for none
 */
public record WantedRange(Peer peer, BlockRange range, long estimatedBytes, Peer copyAt) {
  /** Creates a range without a copy. */
  public WantedRange(Peer peer, BlockRange range, long estimatedBytes) {
    this(peer, range, estimatedBytes, null);
  }
}
