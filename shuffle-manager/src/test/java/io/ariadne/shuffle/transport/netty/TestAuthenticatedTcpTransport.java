package io.ariadne.shuffle.transport.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.Transport;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The contract over encrypted connections of peers that know a secret, and who else gets what. */
class TestAuthenticatedTcpTransport extends AbstractTestTcpTransport {
  @Override
  TcpSettings settings() {
    return AuthenticatedSettings.encrypted("a secret of all executors");
  }

  @Test
  void refusesPeersWithAnotherSecret() {
    CountingHandler handler = new CountingHandler();
    try (Transport serving = start("serving", handler);
        Transport knowing = start("knowing", new CountingHandler());
        Transport guessing =
            TcpTransport.start(
                "guessing",
                AuthenticatedSettings.encrypted("another secret"),
                new CountingHandler())) {
      Peer peer = new Peer("executor", host(), serving.port());
      assertNotNull(refusal(guessing, peer, 10));
      assertEquals(0, handler.count());
      assertNull(refusal(knowing, peer, 10));
      assertEquals(1, handler.count());
    }
  }

  @Test
  void tellsNothingToPeersWithoutSecret() throws Exception {
    CountingHandler handler = new CountingHandler();
    byte[] request = RawConnection.request(10);
    try (Transport open = TcpTransport.start("open", plain(Map.of()), handler)) {
      // Where no secret is needed, the same bytes are answered.
      assertEquals(0, RawConnection.firstByte(open.port(), request));
      assertEquals(1, handler.count());
    }
    // The length that no message has makes the server close the connection, after any reply.
    byte[] bytes = Arrays.copyOf(request, request.length + Long.BYTES);
    try (Transport serving = start("serving", handler)) {
      assertEquals(0, RawConnection.exchange(serving.port(), bytes, false).length);
      assertEquals(1, handler.count());
    }
  }

  @Test
  void survivesRandomHandshakes() throws Exception {
    CountingHandler handler = new CountingHandler();
    try (Transport serving = start("serving", handler);
        Transport knowing = start("knowing", new CountingHandler())) {
      for (int run = 0; run < 200; run++) {
        RawConnection.exchange(serving.port(), RawConnection.randomMessage(random), true);
      }
      assertEquals(0, handler.count());
      assertNull(refusal(knowing, new Peer("executor", host(), serving.port()), 10));
    }
  }
}
