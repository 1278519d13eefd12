package io.ariadne.shuffle.transport.ucx;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;

/**
 * Moves requests and replies over UCX: over InfiniBand or RoCE, shared memory, or TCP, whichever
 * UCX finds fastest. Requests are active messages, and so is each part of a reply; UCX fetches
 * large ones out of the sender's memory.
 *
 * <p>Peers meet over another transport, which Spark's settings protect: a peer gets a session with
 * a fresh key there. The port of a {@link Peer} is that transport's, so an executor with UCX and
 * one without reach each other.
 */
public final class UcxTransport implements Transport {
  private final UcxLoop loop;
  private final UcxSessions sessions;
  private final UcxClients clients;
  private final Transport tcp;

  private UcxTransport(UcxLoop loop, UcxSessions sessions, UcxClients clients, Transport tcp) {
    this.loop = loop;
    this.sessions = sessions;
    this.clients = clients;
    this.tcp = tcp;
  }

  /**
   * Starts to listen.
   *
   * @param name prefix of the names of threads
   * @param host the address to listen on; null for all
   * @param security what is done to messages
   * @param allocator host memory for replies that arrive
   * @param tcp starts the transport over which peers meet, with a handler; this owns it
   * @param handler answers the requests of peers, those over TCP, too
   */
  public static UcxTransport start(
      String name,
      String host,
      UcxSecurity security,
      BufferAllocator allocator,
      Function<Handler, Transport> tcp,
      Handler handler) {
    UcxLoop loop = new UcxLoop(name + "-ucx");
    UcxSessions sessions = null;
    Transport meeting = null;
    try {
      InetSocketAddress address =
          host == null ? new InetSocketAddress(0) : new InetSocketAddress(host, 0);
      sessions = new UcxSessions(loop, address, security, handler);
      meeting = tcp.apply(new Meeting(loop, sessions, handler));
      UcxClients clients = new UcxClients(name, loop, security, meeting, allocator);
      UcxTransport transport = new UcxTransport(loop, sessions, clients, meeting);
      loop.whenFailed(
          () -> transport.closeConnections(new IOException("UCX has failed", loop.failure())));
      return transport;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(meeting);
      if (sessions != null) {
        var unused = loop.execute(sessions::close);
      }
      closer.close(loop);
      closer.suppressIn(e);
      throw e;
    }
  }

  /**
   * Introduces peers that ask for it; passes all other requests on. Without an introduction a peer
   * asks over TCP.
   */
  private record Meeting(UcxLoop loop, UcxSessions sessions, Handler handler) implements Handler {
    @Override
    public void handle(ByteBuffer request, Responder responder) {
      if (Introduction.isRequest(request) && loop.failure() == null) {
        Introduction introduction = sessions.introduce(responder.remoteAddress());
        responder.reply(List.of(introduction.encoded()), () -> {});
      } else {
        handler.handle(request, responder);
      }
    }

    @Override
    public void disconnected(Object connection) {
      handler.disconnected(connection);
    }
  }

  @Override
  public String name() {
    return "ucx";
  }

  @Override
  public int port() {
    return tcp.port();
  }

  @Override
  public void request(Peer peer, ByteBuffer request, long maxReplyBytes, Listener listener) {
    if (request.remaining() > MAX_REQUEST_BYTES) {
      throw new IllegalArgumentException("a request of " + request.remaining() + " bytes");
    }
    if (loop.execute(() -> clients.request(peer, request, maxReplyBytes, listener))) {
      return;
    }
    if (loop.failure() == null) {
      listener.failed(closed());
    } else {
      tcp.request(peer, request, maxReplyBytes, listener);
    }
  }

  @Override
  public double bytesPerSecond(Peer peer) {
    return clients.bytesPerSecond(peer);
  }

  /** Ends a connection that a {@link Responder} has named. */
  void disconnect(Object connection) {
    sessions.disconnect(connection);
  }

  /** Returns the thread of UCX. */
  UcxLoop loop() {
    return loop;
  }

  private static IOException closed() {
    return new IOException("the transport is closed");
  }

  private void closeConnections(IOException cause) {
    clients.close(cause);
    sessions.close();
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    var unused = loop.execute(() -> closeConnections(closed()));
    closer.close(loop);
    closer.close(tcp);
    closer.rethrow();
  }
}
