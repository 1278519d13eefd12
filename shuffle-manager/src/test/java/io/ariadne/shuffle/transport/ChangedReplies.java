package io.ariadne.shuffle.transport;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A server whose replies a test changes before they are sent.
 *
 * @param server answers the requests
 * @param change returns the parts that are sent in the place of those of a reply
 */
public record ChangedReplies(Transport.Handler server, UnaryOperator<List<ByteBuffer>> change)
    implements Transport.Handler {
  @Override
  public void handle(ByteBuffer request, Transport.Responder responder) {
    server.handle(request, new Changing(responder));
  }

  @Override
  public void disconnected(Object connection) {
    server.disconnected(connection);
  }

  private final class Changing implements Transport.Responder {
    private final Transport.Responder responder;

    Changing(Transport.Responder responder) {
      this.responder = responder;
    }

    @Override
    public Object connection() {
      return responder.connection();
    }

    @Override
    public String remoteAddress() {
      return responder.remoteAddress();
    }

    @Override
    public void disconnect() {
      responder.disconnect();
    }

    @Override
    public void reply(List<ByteBuffer> parts, Runnable whenSent) {
      responder.reply(change.apply(parts), whenSent);
    }
  }
}
