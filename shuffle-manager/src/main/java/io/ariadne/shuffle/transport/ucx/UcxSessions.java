package io.ariadne.shuffle.transport.ucx;

import io.ariadne.shuffle.transport.Transport;
import io.ariadne.shuffle.transport.ucx.Introduction.SessionId;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpConnectionRequest;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpListener;
import org.openucx.jucx.ucp.UcpListenerParams;
import org.openucx.jucx.ucs.UcsConstants;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the requests of peers over UCX. A peer gets a session over TCP ({@link #introduce}), and
 * names it in each request. Requests without one, repeated ones, and those that its key has not
 * sealed are ignored.
 *
 * <p>Used by the thread of the loop, but for what says otherwise.
 */
final class UcxSessions {
  /** Active message with a request: session (16) and number (8) are its header. */
  static final int REQUEST = 1;

  /** Active message with a part of a reply. */
  static final int REPLY = 2;

  static final int REQUEST_HEADER_BYTES = 3 * Long.BYTES;

  private static final Logger LOG = LoggerFactory.getLogger(UcxSessions.class);

  /** How long a peer may take from its introduction to its first request. */
  private static final Duration UNUSED = Duration.ofMinutes(1);

  /** Connections that have sent no request of a session yet; further ones are rejected. */
  private static final int MAX_STRANGERS = 256;

  private final UcxLoop loop;
  private final UcxSecurity security;
  private final Transport.Handler handler;
  private final UcpListener listener;
  private final int port;
  private final SecureRandom random = new SecureRandom();
  private final Map<SessionId, Session> sessions = new ConcurrentHashMap<>();

  /** Connections without a session, with the time of their begin. */
  private final Map<UcpEndpoint, Long> strangers = new HashMap<>();

  /** All connections of peers; they have to stay reachable for their callbacks. */
  private final Map<UcpEndpoint, UcpEndpoint> endpoints = new HashMap<>();

  /** One peer's session. */
  private final class Session {
    final SessionId id;
    final SessionKey key;
    final long beginNanos = System.nanoTime();
    final String client;
    final ReplayWindow numbers = new ReplayWindow();

    /** Null before the first request. Threads that introduce peers read it. */
    volatile UcpEndpoint endpoint;

    boolean isClosed;

    Session(SessionId id, byte[] key, String client) {
      this.id = id;
      this.key = new SessionKey(key);
      this.client = client;
    }

    @Override
    public String toString() {
      return "session of " + client;
    }
  }

  /** Begins to listen. */
  UcxSessions(
      UcxLoop loop, InetSocketAddress address, UcxSecurity security, Transport.Handler handler) {
    this.loop = loop;
    this.security = security;
    this.handler = handler;
    long flags = UcpConstants.UCP_AM_FLAG_WHOLE_MSG;
    loop.worker().setAmRecvHandler(REQUEST, this::received, flags);
    listener =
        loop.worker()
            .newListener(
                new UcpListenerParams()
                    .setSockAddr(address)
                    .setConnectionHandler(
                        request -> {
                          var unused = loop.execute(() -> accept(request));
                        }));
    port = listener.getAddress().getPort();
  }

  /**
   * Returns what a peer needs to ask over UCX. Any thread may call this.
   *
   * @param client the peer's address, for messages
   */
  Introduction introduce(String client) {
    long now = System.nanoTime();
    sessions
        .values()
        .removeIf(old -> old.endpoint == null && now - old.beginNanos > UNUSED.toNanos());
    SessionId id = new SessionId(random.nextLong(), random.nextLong());
    byte[] key = SessionKey.fresh();
    sessions.put(id, new Session(id, key, client));
    return new Introduction(port, id, key);
  }

  private void accept(UcpConnectionRequest request) {
    long now = System.nanoTime();
    strangers.entrySet().stream()
        .filter(stranger -> now - stranger.getValue() > UNUSED.toNanos())
        .map(Map.Entry::getKey)
        .toList()
        .forEach(this::close);
    if (strangers.size() >= MAX_STRANGERS) {
      request.reject();
      return;
    }
    UcpEndpoint endpoint =
        loop.worker()
            .newEndpoint(
                new UcpEndpointParams()
                    .setConnectionRequest(request)
                    .setPeerErrorHandlingMode()
                    .setErrorHandler(
                        (failed, status, message) -> {
                          var unused = loop.execute(() -> close(failed));
                        }));
    endpoints.put(endpoint, endpoint);
    strangers.put(endpoint, now);
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
    UcpEndpoint endpoint = endpoints.get(replyTo);
    if (session.endpoint == null) {
      session.endpoint = endpoint;
      strangers.remove(endpoint);
    }
    if (endpoint == null || !endpoint.equals(session.endpoint)) {
      LOG.warn("a request over UCX in the {} is refused: it has another connection", session);
      return;
    }
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
      return session.client;
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
    var unused =
        loop.execute(
            () -> {
              Session ended = (Session) session;
              if (ended.endpoint == null) {
                end(ended);
              } else {
                close(ended.endpoint);
              }
            });
  }

  /** Closes a connection, and ends its session. */
  private void close(UcpEndpoint key) {
    UcpEndpoint endpoint = endpoints.remove(key);
    if (endpoint == null) {
      return;
    }
    strangers.remove(endpoint);
    for (Session session : List.copyOf(sessions.values())) {
      if (endpoint.equals(session.endpoint)) {
        end(session);
      }
    }
    loop.close(endpoint);
  }

  private void end(Session session) {
    if (!session.isClosed) {
      session.isClosed = true;
      sessions.remove(session.id);
      handler.disconnected(session);
    }
  }

  /** Closes all connections, and stops to listen. */
  void close() {
    listener.close();
    List.copyOf(endpoints.values()).forEach(this::close);
    List.copyOf(sessions.values()).forEach(this::end);
  }
}
