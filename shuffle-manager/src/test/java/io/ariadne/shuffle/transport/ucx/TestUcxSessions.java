package io.ariadne.shuffle.transport.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.testing.Await;
import io.ariadne.shuffle.transport.ReplyBytes;
import io.ariadne.shuffle.transport.Transport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucs.UcsConstants;

/** Whom an executor introduces, and for how long, as far as the machine has UCX. */
@Timeout(60)
class TestUcxSessions {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofMillis(500);

  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private final UcxLoop serving = new UcxLoop("serving", Optional.empty());
  private final List<Client> clients = new ArrayList<>();
  private final AtomicInteger disconnected = new AtomicInteger();

  @BeforeAll
  static void checkForUcx() {
    UcxLibrary.reasonAgainst("127.0.0.1").ifPresent(reason -> Assumptions.abort(reason));
  }

  @AfterEach
  void close() {
    clients.forEach(Client::close);
    serving.close();
    assertTrue(serving.isFreed());
    timer.shutdownNow();
  }

  /** A peer that asks nothing unless it is told to. */
  private final class Client {
    final UcxLoop loop = new UcxLoop("client", Optional.empty());
    final AtomicInteger replies = new AtomicInteger();
    final AtomicInteger ends = new AtomicInteger();
    final AtomicReference<UcxConnection> connection = new AtomicReference<>();

    Client() {
      clients.add(this);
      count(UcxSessions.REPLY, replies);
      count(UcxSessions.END, ends);
    }

    private void count(int kind, AtomicInteger messages) {
      assertTrue(
          loop.execute(
              () ->
                  loop.worker()
                      .setAmRecvHandler(
                          kind,
                          (header, headerBytes, data, endpoint) -> {
                            messages.incrementAndGet();
                            return UcsConstants.STATUS.UCS_OK;
                          },
                          UcpConstants.UCP_AM_FLAG_WHOLE_MSG)));
    }

    void ask(Introduction.Reply met) {
      ask(met, 8);
    }

    void ask(Introduction.Reply met, int requestBytes) {
      ByteBuffer header = ByteBuffer.allocateDirect(UcxSessions.REQUEST_HEADER_BYTES);
      met.introduction().orElseThrow().session().write(header);
      header.putLong(0).flip();
      assertTrue(
          loop.execute(
              () ->
                  connection
                      .get()
                      .send(
                          UcxSessions.REQUEST,
                          header,
                          ByteBuffer.allocateDirect(requestBytes),
                          UcpConstants.UCP_AM_SEND_FLAG_REPLY | UcpConstants.UCP_AM_SEND_FLAG_EAGER,
                          failure -> {})));
    }

    void connectAndAsk(Introduction.Reply met) {
      connect(met);
      ask(met);
      Await.until(() -> replies.get() == 1);
    }

    UcxConnection awaitConnection() {
      Await.until(() -> connection.get() != null);
      return connection.get();
    }

    void connect(Introduction.Reply reply) {
      WorkerAddress server = reply.introduction().orElseThrow().server();
      assertTrue(loop.execute(() -> connection.set(loop.connect(server, reason -> {}))));
    }

    void close() {
      // Not when it is closed already.
      var unused =
          loop.execute(
              () -> {
                if (connection.get() != null) {
                  connection.get().close();
                }
              });
      loop.close();
      assertTrue(loop.isFreed());
    }
  }

  private UcxSessions sessions(int count, Duration time) {
    return sessions(
        count,
        time,
        (request, responder) -> responder.reply(List.of(ByteBuffer.allocate(8)), () -> {}));
  }

  private UcxSessions sessions(
      int count, Duration time, BiConsumer<ByteBuffer, Transport.Responder> handle) {
    return new UcxSessions(
        serving,
        timer,
        new UcxSecurity(false, false),
        MemoryPools.host("sessions", 1 << 20),
        new Transport.Handler() {
          @Override
          public void handle(ByteBuffer request, Transport.Responder responder) {
            handle.accept(request, responder);
          }

          @Override
          public void disconnected(Object connection) {
            disconnected.incrementAndGet();
          }
        },
        new UcxSessions.Unused(count, time));
  }

  private static Introduction.Reply ask(UcxSessions sessions, ByteBuffer request) throws Exception {
    CompletableFuture<Introduction.Reply> outcome = new CompletableFuture<>();
    sessions.handle(
        request,
        new Transport.Responder() {
          @Override
          public Object connection() {
            return sessions;
          }

          @Override
          public String remoteAddress() {
            return "a client of the test";
          }

          @Override
          public void disconnect() {}

          @Override
          public void reply(List<ByteBuffer> parts, Runnable whenSent) {
            outcome.complete(Introduction.decode(new ReplyBytes(parts)));
          }
        });
    return outcome.get(20, TimeUnit.SECONDS);
  }

  private static Introduction.Reply meet(UcxSessions sessions, Client client) throws Exception {
    return ask(sessions, Introduction.request(client.loop.address()));
  }

  @Test
  void refusesFurtherPeersWhileSomeAskNothing() throws Exception {
    UcxSessions sessions = sessions(2, LONG);
    Client first = new Client();
    Client second = new Client();
    Client third = new Client();
    Introduction.Reply former = meet(sessions, second);
    first.connect(meet(sessions, first));
    second.connect(former);
    Introduction.Reply refused = meet(sessions, third);
    assertTrue(refused.introduction().isEmpty());
    assertEquals("too many peers are introduced and ask nothing", refused.reason());
    // A peer that comes again takes the place of its former session.
    Introduction.Reply again = meet(sessions, second);
    assertNotEquals(
        former.introduction().orElseThrow().session(),
        again.introduction().orElseThrow().session());
    assertTrue(meet(sessions, third).introduction().isEmpty());
  }

  @Test
  void forgetsPeersThatAskNothing() throws Exception {
    UcxSessions sessions = sessions(1, SHORT);
    Client first = new Client();
    Introduction.Reply met = meet(sessions, first);
    first.connect(met);
    Await.until(() -> disconnected.get() == 1);
    first.ask(met); // over a session that has ended
    while (!asksInTime(sessions)) {
      Thread.onSpinWait();
    }
    assertEquals(0, first.replies.get()); // what it has sent came before
  }

  /** Returns whether a new client is answered; it may be so slow that it is forgotten, too. */
  private boolean asksInTime(UcxSessions sessions) throws Exception {
    int before = disconnected.get();
    Client client = new Client();
    Introduction.Reply met = meet(sessions, client);
    client.connect(met);
    client.ask(met);
    Await.until(() -> client.replies.get() == 1 || disconnected.get() > before);
    return client.replies.get() == 1;
  }

  /** UCX counts connections, also those that were not taken. */
  @Test
  void tellsClientsHowManyConnectionsItHasTaken() throws Exception {
    UcxSessions sessions = sessions(2, LONG);
    Client client = new Client();
    Introduction.Reply met = meet(sessions, client);
    assertEquals(0, met.introduction().orElseThrow().connections());
    client.connectAndAsk(met);
    assertEquals(1, meet(sessions, client).introduction().orElseThrow().connections());
  }

  /** The server finds the first connection of the client, which asks over the second one. */
  @Test
  void refusesAClientThatHasConnectedTwice() throws Exception {
    UcxSessions sessions = sessions(1, LONG);
    Client client = new Client();
    Introduction.Reply met = meet(sessions, client);
    client.connect(met);
    UcxConnection former = client.awaitConnection();
    client.connect(met);
    client.ask(met);
    Await.until(() -> disconnected.get() == 1);
    assertEquals(
        "UCX joins other connections than the two of a session", meet(sessions, client).reason());
    Client other = new Client();
    other.connectAndAsk(meet(sessions, other)); // a refused client takes no place
    assertEquals(0, client.replies.get());
    assertTrue(client.loop.execute(former::close));
  }

  @Test
  void ignoresRequestsThatAreTooLong() throws Exception {
    List<Integer> requestBytes = new CopyOnWriteArrayList<>();
    UcxSessions sessions =
        sessions(1, LONG, (request, responder) -> requestBytes.add(request.remaining()));
    Client client = new Client();
    Introduction.Reply met = meet(sessions, client);
    client.connect(met);
    client.ask(met, Transport.MAX_REQUEST_BYTES + SessionKey.TAG_BYTES + 1);
    client.ask(met, Transport.MAX_REQUEST_BYTES);
    Await.until(() -> !requestBytes.isEmpty());
    assertEquals(List.of(Transport.MAX_REQUEST_BYTES), requestBytes);
  }

  @Test
  void endsASessionWhoseRequestCannotBeHandled() throws Exception {
    UcxSessions sessions =
        sessions(
            1,
            LONG,
            (request, responder) -> {
              throw new IllegalStateException("a fault of the test");
            });
    Client client = new Client();
    Introduction.Reply met = meet(sessions, client);
    client.connect(met);
    client.ask(met);
    Await.until(() -> client.ends.get() == 1);
    assertNull(serving.failure());
  }

  @Test
  void failsAfterAnErrorOfAHandler() throws Exception {
    AssertionError fault = new AssertionError("a fault of the test");
    UcxSessions sessions =
        sessions(
            1,
            LONG,
            (request, responder) -> {
              throw fault;
            });
    serving.whenFailed(sessions::close);
    Client client = new Client();
    Introduction.Reply met = meet(sessions, client);
    client.connect(met);
    client.ask(met);
    Await.until(() -> client.ends.get() == 1);
    Await.until(() -> serving.failure() == fault);
  }

  @Test
  void answersNobodyAfterItsClose() throws Exception {
    AtomicInteger requests = new AtomicInteger();
    UcxSessions sessions = sessions(2, LONG, (request, responder) -> requests.incrementAndGet());
    Client early = new Client();
    Introduction.Reply met = meet(sessions, early);
    assertTrue(serving.execute(sessions::close));
    Client late = new Client();
    assertEquals("it introduces no peer now", meet(sessions, late).reason());
    early.connect(met);
    early.ask(met);
    UcxSessions others = sessions(1, LONG); // takes the requests of this worker over
    late.connectAndAsk(meet(others, late));
    assertEquals(0, requests.get());
  }

  /** A first request that comes while all sessions end would have no answer. */
  @Test
  void handlesNoRequestsWhileItCloses() throws Exception {
    AtomicInteger requests = new AtomicInteger();
    UcxSessions sessions = sessions(1, LONG, (request, responder) -> requests.incrementAndGet());
    Client client = new Client();
    Introduction.Reply met = meet(sessions, client);
    CountDownLatch isSent = new CountDownLatch(1);
    assertTrue(serving.execute(() -> await(isSent)));
    assertTrue(serving.execute(sessions::close));
    client.connect(met);
    client.ask(met);
    assertTrue(client.loop.execute(isSent::countDown));
    UcxSessions others = sessions(1, LONG); // after the close
    Client late = new Client();
    late.connectAndAsk(meet(others, late));
    assertEquals(0, requests.get());
  }

  @Test
  void refusesAPeerOfAnotherVersionOfUcx() throws Exception {
    UcxSessions sessions = sessions(1, LONG);
    Client client = new Client();
    ByteBuffer other = ByteBuffer.allocate(client.loop.address().bytes().remaining());
    other.put(client.loop.address().bytes().duplicate()).flip();
    other.put(0, (byte) (other.get(0) ^ 1));
    Introduction.Reply refused = ask(sessions, Introduction.request(new WorkerAddress(other)));
    assertEquals("its version of UCX has other addresses", refused.reason());
    client.connect(meet(sessions, client)); // the refused one has no session
  }

  /**
   * UCX 1.13 aborts the process of a client that connects when its server has connected to it and
   * closed the connection.
   */
  @Test
  void clientsConnectToServersThatHaveEndedTheirSessions() throws Exception {
    for (int run = 0; run < 20; run++) {
      UcxSessions sessions = sessions(1, LONG);
      Client client = new Client();
      CountDownLatch ended = new CountDownLatch(1);
      assertTrue(client.loop.execute(() -> await(ended)));
      Introduction.Reply met = meet(sessions, client);
      assertTrue(serving.execute(sessions::close));
      assertTrue(serving.execute(ended::countDown));
      client.connect(met);
      client.ask(met);
    }
    Client last = new Client();
    last.connectAndAsk(meet(sessions(1, LONG), last));
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(20, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void refusesDamagedRequestsAndPassesOthersOn() throws Exception {
    UcxSessions sessions = sessions(1, LONG);
    Client client = new Client();
    ByteBuffer request = Introduction.request(client.loop.address());
    Introduction.Reply damaged = ask(sessions, request.slice(0, request.limit() - 1));
    assertEquals("the request for an introduction is damaged", damaged.reason());
    assertEquals("it does not use UCX", ask(sessions, ByteBuffer.allocate(100)).reason());
  }

  @Test
  void tellsClientsWhenItCloses() throws Exception {
    UcxSessions sessions = sessions(1, LONG);
    Client client = new Client();
    client.connectAndAsk(meet(sessions, client));
    assertTrue(serving.execute(sessions::close));
    Await.until(() -> client.ends.get() == 1);
  }

  @Test
  void refusesPeersAfterAFailure() throws Exception {
    UcxSessions sessions = sessions(1, LONG);
    serving.whenFailed(sessions::close);
    Client client = new Client();
    client.connectAndAsk(meet(sessions, client));
    assertTrue(
        serving.execute(
            () -> {
              throw new AssertionError("a fault of the test");
            }));
    Await.until(() -> serving.failure() != null);
    assertEquals("it introduces no peer now", meet(sessions, client).reason());
    Await.until(() -> client.ends.get() == 1);
  }
}
