package io.ariadne.shuffle.transport.ucx;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpRequest;

/**
 * An active message that is sent. Keeps its bytes reachable until UCX has read them. Used by the
 * thread of the loop.
 */
final class OutgoingMessage extends UcxCallback {
  private final UcxLoop loop;
  private final ByteBuffer header;
  private final ByteBuffer payload;

  /** Null when the outcome is told. */
  private Consumer<String> whenOver;

  private OutgoingMessage(
      UcxLoop loop, ByteBuffer header, ByteBuffer payload, Consumer<String> whenOver) {
    this.loop = loop;
    this.header = header;
    this.payload = payload;
    this.whenOver = whenOver;
  }

  /**
   * Sends a message.
   *
   * @param loop of the endpoint
   * @param endpoint the way to the peer
   * @param kind the number of the kind of message
   * @param header direct memory
   * @param payload direct memory
   * @param flags of UCX
   * @param whenOver is called once, with the reason when the message could not be sent, else null;
   *     what it throws fails a step of the loop
   */
  static void send(
      UcxLoop loop,
      UcpEndpoint endpoint,
      int kind,
      ByteBuffer header,
      ByteBuffer payload,
      long flags,
      Consumer<String> whenOver) {
    OutgoingMessage message = new OutgoingMessage(loop, header, payload, whenOver);
    try {
      var unused =
          endpoint.sendAmNonBlocking(
              kind,
              UcxUtils.getAddress(header),
              header.remaining(),
              UcxUtils.getAddress(payload),
              payload.remaining(),
              flags,
              message);
    } catch (RuntimeException e) {
      message.over(String.valueOf(e.getMessage()));
    }
  }

  /** Returns bytes in memory that UCX can read: these, or a copy. */
  static ByteBuffer direct(ByteBuffer bytes) {
    return bytes.isDirect()
        ? bytes.duplicate()
        : ByteBuffer.allocateDirect(bytes.remaining()).put(bytes.duplicate()).flip();
  }

  @Override
  public void onSuccess(UcpRequest request) {
    over(null);
  }

  @Override
  public void onError(int status, String message) {
    over(String.valueOf(message));
  }

  private void over(String reason) {
    if (whenOver != null) {
      Consumer<String> told = whenOver;
      whenOver = null;
      loop.guard(() -> told.accept(reason));
    }
  }

  @Override
  public String toString() {
    return "a message of " + header.remaining() + " and " + payload.remaining() + " bytes";
  }
}
