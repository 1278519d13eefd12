package io.ariadne.shuffle.transport;

import io.ariadne.columnar.buffer.BufferAllocator;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Moves requests and replies between executors. One per process and protocol; serves requests of
 * peers as long as it is open. Knows nothing of blocks. Thread-safe.
 */
public interface Transport extends AutoCloseable {
  /** Most bytes of a request. A peer that sends more is disconnected. */
  int MAX_REQUEST_BYTES = 1 << 20;

  /** Answers the requests of peers. */
  interface Handler {
    /**
     * Takes a request. Called by a thread of the transport; must not block.
     *
     * @param request the bytes, valid during the call; not trusted
     * @param responder takes the reply, now or later, by any thread
     */
    void handle(ByteBuffer request, Responder responder);

    /** A connection is closed: replies to its requests are not sent any more. */
    void disconnected(Object connection);
  }

  /** Takes the reply to one request. */
  interface Responder {
    /** Returns what identifies the connection; equal for requests of one connection. */
    Object connection();

    /** Returns the peer's address for messages. */
    String remoteAddress();

    /**
     * Sends the reply. Called once. Throws nothing, also when the transport is closed.
     *
     * @param parts the bytes, which stay unchanged until they are sent
     * @param whenSent is run once, by any thread, when the bytes are sent or cannot be sent
     */
    void reply(List<ByteBuffer> parts, Runnable whenSent);

    /** Closes the connection: no reply to its requests is sent any more. Throws nothing. */
    void disconnect();
  }

  /**
   * Takes the outcome of one request: one of {@link #received} and {@link #failed} is called, once,
   * by a thread of the transport. Must not block.
   */
  interface Listener {
    /**
     * Takes the reply.
     *
     * @param bytes valid during the call; not trusted
     */
    void received(ReplyBytes bytes);

    /** Takes the reason why there is no reply: the connection or its beginning failed. */
    void failed(Throwable cause);

    /**
     * Returns whether the outcome is not wanted any more: the transport may then free what has come
     * of the reply, and tell nothing. Called by a thread of the transport, now and then.
     */
    default boolean isOver() {
      return false;
    }

    /**
     * Returns where a transport may receive parts of the reply: the {@link ReplyBytes} then own the
     * buffers. Called for each part, perhaps after the request has ended here; when memory is
     * refused, the request fails. Null, the default: memory of the transport.
     */
    default BufferAllocator memory() {
      return null;
    }
  }

  /** Returns the name for settings and messages, such as {@code tcp}. */
  String name();

  /** Returns the port that this listens on. */
  int port();

  /**
   * Sends a request, over a connection that exists or a new one. Never blocks. Replies may come in
   * another order than their requests.
   *
   * @param peer the receiver
   * @param request the bytes, at most {@link #MAX_REQUEST_BYTES}, which stay unchanged
   * @param maxReplyBytes bytes that the reply has at most; a longer one may be a failure
   * @param listener is called once
   */
  void request(Peer peer, ByteBuffer request, long maxReplyBytes, Listener listener);

  /** Returns the {@link #name} of what carries requests to a peer now. */
  default String nameFor(Peer peer) {
    return name();
  }

  /**
   * Returns how fast the bytes of replies of a peer lately arrived: those that the peer had already
   * sent, so that its own speed does not count. 0 when it is not known.
   */
  double bytesPerSecond(Peer peer);

  /** Closes all connections: open requests fail. Idempotent. */
  @Override
  void close();
}
