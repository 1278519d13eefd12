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
  private final AtomicInteger requests = new AtomicInteger();
  private final Transport sender = start("sender");
  private final Transport receiver = start("receiver");

  private Transport start(String name) {
    return TcpTransport.start(
        name,
        AbstractTestTcpTransport.plain(Map.of()),
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
      Reachability reachability = new Reachability(receiver, Duration.ofSeconds(2));
      Map<Peer, Throwable> failures = reachability.unreachable(List.of(closed, mute, open));
      assertEquals(Set.of(closed, mute), failures.keySet());
      assertInstanceOf(IOException.class, failures.get(closed));
      assertInstanceOf(TimeoutException.class, failures.get(mute));
    }
  }

  @Test
  void eachPeerIsAskedOnce() throws InterruptedException {
    Reachability reachability = new Reachability(receiver, Duration.ofSeconds(30));
    for (int i = 0; i < 3; i++) {
      assertEquals(Map.of(), reachability.unreachable(List.of(peer("open", sender.port()))));
    }
    assertEquals(1, requests.get());
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
