package io.ariadne.shuffle.transport.ucx;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One end of a connection between two workers. It has to stay reachable for its callbacks until
 * {@link #close} is called; its loop then keeps it. Used by the thread of its loop.
 */
final class UcxConnection {
  private static final Logger LOG = LoggerFactory.getLogger(UcxConnection.class);

  private final UcxLoop loop;
  private final UcpEndpoint endpoint;

  /** Whether UCX owes the peer no answer to its request for the connection any more. */
  private boolean isAnswered;

  private boolean isClosed;

  /** Ends when UCX has closed the connection; null before UCX is told to close it. */
  private UcpRequest closing;

  /** Whether UCX has refused to close the connection. */
  private boolean isRefused;

  private UcxConnection(UcxLoop loop, UcpEndpoint endpoint) {
    this.loop = loop;
    this.endpoint = endpoint;
  }

  /** Owns the end of this side, which asks its peer for the connection. */
  static UcxConnection made(UcxLoop loop, UcpEndpoint endpoint) {
    UcxConnection connection = new UcxConnection(loop, endpoint);
    connection.isAnswered = true;
    return connection;
  }

  /** Owns the other end of a connection that the peer has asked for. */
  static UcxConnection taken(UcxLoop loop, UcpEndpoint endpoint) {
    UcxConnection connection = new UcxConnection(loop, endpoint);
    connection.awaitAnswer();
    return connection;
  }

  /** Learns when UCX has sent what is queued now: the answer to the peer is the first of it. */
  private void awaitAnswer() {
    UcxCallback whenSent =
        new UcxCallback() {
          @Override
          public void onSuccess(UcpRequest request) {
            loop.afterCallback(UcxConnection.this::answered);
          }

          @Override
          public void onError(int status, String message) {
            loop.afterCallback(UcxConnection.this::answered);
          }
        };
    try {
      var unused = endpoint.flushNonBlocking(whenSent);
    } catch (RuntimeException e) {
      answered(); // it has failed
    }
  }

  private void answered() {
    isAnswered = true;
    if (isClosed) {
      closeNow();
    }
  }

  /**
   * Sends an active message.
   *
   * @param kind the number of the kind of message
   * @param header direct memory
   * @param payload direct memory
   * @param flags of UCX
   * @param whenOver is called once, with the reason when the message could not be sent, else null;
   *     what it throws fails a step of the loop
   */
  void send(
      int kind, ByteBuffer header, ByteBuffer payload, long flags, Consumer<String> whenOver) {
    OutgoingMessage.send(loop, endpoint, kind, header, payload, flags, whenOver);
  }

  /** Returns whether a message has come over this connection. */
  boolean isOf(UcpEndpoint replyTo) {
    return endpoint.equals(replyTo);
  }

  /**
   * Closes this: what is under way fails. When UCX still has to answer the peer's request for the
   * connection, it is closed after that: UCX 1.13 aborts the process otherwise ({@code
   * ucp_request.c:684}). Idempotent.
   */
  void close() {
    if (!isClosed) {
      isClosed = true;
      loop.awaitEnd(this);
      if (isAnswered) {
        closeNow();
      }
    }
  }

  private void closeNow() {
    if (closing == null && !isRefused) {
      try {
        closing = endpoint.closeNonBlockingForce();
      } catch (RuntimeException e) {
        isRefused = true;
        LOG.warn("UCX does not close a connection", e);
      }
    }
  }

  /** Returns whether UCX has closed this, or does not. */
  boolean isOver() {
    return isRefused || (closing != null && closing.isCompleted());
  }
}
