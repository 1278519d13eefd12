package io.ariadne.shuffle.transport.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.PortScanFixture;
import io.ariadne.shuffle.transport.Transport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Programs without the secret connect to the port of an executor. They get no block, and the
 * executor ends their connections.
 */
@Timeout(120)
public abstract class AbstractTestPortScan extends PortScanFixture {
  private static final String SECRET = "a secret of all executors";

  /** How long an executor may keep a connection that sends nothing; the handshake has 3 s. */
  private static final int MAX_OPEN_MILLIS = 60_000;

  private static final byte[] TLS_HELLO =
      HexFormat.of()
          .parseHex(
              "16030100310100002d0303000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"
                  + "1e1f00000613011302c02b0100");

  /** Returns whether connections of executors are encrypted. */
  protected abstract boolean encrypts();

  /** Returns how executors meet that know the secret. */
  protected final TcpSettings settings() {
    return AuthenticatedSettings.scanned(SECRET, encrypts());
  }

  /** Returns how a program connects that guesses the secret. */
  protected final TcpSettings guessing() {
    return AuthenticatedSettings.scanned("another secret", encrypts());
  }

  @Test
  void tellsStrangersNothing() throws Exception {
    byte[] recorded = record();
    int requests = requests();
    long bytes = sentBytes();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      Map<String, Future<byte[]>> replies = new LinkedHashMap<>();
      scans(recorded)
          .forEach((name, scan) -> replies.put(name, threads.submit(() -> exchange(scan))));
      replies.put("a recorded handshake in steps", threads.submit(() -> replay(recorded)));
      for (Map.Entry<String, Future<byte[]>> reply : replies.entrySet()) {
        byte[] received = reply.getValue().get();
        System.out.println(reply.getKey() + ": " + received.length + " bytes came back");
        assertEquals(requests, requests(), reply.getKey());
      }
    } finally {
      threads.shutdownNow();
    }
    assertEquals(bytes, sentBytes());
    readAll();
    assertTrue(sentBytes() > bytes);
  }

  /** Returns all that an executor sends which reads the blocks, its handshake first. */
  private byte[] record() throws Exception {
    try (MutatingProxy proxy = new MutatingProxy()) {
      proxy.set(executor().port(), 0, 0, 0);
      readAllFrom(new Peer("recorded", host(), proxy.port()));
      byte[] recorded = proxy.recorded();
      assertTrue(recorded.length > 100, recorded.length + " bytes are recorded");
      return recorded;
    }
  }

  private Map<String, byte[]> scans(byte[] recorded) {
    byte[] garbage = new byte[1000];
    random.nextBytes(garbage);
    byte[] shortGarbage = {0, 0, 0, 0, 0, 0, 1, 0, 1, 2, 3};
    Map<String, byte[]> scans = new LinkedHashMap<>();
    scans.put("nothing", new byte[0]);
    scans.put("garbage", garbage);
    scans.put("the begin of a message", shortGarbage);
    scans.put("HTTP", "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    scans.put("TLS", TLS_HELLO);
    byte[] request = RawConnection.message(7, validRequest());
    scans.put("a request", request);
    scans.put("a request twice", joined(request, request));
    scans.put("a recorded handshake and requests", recorded);
    scans.put("a request after a recorded handshake", joined(handshake(recorded), request));
    for (int length : new int[] {1, 8, 9, 30, 60}) {
      scans.put(length + " bytes of a handshake", Arrays.copyOf(recorded, length));
      scans.put(
          length + " bytes of a handshake, then a request",
          joined(Arrays.copyOf(recorded, length), request));
    }
    return scans;
  }

  /** Returns the first message, which both kinds of handshakes begin with. */
  private static byte[] handshake(byte[] recorded) {
    return Arrays.copyOf(recorded, (int) ByteBuffer.wrap(recorded).getLong());
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] joined = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, joined, first.length, second.length);
    return joined;
  }

  /** Sends bytes, and returns what comes until the executor ends the connection. */
  private byte[] exchange(byte[] bytes) throws IOException {
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    try (Socket socket = new Socket(InetAddress.getByName(host()), executor().port())) {
      socket.setSoTimeout(MAX_OPEN_MILLIS);
      socket.getOutputStream().write(bytes);
      socket.getInputStream().transferTo(received);
    } catch (SocketException e) {
      // The executor has ended the connection before it had read everything.
    }
    return received.toByteArray();
  }

  /** Sends a recorded handshake, then after the reply a request, then what was recorded. */
  private byte[] replay(byte[] recorded) throws IOException {
    byte[] handshake = handshake(recorded);
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    try (Socket socket = new Socket(InetAddress.getByName(host()), executor().port())) {
      socket.setSoTimeout(MAX_OPEN_MILLIS);
      socket.getOutputStream().write(handshake);
      received.write(socket.getInputStream().read());
      received.write(socket.getInputStream().readNBytes(socket.getInputStream().available()));
      socket.getOutputStream().write(RawConnection.message(7, validRequest()));
      socket
          .getOutputStream()
          .write(recorded, handshake.length, recorded.length - handshake.length);
      socket.getInputStream().transferTo(received);
    } catch (SocketException e) {
      // The executor has ended the connection before it had read everything.
    }
    return received.toByteArray();
  }

  @Test
  void tellsNothingToThoseWhoGuessTheSecret() throws Exception {
    CountingHandler handler = new CountingHandler();
    try (Transport guessing = TcpTransport.start("guessing", guessing(), handler)) {
      List<Throwable> refusals = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        refusals.add(AbstractTestTcpTransport.refusal(guessing, executor(), 100));
      }
      refusals.forEach(refusal -> assertNotNull(refusal));
    }
    assertEquals(0, requests());
    assertEquals(0, sentBytes());
    readAll();
  }
}
