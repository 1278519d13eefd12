package io.ariadne.shuffle.transport.ucx;

import io.ariadne.shuffle.transport.Transport;
import io.ariadne.shuffle.transport.ucx.Introduction.SessionId;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucs.UcsConstants;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the requests of peers over UCX. A peer gets a session over TCP ({@link #handle}), and
 * names it in each request. Requests without one, repeated ones, those of another connection, and
 * those that its key has not sealed are ignored.
 *
 * <p>Only the client connects. A session takes its end of the connection with its first request:
 * UCX 1.13 aborts the process when both sides connect and one closes before the other has
 * connected.
 *
 * <p>Used by the thread of the loop, but {@link #handle}, which threads of TCP call, and what says
 * otherwise.
 */
final class UcxSessions implements Transport.Handler {
  /** Active message with a request: session (16) and number (8) are its header. */
  static final int REQUEST = 1;

  /** Active message with a part of a reply. */
  static final int REPLY = 2;

  /**
   * Active message that ends a session, its header (16), because UCX tells only its keep-alive that
   * a connection is closed. The payload is a zero byte, sealed where requests are.
   */
  static final int END = 3;

  /** Bytes of the header of {@link #END}. */
  static final int END_HEADER_BYTES = 2 * Long.BYTES;

  static final int REQUEST_HEADER_BYTES = 3 * Long.BYTES;

  /**
   * Limits peers that are introduced and have sent no request yet.
   *
   * @param count how many there may be; further ones are refused
   * @param time how long they may stay
   */
  record Unused(int count, Duration time) {
    /** Many executors may begin a stage at once. */
    static final Unused DEFAULT = new Unused(1024, Duration.ofMinutes(1));
  }

  /** How long a connection stays open for the message that its session has ended. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  /** How long clients are told that all sessions end; a forced close loses what is not sent. */
  private static final Duration FAREWELL = Duration.ofMillis(100);

  private static final Logger LOG = LoggerFactory.getLogger(UcxSessions.class);

  private final UcxLoop loop;
  private final ScheduledExecutorService timer;
  private final UcxSecurity security;
  private final Transport.Handler handler;
  private final Unused limit;
  private final SecureRandom random = new SecureRandom();
  private final Map<SessionId, Session> sessions = new HashMap<>();

  /** The sessions by their clients; each client has one. */
  private final Map<WorkerAddress, Session> byClient = new HashMap<>();

  /** Sessions without a request, the oldest first. */
  private final Set<Session> unused = new LinkedHashSet<>();

  /** Connections whose sessions have ended, still open for the message that says so. */
  private final Set<UcpEndpoint> ending = new HashSet<>();

  /** Introductions that wait for the thread of the loop; used by all threads. */
  private final AtomicInteger introducing = new AtomicInteger();

  /** One peer's session. */
  private static final class Session {
    final SessionId id;
    final SessionKey key;
    final long beginNanos = System.nanoTime();
    final WorkerAddress client;
    final String name;
    final ReplayWindow numbers = new ReplayWindow();

    /**
     * The connection over which replies are sent; null before the first request. It has to stay
     * reachable for its callbacks.
     */
    UcpEndpoint endpoint;

    boolean isClosed;

    Session(SessionId id, byte[] key, WorkerAddress client, String name) {
      this.id = id;
      this.key = new SessionKey(key);
      this.client = client;
      this.name = name;
    }

    @Override
    public String toString() {
      return "session of " + name;
    }
  }

  /**
   * Begins to answer.
   *
   * @param timer looks for sessions without a request
   */
  UcxSessions(
      UcxLoop loop,
      ScheduledExecutorService timer,
      UcxSecurity security,
      Transport.Handler handler,
      Unused limit) {
    this.loop = loop;
    this.timer = timer;
    this.security = security;
    this.handler = handler;
    this.limit = limit;
    long flags = UcpConstants.UCP_AM_FLAG_WHOLE_MSG;
    loop.worker().setAmRecvHandler(REQUEST, this::received, flags);
    long period = limit.time().toMillis() / 2;
    var unusedResult =
        timer.scheduleWithFixedDelay(
            () -> later(this::closeUnused), period, period, TimeUnit.MILLISECONDS);
  }

  /** Introduces clients that ask for it over TCP; passes all other requests on. */
  @Override
  public void handle(ByteBuffer request, Transport.Responder responder) {
    if (!Introduction.isRequest(request)) {
      handler.handle(request, responder);
      return;
    }
    Optional<WorkerAddress> client = Introduction.client(request);
    if (client.isEmpty()) {
      answer(responder, Introduction.refusal("the request for an introduction is damaged"));
    } else if (introducing.incrementAndGet() > limit.count()
        || !loop.execute(() -> introduce(client.get(), responder))) {
      introducing.decrementAndGet();
      answer(responder, Introduction.refusal("it introduces no peer now"));
    }
  }

  @Override
  public void disconnected(Object connection) {
    handler.disconnected(connection);
  }

  private static void answer(Transport.Responder responder, ByteBuffer bytes) {
    responder.reply(List.of(bytes), () -> {});
  }

  private void introduce(WorkerAddress client, Transport.Responder responder) {
    introducing.decrementAndGet();
    ByteBuffer reply = Introduction.refusal("it has failed to introduce the peer");
    try {
      reply = introduced(client, responder.remoteAddress());
    } finally {
      answer(responder, reply); // also after an Error, which ends the loop
    }
  }

  /** Returns the reply to a client. A client that comes again has given up its former session. */
  private ByteBuffer introduced(WorkerAddress client, String name) {
    closeUnused();
    Session former = byClient.get(client);
    if (former != null) {
      lost(former);
    }
    if (!client.isLike(loop.address())) {
      return Introduction.refusal("its version of UCX has other addresses");
    }
    if (unused.size() >= limit.count()) {
      return Introduction.refusal("too many peers are introduced and ask nothing");
    }
    byte[] key = SessionKey.fresh();
    SessionId id = new SessionId(random.nextLong(), random.nextLong());
    Session session = new Session(id, key, client, name);
    sessions.put(id, session);
    byClient.put(client, session);
    unused.add(session);
    return new Introduction(id, key, loop.address()).encoded();
  }

  private void closeUnused() {
    long now = System.nanoTime();
    for (Session session : List.copyOf(unused)) {
      if (now - session.beginNanos <= limit.time().toNanos()) {
        return;
      }
      LOG.info("the {} is closed: it was not used for {} s", session, limit.time().toSeconds());
      end(session);
    }
  }

  /** Runs a step on the thread of the loop; a loop that has ended has closed all sessions. */
  private void later(Runnable step) {
    var unusedResult = loop.execute(step);
  }

  private int received(long header, long headerBytes, UcpAmData data, UcpEndpoint replyTo) {
    try {
      if (headerBytes == REQUEST_HEADER_BYTES && data.isDataValid()) {
        ByteBuffer numbers = UcxLoop.bytes(header, REQUEST_HEADER_BYTES);
        SessionId id = SessionId.read(numbers);
        Session session = sessions.get(id);
        ByteBuffer sealed = UcxLoop.bytes(data.getDataAddress(), data.getLength());
        if (session != null) {
          received(session, numbers.getLong(), sealed, replyTo);
        }
      }
    } catch (RuntimeException | Error e) {
      LOG.warn("a request over UCX cannot be read", e);
    }
    return UcsConstants.STATUS.UCS_OK;
  }

  private void received(Session session, long number, ByteBuffer bytes, UcpEndpoint replyTo) {
    ByteBuffer request = open(session, number, bytes);
    if (request == null || !session.numbers.isNew(number)) {
      LOG.warn("a request over UCX in the {} is refused: it is not the peer's", session);
      return;
    }
    boolean isFirst = session.endpoint == null;
    if (isFirst) {
      session.endpoint = loop.connect(session.client, message -> lost(session));
    }
    if (!session.endpoint.equals(replyTo)) {
      // Replies go over the session's connection, and the client looks after another one.
      LOG.warn("a request over UCX in the {} is refused: it has another connection", session);
      if (isFirst) {
        later(() -> lost(session));
      }
      return;
    }
    unused.remove(session);
    handler.handle(request, new Reply(session, number));
  }

  /** Returns the request; null when it was not sealed by the session's key. */
  private ByteBuffer open(Session session, long number, ByteBuffer bytes) {
    return security.sealsRequests()
        ? session.key.open(SessionKey.Direction.REQUEST, number, 0, bytes)
        : bytes;
  }

  /** Sends one reply. Any thread may use it. */
  private final class Reply implements Transport.Responder {
    private final Session session;
    private final long number;

    Reply(Session session, long number) {
      this.session = session;
      this.number = number;
    }

    @Override
    public Object connection() {
      return session;
    }

    @Override
    public String remoteAddress() {
      return session.name;
    }

    @Override
    public void reply(List<ByteBuffer> parts, Runnable whenSent) {
      List<ByteBuffer> payloads;
      try {
        payloads = payloads(parts);
      } catch (RuntimeException | Error e) {
        LOG.error("a reply over UCX cannot be sent", e);
        whenSent.run();
        disconnect(session);
        return;
      }
      if (!loop.execute(() -> send(payloads, whenSent))) {
        whenSent.run();
      }
    }

    /** Returns the parts as they are sent, in memory that UCX can read. */
    private List<ByteBuffer> payloads(List<ByteBuffer> parts) {
      List<ByteBuffer> payloads = new ArrayList<>();
      for (ByteBuffer part : parts) {
        if (part.hasRemaining()) {
          payloads.add(payload(part, payloads.size()));
        }
      }
      return payloads;
    }

    private ByteBuffer payload(ByteBuffer part, int index) {
      return security.sealsReplies()
          ? session.key.seal(SessionKey.Direction.REPLY, number, index, part)
          : OutgoingMessage.direct(part);
    }

    private void send(List<ByteBuffer> payloads, Runnable whenSent) {
      AtomicInteger left = new AtomicInteger(payloads.size());
      for (int i = 0; i < payloads.size(); i++) {
        ReplyPart part = new ReplyPart(session.id, number, i, payloads.size());
        send(part.encoded(), payloads.get(i), () -> countDown(left, whenSent));
      }
    }

    private void countDown(AtomicInteger left, Runnable whenSent) {
      if (left.decrementAndGet() == 0) {
        whenSent.run();
      }
    }

    private void send(ByteBuffer header, ByteBuffer payload, Runnable whenOver) {
      if (session.isClosed) {
        whenOver.run();
        return;
      }
      OutgoingMessage.send(
          session.endpoint,
          REPLY,
          header,
          payload,
          0,
          failure -> {
            whenOver.run();
            if (failure != null) {
              LOG.debug("a part of a reply in the {} is not sent: {}", session, failure);
              disconnect(session); // nothing else tells the peer that the reply does not come
            }
          });
    }
  }

  /** Ends a session, and its connection. Any thread may call this. */
  void disconnect(Object session) {
    later(() -> end((Session) session));
  }

  /** Ends a session: its client asks for another introduction with its next request. */
  private void end(Session session) {
    if (!remove(session) || session.endpoint == null) {
      return;
    }
    sendEnd(session);
    UcpEndpoint endpoint = session.endpoint;
    ending.add(endpoint);
    var unusedResult =
        timer.schedule(
            () -> later(() -> closeEnding(endpoint)), LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void closeEnding(UcpEndpoint endpoint) {
    if (ending.remove(endpoint)) {
      loop.close(endpoint);
    }
  }

  private void sendEnd(Session session) {
    ByteBuffer header = ByteBuffer.allocateDirect(END_HEADER_BYTES);
    session.id.write(header);
    ByteBuffer plain = ByteBuffer.allocate(1);
    OutgoingMessage.send(
        session.endpoint,
        END,
        header.flip(),
        security.sealsRequests()
            ? session.key.seal(SessionKey.Direction.END, 0, 0, plain)
            : OutgoingMessage.direct(plain),
        UcpConstants.UCP_AM_SEND_FLAG_EAGER,
        failure -> {});
  }

  /** The connection of a session has failed, or is not wanted any more. */
  private void lost(Session session) {
    if (!remove(session)) {
      closeEnding(session.endpoint);
    } else if (session.endpoint != null) {
      loop.close(session.endpoint);
    }
  }

  /** Forgets a session; returns whether it was there. */
  private boolean remove(Session session) {
    if (!sessions.remove(session.id, session)) {
      return false; // closed before, or of another executor in this process
    }
    session.isClosed = true;
    byClient.remove(session.client);
    unused.remove(session);
    handler.disconnected(session);
    return true;
  }

  /** Tells all clients that their sessions have ended, and closes all connections. */
  void close() {
    List<Session> connected =
        sessions.values().stream().filter(session -> session.endpoint != null).toList();
    if (!connected.isEmpty()) {
      connected.forEach(this::sendEnd);
      long start = System.nanoTime();
      while (System.nanoTime() - start < FAREWELL.toNanos()) {
        var unusedResult = loop.progress();
      }
    }
    List.copyOf(sessions.values()).forEach(this::lost);
    List.copyOf(ending).forEach(this::closeEnding);
  }
}
