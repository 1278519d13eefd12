package io.ariadne.shuffle.transport.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.Transport;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bytes that are no messages end their connection and harm no other one. */
@Timeout(60)
class TestHostileConnections {
  private final Random random = RandomBatches.create().random();
  private final CountingHandler handler = new CountingHandler();
  private final Transport transport =
      TcpTransport.start("test", AbstractTestTcpTransport.plain(Map.of()), handler);
  private final Transport client =
      TcpTransport.start("client", AbstractTestTcpTransport.plain(Map.of()), new CountingHandler());

  @AfterEach
  void close() {
    int before = handler.count();
    ask(Transport.MAX_REQUEST_BYTES);
    assertEquals(before + 1, handler.count());
    client.close();
    transport.close();
  }

  private void ask(int lengthInBytes) {
    Peer peer = new Peer("executor", "127.0.0.1", transport.port());
    assertNull(AbstractTestTcpTransport.refusal(client, peer, lengthInBytes));
  }

  private void send(byte[] bytes, boolean ends) throws IOException {
    RawConnection.exchange(transport.port(), bytes, ends);
    assertEquals(0, handler.count());
  }

  @Test
  void closesConnectionsOfRandomBytes() throws IOException {
    for (int run = 0; run < 200; run++) {
      byte[] bytes = new byte[8 + random.nextInt(1000)];
      random.nextBytes(bytes);
      // The bytes of a length that may be one would be waited for.
      bytes[random.nextInt(5)] |= 1;
      send(bytes, false);
    }
  }

  /** Spark's decoder alone would gather up to 2 GiB. */
  @Test
  void closesConnectionsOfLongMessages() throws IOException {
    long limit = Transport.MAX_REQUEST_BYTES;
    for (long length : new long[] {2 * limit, 1L << 30, Integer.MAX_VALUE, Long.MAX_VALUE}) {
      send(RawConnection.frame(length, new byte[100]), false);
    }
    for (long length : new long[] {0, 7, -1, Long.MIN_VALUE}) {
      send(RawConnection.frame(length, new byte[100]), false);
    }
  }

  @Test
  void survivesRandomMessages() throws IOException {
    for (int run = 0; run < 100; run++) {
      RawConnection.exchange(transport.port(), RawConnection.randomMessage(random), true);
    }
  }

  @Test
  void survivesTruncatedRequests() throws IOException {
    byte[] request = RawConnection.request(20);
    for (int length = 0; length < request.length; length++) {
      send(java.util.Arrays.copyOf(request, length), true);
    }
  }

  /** Spark's decoder alone would take all further replies for the rest of this one. */
  @Test
  void closesConnectionsOfRepliesLongerThanAskedFor() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> replied =
          CompletableFuture.runAsync(
              () -> {
                try (Socket socket = server.accept()) {
                  socket.getOutputStream().write(RawConnection.frame(1L << 30, new byte[100]));
                  socket.getInputStream().transferTo(OutputStream.nullOutputStream());
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      Peer peer = new Peer("hostile", "127.0.0.1", server.getLocalPort());
      assertNotNull(AbstractTestTcpTransport.refusal(client, peer, 10, 2 << 20));
      replied.join();
    }
  }

  @Test
  void sendsNoLongRequests() {
    assertThrows(IllegalArgumentException.class, () -> ask(Transport.MAX_REQUEST_BYTES + 1));
  }

  @Test
  void failsWhenClosed() {
    Transport closed =
        TcpTransport.start(
            "closed", AbstractTestTcpTransport.plain(Map.of()), new CountingHandler());
    closed.close();
    closed.close();
    Peer peer = new Peer("executor", "127.0.0.1", transport.port());
    Throwable failure = AbstractTestTcpTransport.refusal(closed, peer, 1);
    assertTrue(failure instanceof IOException, String.valueOf(failure));
  }

  @Test
  void takesTheNextPortsWhenOneIsBusy() {
    int busy = transport.port();
    try (Transport next = TcpTransport.start("next", settings(busy, 100), new CountingHandler())) {
      assertTrue(next.port() != busy);
    }
    EngineException failure =
        assertThrows(
            EngineException.class,
            () -> TcpTransport.start("next", settings(busy, 0), new CountingHandler()));
    assertEquals(ErrorCode.CONFIGURATION, failure.code());
    assertTrue(failure.getMessage().contains(String.valueOf(busy)), failure.getMessage());
  }

  private static TcpSettings settings(int port, int retries) {
    return new TcpSettings(
        AbstractTestTcpTransport.conf(Map.of()), "127.0.0.1", port, retries, List.of(), List.of());
  }
}
