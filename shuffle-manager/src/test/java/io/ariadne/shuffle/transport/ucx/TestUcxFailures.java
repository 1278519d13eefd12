package io.ariadne.shuffle.transport.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.testing.Await;
import io.ariadne.shuffle.transport.ArrivalRate;
import io.ariadne.shuffle.transport.Transport;
import io.ariadne.shuffle.transport.netty.TcpTransport;
import io.ariadne.shuffle.transport.ucx.Introduction.SessionId;
import java.lang.reflect.Constructor;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucs.UcsConstants;

/** What happens when UCX, or what it calls, fails, as far as the machine has UCX. */
@Timeout(60)
class TestUcxFailures {
  private static final String HOST = "127.0.0.1";

  private final UcxLoop loop = new UcxLoop("loop", Optional.empty());
  private final UcxLoop peer = new UcxLoop("peer", Optional.empty());
  private final AtomicReference<UcxConnection> connection = new AtomicReference<>();

  @BeforeAll
  static void checkForUcx() {
    UcxLibrary.reasonAgainst(HOST).ifPresent(reason -> Assumptions.abort(reason));
  }

  @AfterEach
  void close() {
    var unused = loop.execute(this::closeConnection);
    loop.close();
    peer.close();
    assertTrue(loop.isFreed() && peer.isFreed());
  }

  private void closeConnection() {
    UcxConnection open = connection.getAndSet(null);
    if (open != null) {
      open.close();
    }
  }

  /** Sends messages that the peer ignores, and calls something when each is over. */
  private void send(int count, Consumer<String> whenOver) {
    assertTrue(
        loop.execute(
            () -> {
              connection.set(loop.connect(peer.address(), reason -> {}));
              for (int i = 0; i < count; i++) {
                connection
                    .get()
                    .send(
                        UcxSessions.REQUEST,
                        ByteBuffer.allocateDirect(8),
                        ByteBuffer.allocateDirect(1 << 20),
                        0,
                        whenOver);
              }
            }));
  }

  @Test
  void exceptionsOfCallbacksDoNotReachUcx() {
    AtomicInteger calls = new AtomicInteger();
    int count = 10;
    send(
        count,
        failure -> {
          calls.incrementAndGet();
          throw new IllegalStateException("a fault of the test: " + failure);
        });
    Await.until(() -> calls.get() == count);
    assertNull(loop.failure());
  }

  @Test
  void failsAfterAnErrorOfACallback() {
    AtomicInteger calls = new AtomicInteger();
    int count = 10;
    AssertionError fault = new AssertionError("a fault of the test");
    loop.whenFailed(this::closeConnection);
    send(
        count,
        failure -> {
          calls.incrementAndGet();
          throw fault;
        });
    Await.until(() -> calls.get() == count);
    Await.until(() -> loop.failure() == fault);
  }

  @Test
  void stepsOfCallbacksRunAfterThem() {
    AtomicBoolean isInCallback = new AtomicBoolean();
    AtomicInteger during = new AtomicInteger();
    AtomicInteger after = new AtomicInteger();
    whenPeerReceives(
        () -> {
          isInCallback.set(true);
          peer.afterCallback(() -> (isInCallback.get() ? during : after).incrementAndGet());
          isInCallback.set(false);
        });
    int count = 10;
    send(count, failure -> {});
    Await.until(() -> after.get() == count);
    assertEquals(0, during.get());
  }

  /** UCX may still have to answer the request for a connection when it is closed. */
  @Test
  void closesConnectionsThatWereJustTaken() {
    AtomicInteger taken = new AtomicInteger();
    whenPeerReceives(
        () ->
            peer.afterCallback(
                () -> {
                  peer.take(loop.address(), reason -> {}).close();
                  taken.incrementAndGet();
                }));
    for (int run = 1; run <= 20; run++) {
      int expected = run;
      send(1, failure -> {});
      Await.until(() -> taken.get() == expected);
      assertTrue(loop.execute(this::closeConnection));
    }
  }

  private void whenPeerReceives(Runnable action) {
    CountDownLatch isSet = new CountDownLatch(1);
    assertTrue(
        peer.execute(
            () -> {
              peer.worker()
                  .setAmRecvHandler(
                      UcxSessions.REQUEST,
                      (header, headerBytes, data, endpoint) -> {
                        action.run();
                        return UcsConstants.STATUS.UCS_OK;
                      },
                      UcpConstants.UCP_AM_FLAG_WHOLE_MSG);
              isSet.countDown();
            }));
    Await.until(() -> isSet.getCount() == 0);
  }

  /** Returns a part that UCX has announced, to a worker that does not exist. */
  private static UcpAmData announced(long lengthInBytes) throws Exception {
    Constructor<UcpAmData> constructor =
        UcpAmData.class.getDeclaredConstructor(UcpWorker.class, long.class, long.class, long.class);
    constructor.setAccessible(true);
    return constructor.newInstance(
        null, 0L, lengthInBytes, UcpConstants.UCP_AM_RECV_ATTR_FLAG_RNDV);
  }

  @Test
  void freesAReplyWhosePartCannotBeReceived() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    PartialReply.Listener listener =
        new PartialReply.Listener() {
          @Override
          public void arrived() {
            calls.incrementAndGet();
          }

          @Override
          public void failed(String message) {
            calls.incrementAndGet();
          }
        };
    ReplyPart part = new ReplyPart(new SessionId(1, 2), 3, 0, 1);
    PartArrivals arrivals = new PartArrivals(new ArrivalRate(), System::nanoTime);
    try (MemoryPool pool = MemoryPools.host("arrivals", 1 << 20, true)) {
      PartialReply reply = new PartialReply(1, loop, arrivals, listener);
      UcpAmData data = announced(1000);
      assertThrows(NullPointerException.class, () -> reply.receive(part, data, 1000, pool));
      assertEquals(1000, pool.allocatedBytes(), 100);
      reply.giveUp();
      assertEquals(0, pool.allocatedBytes());
    }
    assertEquals(0, calls.get());
  }

  @Test
  void usesTcpWhenUcxDoesNotStart() {
    AtomicInteger attempts = new AtomicInteger();
    Transport.Handler handler =
        new Transport.Handler() {
          @Override
          public void handle(ByteBuffer request, Transport.Responder responder) {}

          @Override
          public void disconnected(Object connection) {}
        };
    try (MemoryPool pool = MemoryPools.host("arrivals", 1 << 20, true)) {
      UcxOrTcp.Started started =
          UcxOrTcp.start(
              "executor",
              HOST,
              new UcxSecurity(false, false),
              pool,
              meeting -> {
                if (attempts.incrementAndGet() == 1) {
                  throw new IllegalStateException("a fault of the test");
                }
                return TcpTransport.start("executor", TestingUcx.settings(HOST), meeting);
              },
              handler);
      started.transport().close();
      assertEquals("tcp", started.transport().name());
      assertTrue(started.reason().orElseThrow().contains("a fault of the test"));
    }
  }

  @Test
  void tellsWhyACheckHasFailed() {
    CountDownLatch isOver = new CountDownLatch(1);
    Duration limit = Duration.ofSeconds(20);
    assertEquals("", UcxLibrary.reason(limit, () -> {}));
    assertEquals(
        "UCX has not moved a message between two workers for 50 ms",
        UcxLibrary.reason(Duration.ofMillis(50), isOver::await));
    isOver.countDown();
    assertEquals(
        "UCX moves no message between two workers",
        UcxLibrary.reason(
            limit,
            () -> {
              throw new TimeoutException();
            }));
    assertEquals(
        "UCX cannot be loaded (Debian: apt install libucx0): no library",
        UcxLibrary.reason(
            limit,
            () -> {
              throw new UnsatisfiedLinkError("no library");
            }));
    assertEquals(
        "UCX cannot be used: no device",
        UcxLibrary.reason(
            limit,
            () -> {
              throw new IllegalStateException("no device");
            }));
  }

  @Test
  void checksThatMessagesCome() throws Exception {
    for (int i = 0; i < 3; i++) {
      UcxCheck.run(NetworkDevices.of(HOST), Duration.ofSeconds(20));
    }
  }
}
