/**
 * How rows travel between executors as blocks. {@link io.ariadne.shuffle.transport.BlockServer}
 * answers the requests of peers, and {@link io.ariadne.shuffle.transport.RemoteBlocks} makes the
 * requests of one reduce task. Both use a {@link io.ariadne.shuffle.transport.Transport}, which
 * moves bytes over one protocol.
 *
 * <p>Receivers ask, and bound the bytes of each reply by memory that they have reserved: a sender
 * never sends what its receiver cannot take. The sender keeps no state of its receivers between
 * requests. May depend on {@code columnar.buffer}, {@code memory}, {@code event}, {@code error} and
 * {@code shuffle.codec}. Knows nothing of batches: a block is bytes.
 */
package io.ariadne.shuffle.transport;
