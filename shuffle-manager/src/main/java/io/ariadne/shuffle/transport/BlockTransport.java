package io.ariadne.shuffle.transport;

import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Fetches blocks of other executors. Thread-safe.
 *
 * <p>Requests to one peer queue in a bounded queue of that peer, so that a slow one holds up nobody
 * else. Failures that may pass are tried again inside.
 */
public interface BlockTransport extends AutoCloseable {
  /**
   * Where an executor listens.
   *
   * @param executor its id
   * @param host address or name
   * @param port port
   */
  record Peer(String executor, String host, int port) {}

  /** Takes arriving bytes; called by a transport thread and must not block. */
  interface Sink {
    /**
     * Offers a piece of a block. Pieces of one block come in order, without gaps.
     *
     * @param block which block
     * @param offset the piece's first byte in the block
     * @param piece the bytes, owned by the sink from now on, also when this throws
     */
    void accept(BlockId block, long offset, MemoryBuffer piece);
  }

  /** Returns the name for settings and messages, such as {@code tcp} or {@code ucx}. */
  String name();

  /**
   * Asks a peer for blocks.
   *
   * @param peer who has them
   * @param blocks which, sent in this order
   * @param maxBytesInFlight bytes that may be under way or unread at once
   * @param sink who takes the bytes
   * @return completes after the last byte, or with an EngineException TRANSPORT naming peer and
   *     block; cancelling it stops the transfer, and no byte is offered afterwards
   */
  CompletableFuture<Void> fetch(Peer peer, List<BlockId> blocks, long maxBytesInFlight, Sink sink);

  /** Fails what is under way and closes the connections. Idempotent. */
  @Override
  void close();
}
