package io.ariadne.shuffle.transport.ucx;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.ReplyBytes;
import io.ariadne.shuffle.transport.Transport;
import io.ariadne.shuffle.transport.netty.TcpSettings;
import io.ariadne.shuffle.transport.netty.TcpTransport;
import io.ariadne.shuffle.transport.ucx.Introduction.SessionId;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucs.UcsConstants;

/**
 * A program that uses UCX and is no executor: it sends any active messages, and answers those of
 * executors with others. Closed by the thread that has made it.
 */
final class RawUcx implements AutoCloseable {
  private static final long SECONDS = 20;

  /** UCX ends the process that sends a longer one, where its headers are not limited to less. */
  private static final int MAX_HEADER_BYTES = 2000;

  private final UcxLoop asking = new UcxLoop("raw-ucx-client", Optional.empty());
  private final UcxLoop serving = new UcxLoop("raw-ucx-server", Optional.empty());
  private final Transport tcp;
  private final AtomicInteger answered = new AtomicInteger();

  /** Connections to executors that are asked; used by the thread that asks. */
  private final Map<WorkerAddress, UcxConnection> asked = new HashMap<>();

  /** Connections to executors that ask; used by the thread that serves. */
  private final List<UcxConnection> clients = new ArrayList<>();

  /** Executors that are introduced and have asked nothing; used by the thread that serves. */
  private final Deque<WorkerAddress> introduced = new ArrayDeque<>();

  /** Answers a request. */
  private volatile BiConsumer<Request, Answer> answers = (request, answer) -> {};

  /** What a peer that asks for an introduction gets. */
  private volatile ByteBuffer introduction = ByteBuffer.allocate(0);

  /** What a peer that asks for anything else over TCP gets. */
  private volatile ByteBuffer reply = ByteBuffer.allocate(0);

  /**
   * An active message.
   *
   * @param kind its number
   * @param header its header
   * @param payload its payload
   * @param flags of UCX
   */
  record Message(int kind, byte[] header, byte[] payload, long flags) {
    /** Cuts a header that UCX does not send. */
    Message {
      header = Arrays.copyOf(header, Math.min(header.length, MAX_HEADER_BYTES));
    }
  }

  /** A request that an executor has sent. */
  record Request(SessionId session, long number, byte[] sealed) {}

  /** Takes messages for the sender of a request; any thread may call it, once. */
  interface Answer {
    void send(List<Message> messages);
  }

  /** Starts a program that knows no secret. */
  RawUcx(String host) throws Exception {
    this(host, TestingUcx.settings(host));
  }

  /** Starts a program that meets executors by some settings. */
  RawUcx(String host, TcpSettings settings) throws Exception {
    tcp =
        TcpTransport.start(
            "raw",
            settings,
            new Transport.Handler() {
              @Override
              public void handle(ByteBuffer request, Transport.Responder responder) {
                if (Introduction.isRequest(request)) {
                  introduce(Introduction.client(request).orElseThrow(), responder);
                } else {
                  responder.reply(List.of(reply.duplicate()), () -> {});
                }
              }

              @Override
              public void disconnected(Object connection) {}
            });
    CompletableFuture<Void> isReady = new CompletableFuture<>();
    execute(
        serving,
        () -> {
          long flags = UcpConstants.UCP_AM_FLAG_WHOLE_MSG;
          serving.worker().setAmRecvHandler(UcxSessions.REQUEST, this::received, flags);
          asking.worker().setAmRecvHandler(UcxSessions.REPLY, this::replied, flags);
          isReady.complete(null);
        });
    isReady.get();
  }

  private static void execute(UcxLoop loop, Runnable step) {
    var unused = loop.execute(step);
  }

  private void introduce(WorkerAddress client, Transport.Responder responder) {
    execute(
        serving,
        () -> {
          introduced.add(client);
          responder.reply(List.of(introduction.duplicate()), () -> {});
        });
  }

  /** Returns where executors reach this program over UCX. */
  WorkerAddress address() {
    return serving.address();
  }

  /** Returns the peer under which executors meet this program. */
  Peer peer(String host) {
    return new Peer("raw", host, tcp.port());
  }

  /** Sets what executors get: an introduction, and the answers to their requests. */
  void set(ByteBuffer toIntroduce, BiConsumer<Request, Answer> toAnswer) {
    introduction = toIntroduce;
    answers = toAnswer;
  }

  /** Sets what executors get that ask over TCP. */
  void setReply(ByteBuffer toReply) {
    reply = toReply;
  }

  /**
   * Is introduced to an executor, and connects to it; the former connection ends. The executor has
   * to take each connection, with its first valid request: else it refuses all further ones.
   */
  Introduction meet(Peer peer) throws Exception {
    Introduction met =
        ask(peer, Introduction.request(asking.address())).introduction().orElseThrow();
    execute(
        asking,
        () -> {
          UcxConnection former =
              asked.put(met.server(), asking.connect(met.server(), reason -> {}));
          if (former != null) {
            former.close();
          }
        });
    return met;
  }

  /** Asks an executor over TCP, as for an introduction. */
  Introduction.Reply ask(Peer peer, ByteBuffer request) throws Exception {
    CompletableFuture<Introduction.Reply> outcome = new CompletableFuture<>();
    tcp.request(
        peer,
        request,
        Introduction.MAX_REPLY_BYTES,
        new Transport.Listener() {
          @Override
          public void received(ReplyBytes bytes) {
            outcome.complete(Introduction.decode(bytes));
          }

          @Override
          public void failed(Throwable cause) {
            outcome.complete(new Introduction.Reply(Optional.empty(), cause.toString()));
          }
        });
    return outcome.get(SECONDS, TimeUnit.SECONDS);
  }

  private int received(long header, long headerBytes, UcpAmData data, UcpEndpoint replyTo) {
    if (data.isDataValid()) {
      ByteBuffer numbers = UcxLoop.bytes(header, headerBytes);
      byte[] sealed = new byte[(int) data.getLength()];
      UcxLoop.bytes(data.getDataAddress(), data.getLength()).get(sealed);
      Request request = new Request(SessionId.read(numbers), numbers.getLong(), sealed);
      serving.afterCallback(() -> answer(request, replyTo));
    }
    return UcsConstants.STATUS.UCS_OK;
  }

  private void answer(Request request, UcpEndpoint replyTo) {
    UcxConnection client = client(replyTo);
    answers.accept(request, messages -> execute(serving, () -> send(client, messages, () -> {})));
  }

  /** Returns the connection to an executor, which is made for its first request. */
  private UcxConnection client(UcpEndpoint replyTo) {
    for (UcxConnection client : clients) {
      if (client.isOf(replyTo)) {
        return client;
      }
    }
    UcxConnection client;
    do {
      client = serving.take(introduced.remove(), reason -> {});
      clients.add(client);
    } while (!client.isOf(replyTo));
    return client;
  }

  private int replied(long header, long headerBytes, UcpAmData data, UcpEndpoint replyTo) {
    if (UcxLoop.bytes(header, headerBytes).getInt(ReplyPart.BYTES - 2 * Integer.BYTES) == 0) {
      answered.incrementAndGet();
    }
    return UcsConstants.STATUS.UCS_OK;
  }

  /** Returns how many replies have come. */
  int answered() {
    return answered.get();
  }

  private static void send(UcxConnection connection, List<Message> messages, Runnable whenOver) {
    for (Message message : messages) {
      connection.send(
          message.kind(),
          OutgoingMessage.direct(ByteBuffer.wrap(message.header())),
          OutgoingMessage.direct(ByteBuffer.wrap(message.payload())),
          message.flags(),
          failure -> whenOver.run());
    }
  }

  /**
   * Sends messages to an executor, and waits until UCX has sent them or failed to. Connects without
   * an introduction where there was none.
   */
  void send(WorkerAddress target, List<Message> messages) throws InterruptedException {
    CountDownLatch left = new CountDownLatch(messages.size());
    execute(
        asking,
        () -> {
          UcxConnection connection =
              asked.computeIfAbsent(target, key -> asking.connect(key, reason -> {}));
          send(connection, messages, left::countDown);
        });
    if (!left.await(SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError(left.getCount() + " messages are not sent: " + messages);
    }
  }

  /** Ends all connections. */
  void disconnect() {
    execute(
        asking,
        () -> {
          asked.values().forEach(UcxConnection::close);
          asked.clear();
        });
    execute(
        serving,
        () -> {
          clients.forEach(UcxConnection::close);
          clients.clear();
        });
  }

  @Override
  public void close() {
    disconnect();
    asking.close();
    serving.close();
    tcp.close();
    assertTrue(asking.isFreed() && serving.isFreed(), "connections are still open");
  }
}
