package io.ariadne.shuffle.transport.ucx;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
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

  /**
   * Active message that tells a client that its first request has come, as {@link #END} is: the
   * reply may take long.
   */
  static final int BEGIN = 4;

  /** The highest kind of message. */
  static final int LAST_KIND = BEGIN;

  /** Bytes of the header of {@link #BEGIN} and {@link #END}. */
  static final int SESSION_HEADER_BYTES = 2 * Long.BYTES;

  static final int REQUEST_HEADER_BYTES = 3 * Long.BYTES;

  private static final int MAX_REQUEST_BYTES = Transport.MAX_REQUEST_BYTES + SessionKey.TAG_BYTES;

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
  private final BufferAllocator allocator;
  private final Transport.Handler handler;
  private final Unused limit;
  private final SecureRandom random = new SecureRandom();
  private final Map<SessionId, Session> sessions = new HashMap<>();

  /** The sessions by their clients; each client has one. */
  private final Map<WorkerAddress, Session> byClient = new HashMap<>();

  /** Sessions without a request, the oldest first. */
  private final Set<Session> unused = new LinkedHashSet<>();

  /** Sessions that have ended, whose connections are still open for the message that says so. */
  private final Set<Session> ending = new HashSet<>();

  /** How many connections of each client were taken; UCX counts them, too, as long as it runs. */
  private final Map<WorkerAddress, Integer> taken = new HashMap<>();

  /** Clients whose connections UCX joins with others than theirs. */
  private final Set<WorkerAddress> mismatched = new HashSet<>();

  /** Whether there was a session, and so perhaps a connection that this has not taken. */
  private boolean hasIntroduced;

  /** Whether this introduces and answers no peer any more. */
  private boolean isClosed;

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

    /** The connection over which replies are sent; null before the first request. */
    UcxConnection connection;

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
   * @param allocator memory for encrypted replies
   */
  UcxSessions(
      UcxLoop loop,
      ScheduledExecutorService timer,
      UcxSecurity security,
      BufferAllocator allocator,
      Transport.Handler handler,
      Unused limit) {
    this.loop = loop;
    this.timer = timer;
    this.security = security;
    this.allocator = allocator;
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
    if (isClosed) {
      return Introduction.refusal("it introduces no peer now");
    }
    if (!client.isLike(loop.address())) {
      return Introduction.refusal("its version of UCX has other addresses");
    }
    if (mismatched.contains(client)) {
      return Introduction.refusal("UCX joins other connections than the two of a session");
    }
    if (unused.size() >= limit.count()) {
      return Introduction.refusal("too many peers are introduced and ask nothing");
    }
    byte[] key = SessionKey.fresh();
    SessionId id = new SessionId(random.nextLong(), random.nextLong());
    Session session = new Session(id, key, client, name);
    sessions.put(id, session);
    hasIntroduced = true;
    byClient.put(client, session);
    unused.add(session);
    int connections = taken.getOrDefault(client, 0);
    return new Introduction(id, key, connections, loop.address()).encoded();
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
    loop.guard(
        () -> {
          if (headerBytes == REQUEST_HEADER_BYTES
              && data.isDataValid()
              && data.getLength() <= MAX_REQUEST_BYTES) {
            received(UcxLoop.bytes(header, REQUEST_HEADER_BYTES), data, replyTo);
          }
        });
    return UcsConstants.STATUS.UCS_OK;
  }

  private void received(ByteBuffer numbers, UcpAmData data, UcpEndpoint replyTo) {
    Session session = sessions.get(SessionId.read(numbers));
    if (session != null) {
      long number = numbers.getLong();
      byte[] bytes = new byte[(int) data.getLength()];
      UcxLoop.bytes(data.getDataAddress(), data.getLength()).get(bytes);
      loop.afterCallback(() -> receivedIn(session, number, ByteBuffer.wrap(bytes), replyTo));
    }
  }

  /** Takes a request. After a failure its client must not wait for a reply. */
  private void receivedIn(Session session, long number, ByteBuffer bytes, UcpEndpoint replyTo) {
    if (isClosed || session.isClosed) {
      return;
    }
    try {
      received(session, number, bytes, replyTo);
    } catch (RuntimeException e) {
      LOG.error("a request over UCX in the {} cannot be handled", session, e);
      disconnect(session);
    } catch (Error e) {
      disconnect(session);
      throw e;
    }
  }

  private void received(Session session, long number, ByteBuffer bytes, UcpEndpoint replyTo) {
    ByteBuffer request = open(session, number, bytes);
    if (request == null || !session.numbers.isNew(number)) {
      LOG.warn("a request over UCX in the {} is refused: it is not the peer's", session);
      return;
    }
    boolean isFirst = session.connection == null;
    if (isFirst) {
      take(session);
    }
    if (!session.connection.isOf(replyTo)) {
      // Replies go over the session's connection, and the client looks after another one.
      LOG.warn("a request over UCX in the {} is refused: it has another connection", session);
      if (isFirst) {
        mismatched.add(session.client);
        lost(session);
      }
      return;
    }
    if (isFirst) {
      tell(session, BEGIN, SessionKey.Direction.BEGIN);
    }
    handler.handle(request, new Reply(session, number));
  }

  /** Takes the server's end of the connection of a session, which its client has made. */
  private void take(Session session) {
    unused.remove(session);
    taken.merge(session.client, 1, Integer::sum);
    session.connection = loop.take(session.client, message -> lost(session));
  }

  /** Returns the request; null when it was not sealed by the session's key. */
  private ByteBuffer open(Session session, long number, ByteBuffer bytes) {
    return security.sealsRequests()
        ? session.key.open(SessionKey.Direction.REQUEST, number, 0, bytes)
        : bytes;
  }

  /**
   * A message with one part of a reply.
   *
   * @param sealed memory of the payload, freed when it is sent; null when it is not the message's
   */
  private record Part(ByteBuffer header, ByteBuffer payload, MemoryBuffer sealed) {
    void free() {
      if (sealed != null) {
        sealed.close();
      }
    }
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
    public void disconnect() {
      UcxSessions.this.disconnect(session);
    }

    @Override
    public void reply(List<ByteBuffer> parts, Runnable whenSent) {
      List<Part> messages = new ArrayList<>();
      try {
        addMessages(parts, messages);
      } catch (RuntimeException | Error e) {
        LOG.error("a reply over UCX cannot be sent", e);
        messages.forEach(Part::free);
        whenSent.run();
        disconnect();
        return;
      }
      if (!loop.execute(() -> send(messages, whenSent))) {
        messages.forEach(Part::free);
        whenSent.run();
      }
    }

    /** Adds the parts as they are sent, in memory that UCX can read. */
    private void addMessages(List<ByteBuffer> parts, List<Part> messages) {
      List<ByteBuffer> sent = parts.stream().filter(ByteBuffer::hasRemaining).toList();
      if (sent.isEmpty()) {
        throw new IllegalArgumentException("a reply without bytes");
      }
      for (int i = 0; i < sent.size(); i++) {
        ByteBuffer header = new ReplyPart(session.id, number, i, sent.size()).encoded();
        messages.add(
            security.sealsReplies()
                ? i == 0 ? sealedHead(header, sent.get(0)) : sealed(header, sent.get(i), i)
                : new Part(header, OutgoingMessage.direct(sent.get(i)), null));
      }
    }

    /** The head is short: memory of the pool could make this thread move batches to a disk. */
    private Part sealedHead(ByteBuffer header, ByteBuffer plain) {
      return new Part(header, session.key.seal(SessionKey.Direction.REPLY, number, 0, plain), null);
    }

    private Part sealed(ByteBuffer header, ByteBuffer plain, int index) {
      MemoryBuffer memory;
      try {
        memory = allocator.allocate(plain.remaining() + SessionKey.TAG_BYTES);
      } catch (EngineException e) {
        if (!EngineException.isOutOfMemory(e)) {
          throw e;
        }
        // The blocks exist, and only sending them makes memory free: this goes beyond the limit.
        ByteBuffer direct = session.key.seal(SessionKey.Direction.REPLY, number, index, plain);
        return new Part(header, direct, null);
      }
      ByteBuffer payload = Memory.byteBuffer(memory.address(), (int) memory.lengthInBytes());
      Part part = new Part(header, payload, memory);
      try {
        session.key.seal(SessionKey.Direction.REPLY, number, index, plain, payload.duplicate());
        return part;
      } catch (RuntimeException | Error e) {
        part.free();
        throw e;
      }
    }

    private void send(List<Part> parts, Runnable whenSent) {
      AtomicInteger left = new AtomicInteger(parts.size());
      for (Part part : parts) {
        send(
            part,
            () -> {
              part.free();
              countDown(left, whenSent);
            });
      }
    }

    private void countDown(AtomicInteger left, Runnable whenSent) {
      if (left.decrementAndGet() == 0) {
        whenSent.run();
      }
    }

    private void send(Part part, Runnable whenOver) {
      if (session.isClosed) {
        whenOver.run();
        return;
      }
      session.connection.send(
          REPLY,
          part.header(),
          part.payload(),
          0,
          failure -> {
            whenOver.run();
            if (failure != null) {
              LOG.debug("a part of a reply in the {} is not sent: {}", session, failure);
              disconnect(); // nothing else tells the peer that the reply does not come
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
    if (!remove(session) || session.connection == null) {
      return;
    }
    sendEnd(session);
    ending.add(session);
    var unusedResult =
        timer.schedule(
            () -> later(() -> closeEnding(session)), LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void closeEnding(Session session) {
    if (ending.remove(session)) {
      session.connection.close();
    }
  }

  private void sendEnd(Session session) {
    tell(session, END, SessionKey.Direction.END);
  }

  private void tell(Session session, int kind, SessionKey.Direction direction) {
    ByteBuffer header = ByteBuffer.allocateDirect(SESSION_HEADER_BYTES);
    session.id.write(header);
    ByteBuffer plain = ByteBuffer.allocate(1);
    session.connection.send(
        kind,
        header.flip(),
        security.sealsRequests()
            ? session.key.seal(direction, 0, 0, plain)
            : OutgoingMessage.direct(plain),
        UcpConstants.UCP_AM_SEND_FLAG_EAGER,
        failure -> {});
  }

  /** The connection of a session has failed, or is not wanted any more. */
  private void lost(Session session) {
    if (!remove(session)) {
      closeEnding(session);
    } else if (session.connection != null) {
      session.connection.close();
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

  /** Tells all clients that their sessions have ended, and closes all connections, for good. */
  void close() {
    isClosed = true;
    if (hasIntroduced) {
      sessions.values().stream()
          .filter(session -> session.connection != null)
          .forEach(this::sendEnd);
      // Also for clients that have connected and not asked: UCX 1.13 aborts the process when a
      // worker ends whose answer to a connection is still to be sent.
      long start = System.nanoTime();
      while (System.nanoTime() - start < FAREWELL.toNanos()) {
        var unusedResult = loop.progress();
      }
    }
    List.copyOf(sessions.values()).forEach(this::lost);
    List.copyOf(ending).forEach(this::closeEnding);
  }
}
