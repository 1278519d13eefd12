package io.ariadne.shuffle.transport.ucx;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.event.Threads;
import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Function;

/**
 * Moves requests and replies over UCX: over InfiniBand or RoCE, shared memory, or TCP, whichever
 * UCX finds fastest. Requests are active messages, and so is each part of a reply; UCX fetches
 * large ones out of the sender's memory.
 *
 * <p>Peers meet over another transport, which Spark's settings protect: they exchange the addresses
 * of their workers there, and the client gets a session with a fresh key. The port of a {@link
 * Peer} is that transport's, so an executor with UCX and one without reach each other.
 *
 * <p>One worker asks and another one answers, and only the one that asks connects. UCX counts, on
 * both sides, the connections between two workers, and joins those of the same number: so the one
 * that answers has to take each connection. After a connection that the server has not taken, for
 * example because it failed before its first request, the client finds other numbers in its next
 * introduction, and uses TCP.
 */
public final class UcxTransport implements Transport {
  private final ScheduledExecutorService timer;
  private final UcxLoop serving;
  private final UcxLoop asking;
  private final UcxSessions sessions;
  private final UcxClients clients;
  private final Transport tcp;

  private UcxTransport(
      ScheduledExecutorService timer,
      UcxLoop serving,
      UcxLoop asking,
      UcxSessions sessions,
      UcxClients clients,
      Transport tcp) {
    this.timer = timer;
    this.serving = serving;
    this.asking = asking;
    this.sessions = sessions;
    this.clients = clients;
    this.tcp = tcp;
  }

  /**
   * Starts to answer.
   *
   * @param name prefix of the names of threads
   * @param host the name or address by which peers know this machine
   * @param security what is done to messages
   * @param allocator host memory for encrypted replies, and for those that arrive for listeners
   *     without memory
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
    Optional<String> devices = NetworkDevices.of(host);
    ScheduledThreadPoolExecutor timer = timer(name);
    UcxLoop serving = null;
    UcxLoop asking = null;
    Transport meeting = null;
    try {
      serving = new UcxLoop(name + "-ucx-server", devices);
      asking = new UcxLoop(name + "-ucx-client", devices);
      UcxSessions sessions =
          new UcxSessions(serving, timer, security, allocator, handler, UcxSessions.Unused.DEFAULT);
      meeting = tcp.apply(sessions);
      UcxClients clients =
          new UcxClients(asking, timer, security, meeting, allocator, UcxClients.Limits.DEFAULT);
      UcxTransport transport = new UcxTransport(timer, serving, asking, sessions, clients, meeting);
      serving.whenFailed(sessions::close);
      asking.whenFailed(
          () -> clients.close(new IOException("UCX has failed", transport.asking.failure())));
      return transport;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(meeting);
      closer.close(asking);
      closer.close(serving);
      closer.close(timer::shutdownNow);
      closer.suppressIn(e);
      throw e;
    }
  }

  private static ScheduledThreadPoolExecutor timer(String name) {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1, Threads.daemons(name + "-ucx-timer"), new ThreadPoolExecutor.DiscardPolicy());
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return timer;
  }

  @Override
  public String name() {
    return "ucx";
  }

  @Override
  public String nameFor(Peer peer) {
    return clients.isOverUcx(peer) ? name() : tcp.nameFor(peer);
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
    if (asking.execute(() -> clients.request(peer, request, maxReplyBytes, listener))) {
      return;
    }
    if (asking.failure() == null) {
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

  /** Returns the thread that answers peers. */
  UcxLoop serving() {
    return serving;
  }

  /** Returns the thread that asks peers. */
  UcxLoop asking() {
    return asking;
  }

  private static IOException closed() {
    return new IOException("the transport is closed");
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    var unusedClients = asking.execute(() -> clients.close(closed()));
    var unusedSessions = serving.execute(sessions::close);
    closer.close(asking);
    closer.close(serving);
    closer.close(tcp);
    closer.close(timer::shutdownNow);
    closer.rethrow();
  }
}
