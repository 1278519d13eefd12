package io.ariadne.shuffle.transport;

import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Fetches blocks of other executors. Thread-safe.
 *
 * <p>Requests wait in a bounded queue per peer, so that a slow peer delays no other. The transport
 * retries failures that may be temporary.
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

  /** Receives bytes. Called by a transport thread; must not block. */
  interface Sink {
    /**
     * Offers a piece of a block. Pieces of one block come in order, without gaps.
     *
     * @param block the block
     * @param offset the piece's first byte in the block
     * @param piece the bytes, ownership passes to the sink, also when this throws
     */
    void accept(BlockId block, long offset, MemoryBuffer piece);
  }

  /** Returns the name for settings and messages, such as {@code tcp} or {@code ucx}. */
  String name();

  /**
   * Asks a peer for blocks.
   *
   * @param peer the executor that has the blocks
   * @param blocks the wanted blocks, sent in this order
   * @param maxBytesInFlight bytes that may be in transfer or unread at once
   * @param sink receives the bytes
   * @return completes after the last byte, or with an EngineException TRANSPORT naming peer and
   *     block; cancelling it stops the transfer, and no byte is offered afterwards
   */
  CompletableFuture<Void> fetch(Peer peer, List<BlockId> blocks, long maxBytesInFlight, Sink sink);

  /** Fails running transfers and closes the connections. Idempotent. */
  @Override
  void close();
}
