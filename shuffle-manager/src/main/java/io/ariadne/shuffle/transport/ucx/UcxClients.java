package io.ariadne.shuffle.transport.ucx;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.shuffle.transport.ArrivalRate;
import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.ReplyBytes;
import io.ariadne.shuffle.transport.Transport;
import io.ariadne.shuffle.transport.ucx.Introduction.SessionId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucs.UcsConstants;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks peers over UCX. A peer that has no UCX, or that UCX does not reach, is asked over TCP for a
 * while; one line says why.
 *
 * <p>Used by the thread of the loop, but for what says otherwise.
 */
final class UcxClients {
  private static final Logger LOG = LoggerFactory.getLogger(UcxClients.class);

  /**
   * How long peers are asked in which way.
   *
   * @param first how long it may take until a peer tells that a request has come; clearly less than
   *     the time in which {@link io.ariadne.shuffle.transport.Reachability} wants an answer, so
   *     that there is one over TCP
   * @param refused how long a peer is asked over TCP that has refused to meet, for example for its
   *     load
   * @param notReached how long a peer is asked over TCP that UCX does not reach: each attempt may
   *     cost seconds
   */
  record Limits(Duration first, Duration refused, Duration notReached) {
    static final Limits DEFAULT =
        new Limits(Duration.ofSeconds(5), Duration.ofMinutes(1), Duration.ofHours(1));
  }

  /** How often what has come for requests that were given up is freed. */
  private static final long UNWANTED_MILLIS = 1000;

  private final UcxLoop loop;
  private final UcxSecurity security;
  private final Transport tcp;
  private final BufferAllocator allocator;
  private final Limits limits;

  /** Looks whether peers are not reached. */
  private final ScheduledExecutorService timer;

  private final Map<Peer, Connection> connections = new HashMap<>();
  private final Map<SessionId, Connection> bySession = new HashMap<>();

  /** The peers that are asked over UCX, and how fast their bytes arrive. Any thread reads it. */
  private final Map<Peer, ArrivalRate> rates = new ConcurrentHashMap<>();

  /** How many connections to each server were made; UCX counts them, too, as long as it runs. */
  private final Map<WorkerAddress, Integer> made = new HashMap<>();

  /** Why no requests are made any more; null before {@link #close}. */
  private IOException closed;

  /** What is known of a peer. */
  private enum State {
    /** Asked for an introduction. */
    MEETING,
    /** Asked over UCX. */
    OVER_UCX,
    /** Asked over TCP. */
    OVER_TCP
  }

  private static final class Connection {
    final Peer peer;
    final Map<Long, Open> open = new HashMap<>();

    /** Requests that wait for the introduction. */
    final Deque<Open> waiting = new ArrayDeque<>();

    final PartArrivals arrivals = new PartArrivals(new ArrivalRate(), System::nanoTime);

    State state = State.MEETING;
    SessionId session;
    SessionKey key;
    UcxConnection ucx;
    long nextNumber;

    /** Whether something has come from the peer over UCX. */
    boolean isReached;

    Connection(Peer peer) {
      this.peer = peer;
    }

    /** Frees what has come for requests whose replies are not wanted any more. */
    void dropUnwanted() {
      open.values().removeIf(Open::isDropped);
      waiting.removeIf(Open::isDropped);
    }

    /** Takes the requests that have no reply. */
    List<Open> takeAll() {
      List<Open> all = new ArrayList<>(open.values());
      all.addAll(waiting);
      open.clear();
      waiting.clear();
      all.forEach(Open::giveUp);
      return all;
    }
  }

  UcxClients(
      UcxLoop loop,
      ScheduledExecutorService timer,
      UcxSecurity security,
      Transport tcp,
      BufferAllocator allocator,
      Limits limits) {
    this.loop = loop;
    this.timer = timer;
    this.security = security;
    this.tcp = tcp;
    this.allocator = allocator;
    this.limits = limits;
    loop.worker()
        .setAmRecvHandler(UcxSessions.REPLY, this::received, UcpConstants.UCP_AM_FLAG_WHOLE_MSG);
    hear(UcxSessions.BEGIN, SessionKey.Direction.BEGIN, connection -> connection.isReached = true);
    hear(
        UcxSessions.END,
        SessionKey.Direction.END,
        connection ->
            later(() -> drop(connection, new IOException("the peer has ended the session"))));
    var unused =
        timer.scheduleWithFixedDelay(
            () -> later(() -> connections.values().forEach(Connection::dropUnwanted)),
            UNWANTED_MILLIS,
            UNWANTED_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  /** A request without a reply. */
  private static final class Open {
    final ByteBuffer request;
    final long maxReplyBytes;
    final Transport.Listener listener;

    /** Null before the first part of the reply. */
    PartialReply reply;

    Open(ByteBuffer request, long maxReplyBytes, Transport.Listener listener) {
      this.request = request;
      this.maxReplyBytes = maxReplyBytes;
      this.listener = listener;
    }

    /** Frees what has come; receives that are under way end later, and free their memory. */
    void giveUp() {
      if (reply != null) {
        reply.giveUp();
        reply = null;
      }
    }

    /** Gives the request up when its reply is not wanted any more. */
    boolean isDropped() {
      boolean isOver = listener.isOver();
      if (isOver) {
        giveUp();
      }
      return isOver;
    }

    void fail(Throwable cause) {
      giveUp();
      listener.failed(cause);
    }
  }

  /** Makes a request; fails it after {@link #close}. */
  void request(Peer peer, ByteBuffer request, long maxReplyBytes, Transport.Listener listener) {
    if (closed != null) {
      listener.failed(closed);
      return;
    }
    Connection connection = connections.get(peer);
    if (connection == null) {
      connection = new Connection(peer);
      connections.put(peer, connection);
      meet(connection);
    }
    ask(connection, new Open(request, maxReplyBytes, listener));
  }

  private void ask(Connection connection, Open open) {
    switch (connection.state) {
      case MEETING -> connection.waiting.add(open);
      case OVER_UCX -> send(connection, open);
      case OVER_TCP ->
          tcp.request(connection.peer, open.request, open.maxReplyBytes, open.listener);
      default -> throw new IllegalStateException(connection.state.toString());
    }
  }

  /** Asks for an introduction over TCP. */
  private void meet(Connection connection) {
    tcp.request(
        connection.peer,
        Introduction.request(loop.address()),
        Introduction.MAX_REPLY_BYTES,
        new Transport.Listener() {
          @Override
          public void received(ReplyBytes bytes) {
            Introduction.Reply reply = Introduction.decode(bytes);
            later(() -> met(connection, reply));
          }

          @Override
          public void failed(Throwable cause) {
            later(() -> drop(connection, cause));
          }
        });
    soon(
        () -> {
          if (connections.get(connection.peer) == connection && connection.state == State.MEETING) {
            useTcp(connection, "it was not introduced in " + firstMillis(), limits.refused());
          }
        });
  }

  /** Runs a step on the thread of the loop after the time that the first answer may take. */
  private void soon(Runnable step) {
    var unused =
        timer.schedule(() -> later(step), limits.first().toMillis(), TimeUnit.MILLISECONDS);
  }

  private String firstMillis() {
    return limits.first().toMillis() + " ms";
  }

  /** Runs a step on the thread of the loop; a loop that has ended has failed all requests. */
  private void later(Runnable step) {
    var unused = loop.execute(step);
  }

  private void met(Connection connection, Introduction.Reply reply) {
    if (connections.get(connection.peer) != connection || connection.state != State.MEETING) {
      return; // closed, or too late
    }
    reply
        .introduction()
        .ifPresentOrElse(
            introduction -> connect(connection, introduction),
            () -> useTcp(connection, reply.reason(), limits.refused()));
  }

  private void connect(Connection connection, Introduction introduction) {
    WorkerAddress server = introduction.server();
    int count = made.getOrDefault(server, 0);
    if (count != introduction.connections()) {
      useTcp(
          connection,
          "it has taken " + introduction.connections() + " of " + count + " connections over UCX",
          limits.notReached());
      return;
    }
    made.put(server, count + 1);
    try {
      connection.ucx = loop.connect(server, message -> lost(connection, message));
    } catch (RuntimeException e) {
      useTcp(connection, e.toString(), limits.notReached());
      return;
    }
    begin(connection, introduction);
  }

  /** Makes the requests that have waited for the connection. */
  private void begin(Connection connection, Introduction introduction) {
    connection.session = introduction.session();
    connection.key = new SessionKey(introduction.key());
    connection.state = State.OVER_UCX;
    bySession.put(connection.session, connection);
    rates.put(connection.peer, connection.arrivals.rate());
    connection.takeAll().forEach(open -> ask(connection, open));
    soon(() -> checkReached(connection));
  }

  private void checkReached(Connection connection) {
    if (connections.get(connection.peer) == connection
        && connection.state == State.OVER_UCX
        && !connection.isReached) {
      useTcp(connection, "nothing came for " + firstMillis(), limits.notReached());
    }
  }

  /** A connection has failed: requests fail, unless UCX has never reached the peer. */
  private void lost(Connection connection, String message) {
    if (connection.ucx == null) {
      return; // closed before
    }
    if (connection.isReached) {
      drop(connection, new IOException("the connection over UCX is lost: " + message));
    } else {
      useTcp(connection, message, limits.notReached());
    }
  }

  /**
   * Asks a peer over TCP for some time, and what it has not answered again. Then it is forgotten,
   * and the next request asks it for an introduction.
   */
  private void useTcp(Connection connection, String reason, Duration time) {
    LOG.warn("{} is asked over TCP instead of UCX: {}", connection.peer, reason);
    disconnect(connection);
    connection.state = State.OVER_TCP;
    connection.takeAll().forEach(open -> ask(connection, open));
    var unused =
        timer.schedule(
            () -> later(() -> connections.remove(connection.peer, connection)),
            time.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  /** Forgets a peer, which is met again for the next request. */
  private void drop(Connection connection, Throwable cause) {
    if (connections.remove(connection.peer, connection)) {
      disconnect(connection);
      connection.takeAll().forEach(open -> open.fail(cause));
    }
  }

  private void disconnect(Connection connection) {
    rates.remove(connection.peer); // it was this connection's; the next may be over TCP
    if (connection.ucx != null) {
      bySession.remove(connection.session);
      connection.ucx.close();
      connection.ucx = null;
    }
  }

  private void send(Connection connection, Open open) {
    long number = connection.nextNumber++;
    ByteBuffer payload;
    try {
      payload = payload(connection, number, open.request);
    } catch (RuntimeException e) {
      open.fail(e);
      return;
    }
    connection.open.put(number, open);
    ByteBuffer header = ByteBuffer.allocateDirect(UcxSessions.REQUEST_HEADER_BYTES);
    connection.session.write(header);
    header.putLong(number).flip();
    connection.ucx.send(
        UcxSessions.REQUEST,
        header,
        payload,
        UcpConstants.UCP_AM_SEND_FLAG_REPLY | UcpConstants.UCP_AM_SEND_FLAG_EAGER,
        failure -> {
          if (failure != null) {
            later(() -> lost(connection, failure));
          }
        });
  }

  /** Returns a request as it is sent, in memory that UCX can read. */
  private ByteBuffer payload(Connection connection, long number, ByteBuffer request) {
    return security.sealsRequests()
        ? connection.key.seal(SessionKey.Direction.REQUEST, number, 0, request)
        : OutgoingMessage.direct(request);
  }

  private int received(long header, long headerBytes, UcpAmData data, UcpEndpoint unused) {
    loop.guard(
        () -> {
          boolean isHeader = headerBytes == ReplyPart.BYTES;
          ReplyPart part =
              isHeader ? ReplyPart.decode(UcxLoop.bytes(header, ReplyPart.BYTES)) : null;
          Connection connection = part == null ? null : bySession.get(part.session());
          Open open = connection == null ? null : connection.open.get(part.number());
          if (open != null) {
            received(connection, open, part, data);
          }
        });
    return UcsConstants.STATUS.UCS_OK;
  }

  /** Does something when a peer tells something about its session. */
  private void hear(int kind, SessionKey.Direction direction, Consumer<Connection> action) {
    loop.worker()
        .setAmRecvHandler(
            kind,
            (header, headerBytes, data, endpoint) -> {
              loop.guard(
                  () -> {
                    if (headerBytes == UcxSessions.SESSION_HEADER_BYTES && data.isDataValid()) {
                      heard(UcxLoop.bytes(header, headerBytes), data, direction, action);
                    }
                  });
              return UcsConstants.STATUS.UCS_OK;
            },
            UcpConstants.UCP_AM_FLAG_WHOLE_MSG);
  }

  private void heard(
      ByteBuffer header,
      UcpAmData data,
      SessionKey.Direction direction,
      Consumer<Connection> action) {
    Connection connection = bySession.get(SessionId.read(header));
    ByteBuffer sealed = UcxLoop.bytes(data.getDataAddress(), data.getLength());
    if (connection != null
        && (!security.sealsRequests() || connection.key.open(direction, 0, 0, sealed) != null)) {
      action.accept(connection);
    }
  }

  private void received(Connection connection, Open open, ReplyPart part, UcpAmData data) {
    if (open.reply == null) {
      open.reply =
          new PartialReply(
              part.count(), loop, connection.arrivals, arrived(connection, open, part.number()));
    }
    boolean seals = security.sealsReplies();
    long limit = open.maxReplyBytes + (seals ? (long) part.count() * SessionKey.TAG_BYTES : 0);
    try {
      open.reply.receive(part, data, limit, memoryFor(open));
    } catch (RuntimeException e) {
      // Out of memory, or no valid reply: this request fails, and the connection remains.
      fail(connection, open, part.number(), e);
    } catch (Error e) {
      fail(connection, open, part.number(), e);
      throw e;
    }
  }

  /** Returns the memory for a reply: its receiver's, if it has some. */
  private BufferAllocator memoryFor(Open open) {
    BufferAllocator own = open.listener.memory();
    return own == null ? allocator : own;
  }

  private static void fail(Connection connection, Open open, long number, Throwable cause) {
    if (connection.open.remove(number, open)) {
      open.fail(cause);
    }
  }

  private PartialReply.Listener arrived(Connection connection, Open open, long number) {
    return new PartialReply.Listener() {
      @Override
      public void arrived() {
        connection.isReached = true;
        if (open.reply.isComplete()) {
          complete(connection, open, number);
        }
      }

      @Override
      public void failed(String message) {
        later(() -> lost(connection, message));
      }
    };
  }

  private void complete(Connection connection, Open open, long number) {
    if (!connection.open.remove(number, open)) {
      return;
    }
    ReplyBytes bytes;
    try (PartialReply reply = open.reply) {
      bytes = !security.sealsReplies() || reply.open(connection.key, number) ? reply.take() : null;
    } catch (RuntimeException | Error e) {
      open.listener.failed(e);
      throw e;
    }
    if (bytes == null) {
      open.listener.failed(new IOException("a reply over UCX was not sealed by its peer"));
      return;
    }
    try (bytes) {
      open.listener.received(bytes);
    }
  }

  /** Returns how fast bytes of a peer arrive; 0 when it is not known. Any thread may call this. */
  double bytesPerSecond(Peer peer) {
    ArrivalRate rate = rates.get(peer);
    return rate == null ? tcp.bytesPerSecond(peer) : rate.bytesPerSecond();
  }

  /** Returns whether requests to a peer go over UCX now. Any thread may call this. */
  boolean isOverUcx(Peer peer) {
    return rates.containsKey(peer);
  }

  /**
   * Closes all connections, for good.
   *
   * @param cause why: open and further requests fail by it
   */
  void close(IOException cause) {
    closed = cause;
    List.copyOf(connections.values()).forEach(connection -> drop(connection, cause));
  }
}
