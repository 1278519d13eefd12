package io.ariadne.shuffle.transport.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.Reachability;
import io.ariadne.shuffle.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which peers can be reached: their ports are open, closed, or silent. */
@Timeout(60)
class TestReachability {
  private static final Duration LONG = Duration.ofMinutes(5);

  private final AtomicInteger requests = new AtomicInteger();
  private final Transport sender = start("sender");
  private final Transport receiver = start("receiver");

  private Transport start(String name) {
    return start(name, 0);
  }

  private Transport start(String name, int port) {
    TcpSettings any = AbstractTestTcpTransport.plain(Map.of());
    return TcpTransport.start(
        name,
        new TcpSettings(any.conf(), any.bindAddress(), port, 0, any.clients(), any.servers()),
        new Transport.Handler() {
          @Override
          public void handle(ByteBuffer request, Transport.Responder responder) {
            requests.incrementAndGet();
            responder.reply(List.of(ByteBuffer.allocate(1)), () -> {});
          }

          @Override
          public void disconnected(Object connection) {}
        });
  }

  @AfterEach
  void close() {
    receiver.close();
    sender.close();
  }

  private static Peer peer(String executor, int port) {
    return new Peer(executor, "127.0.0.1", port);
  }

  @Test
  void closedAndSilentPortsAreToldFromOpenOnes() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Peer open = peer("open", sender.port());
      Peer closed = peer("closed", closedPort());
      Peer mute = peer("mute", silent.getLocalPort());
      Reachability reachability = new Reachability(receiver, Duration.ofSeconds(2), LONG);
      Map<Peer, Throwable> failures = reachability.unreachable(List.of(closed, mute, open));
      assertEquals(Set.of(closed, mute), failures.keySet());
      assertInstanceOf(IOException.class, failures.get(closed));
      assertInstanceOf(TimeoutException.class, failures.get(mute));
    }
  }

  @Test
  void eachPeerIsAskedOnce() throws InterruptedException {
    Reachability reachability = new Reachability(receiver, Duration.ofSeconds(30), LONG);
    for (int i = 0; i < 3; i++) {
      assertEquals(Map.of(), reachability.unreachable(List.of(peer("open", sender.port()))));
    }
    assertEquals(1, requests.get());
  }

  @Test
  void aPeerThatHasNotAnsweredIsAskedAgainLater() throws Exception {
    Duration memory = Duration.ofMillis(500);
    Reachability reachability = new Reachability(receiver, Duration.ofSeconds(30), memory);
    int port = closedPort();
    Peer peer = peer("late", port);
    assertEquals(Set.of(peer), reachability.unreachable(List.of(peer)).keySet());
    try (Transport late = start("late", port)) {
      assertEquals(Set.of(peer), reachability.unreachable(List.of(peer)).keySet());
      Thread.sleep(2 * memory.toMillis());
      assertEquals(Map.of(), reachability.unreachable(List.of(peer)));
      assertEquals(port, late.port());
    }
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
