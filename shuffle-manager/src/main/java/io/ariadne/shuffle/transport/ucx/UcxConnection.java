package io.ariadne.shuffle.transport.ucx;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpRequest;

/**
 * One end of a connection between two workers. It has to stay reachable for its callbacks until it
 * is {@link #close closed}. Used by the thread of its loop.
 */
final class UcxConnection {
  private final UcxLoop loop;
  private final UcpEndpoint endpoint;

  /** Whether UCX has sent what sets the connection up, or has failed to. */
  private boolean isSetUp;

  private boolean isClosed;

  /** Ends when UCX has closed the connection; null before UCX is told to close it. */
  private UcpRequest closing;

  private UcxConnection(UcxLoop loop, UcpEndpoint endpoint) {
    this.loop = loop;
    this.endpoint = endpoint;
  }

  /** Owns an endpoint that UCX has just made. */
  static UcxConnection of(UcxLoop loop, UcpEndpoint endpoint) {
    UcxConnection connection = new UcxConnection(loop, endpoint);
    connection.flush();
    return connection;
  }

  /** Learns when all that is to be sent now was sent, which begins with what sets it up. */
  private void flush() {
    UcxCallback whenSent =
        new UcxCallback() {
          @Override
          public void onSuccess(UcpRequest request) {
            loop.afterCallback(UcxConnection.this::setUp);
          }

          @Override
          public void onError(int status, String message) {
            loop.afterCallback(UcxConnection.this::setUp);
          }
        };
    try {
      var unused = endpoint.flushNonBlocking(whenSent);
    } catch (RuntimeException e) {
      setUp(); // it has failed
    }
  }

  private void setUp() {
    isSetUp = true;
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
   * Closes this, as soon as it is set up: what is under way then fails. UCX 1.13 aborts the process
   * ({@code ucp_request.c:684}) for a connection that is closed while UCX still has to answer its
   * peer's request for it. Idempotent.
   */
  void close() {
    if (!isClosed) {
      isClosed = true;
      loop.awaitEnd(this);
      if (isSetUp) {
        closeNow();
      }
    }
  }

  private void closeNow() {
    if (closing == null) {
      closing = endpoint.closeNonBlockingForce();
    }
  }

  /** Returns whether UCX has closed this. */
  boolean isOver() {
    return closing != null && closing.isCompleted();
  }
}
