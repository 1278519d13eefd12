package io.ariadne.shuffle.transport.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.testing.Await;
import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.ReplyBytes;
import io.ariadne.shuffle.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How an executor asks a peer over UCX or TCP, as far as the machine has UCX. */
@Timeout(60)
class TestUcxClients {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final byte OVER_UCX = 1;
  private static final byte OVER_TCP = 2;
  private static final Peer PEER = new Peer("executor", "nowhere", 1);

  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private final MemoryPool arrivals = MemoryPools.host("arrivals", 64L << 20, true);
  private final UcxLoop serving = new UcxLoop("serving", Optional.empty());
  private final UcxLoop asking = new UcxLoop("asking", Optional.empty());
  private final AtomicInteger introductions = new AtomicInteger();

  /** Runs on the thread that serves, after an introduction. */
  private volatile Runnable whenIntroduced = () -> {};

  /** Whether the peer leaves requests for introductions unanswered. */
  private volatile boolean isSilent;

  /** How long replies over UCX take. */
  private volatile long replyMillis;

  private UcxSessions sessions;
  private UcxClients clients;

  @BeforeAll
  static void checkForUcx() {
    UcxLibrary.reasonAgainst("127.0.0.1").ifPresent(reason -> Assumptions.abort(reason));
  }

  @AfterEach
  void close() {
    assertTrue(asking.execute(() -> clients.close(new IOException("the test is over"))));
    assertTrue(serving.execute(sessions::close));
    asking.close();
    serving.close();
    timer.shutdownNow();
    arrivals.close();
  }

  private void start(UcxClients.Limits limits, Duration unused) {
    UcxSecurity security = new UcxSecurity(true, true);
    sessions =
        new UcxSessions(
            serving,
            timer,
            security,
            arrivals,
            new Transport.Handler() {
              @Override
              public void handle(ByteBuffer request, Transport.Responder responder) {
                Runnable reply =
                    () ->
                        responder.reply(List.of(ByteBuffer.wrap(new byte[] {OVER_UCX})), () -> {});
                var unused = timer.schedule(reply, replyMillis, TimeUnit.MILLISECONDS);
              }

              @Override
              public void disconnected(Object connection) {}
            },
            new UcxSessions.Unused(10, unused));
    clients = new UcxClients(asking, timer, security, new Tcp(), arrivals, limits);
  }

  /** Passes requests for introductions on, and answers all others by itself. */
  private final class Tcp implements Transport {
    @Override
    public String name() {
      return "tcp";
    }

    @Override
    public int port() {
      return PEER.port();
    }

    @Override
    public void request(Peer peer, ByteBuffer request, long maxReplyBytes, Listener listener) {
      if (!Introduction.isRequest(request)) {
        listener.received(new ReplyBytes(List.of(ByteBuffer.wrap(new byte[] {OVER_TCP}))));
        return;
      }
      introductions.incrementAndGet();
      if (isSilent) {
        return;
      }
      sessions.handle(
          request,
          new Responder() {
            @Override
            public Object connection() {
              return Tcp.this;
            }

            @Override
            public String remoteAddress() {
              return "the client of the test";
            }

            @Override
            public void reply(List<ByteBuffer> parts, Runnable whenSent) {
              listener.received(new ReplyBytes(parts));
              whenIntroduced.run();
            }

            @Override
            public void disconnect() {}
          });
    }

    @Override
    public double bytesPerSecond(Peer peer) {
      return 0;
    }

    @Override
    public void close() {}
  }

  private CompletableFuture<Byte> ask() {
    return ask(() -> false);
  }

  private CompletableFuture<Byte> ask(BooleanSupplier isOver) {
    CompletableFuture<Byte> outcome = new CompletableFuture<>();
    assertTrue(
        asking.execute(
            () ->
                clients.request(
                    PEER,
                    ByteBuffer.wrap(new byte[100]),
                    100,
                    new Transport.Listener() {
                      @Override
                      public boolean isOver() {
                        return isOver.getAsBoolean();
                      }

                      @Override
                      public void received(ReplyBytes bytes) {
                        outcome.complete(bytes.take(1).get());
                      }

                      @Override
                      public void failed(Throwable cause) {
                        outcome.completeExceptionally(cause);
                      }
                    })));
    return outcome;
  }

  private static byte await(CompletableFuture<Byte> outcome) throws Exception {
    return outcome.get(30, TimeUnit.SECONDS);
  }

  @Test
  void asksOverUcx() throws Exception {
    start(UcxClients.Limits.DEFAULT, LONG);
    for (int i = 0; i < 10; i++) {
      assertEquals(OVER_UCX, await(ask()));
      assertTrue(clients.isOverUcx(PEER));
    }
    assertEquals(1, introductions.get());
  }

  /** What reads blocks from a disk, or is busy, is reached all the same. */
  @Test
  void waitsForAPeerThatIsReached() throws Exception {
    UcxClients.Limits limits = UcxClients.Limits.DEFAULT;
    replyMillis = limits.first().toMillis() + 1000;
    start(limits, LONG);
    assertEquals(OVER_UCX, await(ask()));
    assertTrue(clients.isOverUcx(PEER));
  }

  @Test
  void asksOverTcpWhenThePeerDoesNotIntroduceItself() throws Exception {
    isSilent = true;
    start(new UcxClients.Limits(SHORT, LONG, LONG), LONG);
    assertEquals(OVER_TCP, await(ask()));
    assertEquals(1, introductions.get());
  }

  @Test
  void forgetsRequestsThatWereGivenUp() throws Exception {
    isSilent = true;
    start(UcxClients.Limits.DEFAULT, LONG);
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicInteger questions = new AtomicInteger();
    CompletableFuture<Byte> given =
        ask(
            () -> {
              questions.incrementAndGet();
              return isOver.get();
            });
    Await.until(() -> questions.get() > 0);
    isOver.set(true);
    int before = questions.get();
    Await.until(() -> questions.get() > before);
    // It is not asked over TCP with the others.
    assertEquals(OVER_TCP, await(ask()));
    assertFalse(given.isDone());
  }

  /**
   * UCX joins the wrong connections once the peer has not taken one: then neither side connects
   * again.
   */
  @Test
  void asksOverTcpAfterAConnectionThatWasNotTaken() throws Exception {
    start(new UcxClients.Limits(Duration.ofSeconds(3), SHORT, SHORT), SHORT);
    CountDownLatch isForgotten = new CountDownLatch(1);
    whenIntroduced = () -> awaitLatch(isForgotten);
    assertEquals(OVER_TCP, await(ask())); // nothing has come over UCX
    assertFalse(clients.isOverUcx(PEER));
    Thread.sleep(2 * SHORT.toMillis()); // the session is not used, and ends before its request
    whenIntroduced = () -> {};
    isForgotten.countDown();
    int former = introductions.get();
    Await.until(() -> asksAgain(former));
    Introduction last = introduced();
    assertEquals(0, last.connections());
    assertFalse(clients.isOverUcx(PEER));
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      assertTrue(latch.await(20, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns whether the peer was forgotten and met again; each answer comes over TCP. */
  private boolean asksAgain(int former) {
    try {
      assertEquals(OVER_TCP, await(ask()));
      return introductions.get() > former;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Returns an introduction of the client's worker. */
  private Introduction introduced() throws Exception {
    CompletableFuture<Introduction.Reply> outcome = new CompletableFuture<>();
    new Tcp()
        .request(
            PEER,
            Introduction.request(asking.address()),
            Introduction.MAX_REPLY_BYTES,
            new Transport.Listener() {
              @Override
              public void received(ReplyBytes bytes) {
                outcome.complete(Introduction.decode(bytes));
              }

              @Override
              public void failed(Throwable cause) {
                outcome.completeExceptionally(cause);
              }
            });
    return outcome.get(30, TimeUnit.SECONDS).introduction().orElseThrow();
  }

  @Test
  void failsRequestsAfterItsClose() throws Exception {
    start(UcxClients.Limits.DEFAULT, LONG);
    assertEquals(OVER_UCX, await(ask()));
    IOException cause = new IOException("closed by the test");
    assertTrue(asking.execute(() -> clients.close(cause)));
    ExecutionException failure = assertThrows(ExecutionException.class, () -> await(ask()));
    assertEquals(cause, failure.getCause());
    assertEquals(1, introductions.get());
  }
}
