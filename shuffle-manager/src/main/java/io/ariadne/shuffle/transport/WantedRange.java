package io.ariadne.shuffle.transport;

/**
 * A range that a reduce task reads from a peer.
 *
 * @param peer where the rows are
 * @param range the rows
 * @param estimatedBytes about how many bytes their blocks have
 */
public record WantedRange(Peer peer, BlockRange range, long estimatedBytes) {}
