package io.ariadne.shuffle.transport.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.testing.Await;
import io.ariadne.shuffle.transport.Transport;
import io.ariadne.shuffle.transport.netty.AbstractTestPortScan;
import io.ariadne.shuffle.transport.netty.TcpTransport;
import io.ariadne.shuffle.transport.ucx.Introduction.SessionId;
import io.ariadne.shuffle.transport.ucx.RawUcx.Message;
import io.netty.channel.Channel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openucx.jucx.ucp.UcpConstants;

/** Scans all ports of an executor that uses UCX, as far as the machine has it. */
class TestUcxPortScan extends AbstractTestPortScan {
  private static final long FLAGS =
      UcpConstants.UCP_AM_SEND_FLAG_REPLY | UcpConstants.UCP_AM_SEND_FLAG_EAGER;

  /** Zeros that have aborted a process which listens by UCX's own listener. */
  private static final int ABORTING_ZEROS = 5000;

  private static final int SHORT_MILLIS = 50;

  private final MemoryPool arrivals = MemoryPools.host("arrivals", 64L << 20, true);

  /** The connection of the last request. */
  private volatile Object lastConnection;

  @BeforeAll
  static void checkForUcx() {
    UcxLibrary.reasonAgainst("127.0.0.1").ifPresent(reason -> Assumptions.abort(reason));
  }

  @Override
  protected boolean encrypts() {
    return true;
  }

  @Override
  protected Transport start(String name, Transport.Handler handler) {
    return UcxTransport.start(
        name,
        host(),
        new UcxSecurity(true, true),
        arrivals,
        meeting -> TcpTransport.start(name, settings(), meeting),
        new Transport.Handler() {
          @Override
          public void handle(ByteBuffer request, Transport.Responder responder) {
            lastConnection = responder.connection();
            handler.handle(request, responder);
          }

          @Override
          public void disconnected(Object connection) {
            handler.disconnected(connection);
          }
        });
  }

  private void assertUsesUcx() {
    assertFalse(lastConnection instanceof Channel, String.valueOf(lastConnection));
  }

  @Override
  protected void disconnect(Object connection) {
    if (connection instanceof Channel channel) {
      var unused = channel.close();
    }
  }

  @Override
  protected void afterClose() {
    assertNothingIsLeft(arrivals);
  }

  /** A client without the secret gets no session; requests of a session need its key. */
  @Test
  void answersNoRequestsOfStrangersOverUcx() throws Exception {
    byte[] request = validRequest();
    SessionKey key = new SessionKey(SessionKey.fresh());
    try (RawUcx stranger = new RawUcx(host());
        RawUcx executor = new RawUcx(host(), settings())) {
      ByteBuffer unknown = Introduction.request(stranger.address());
      assertTrue(stranger.ask(executor(), unknown).introduction().isEmpty());
      Introduction known = executor.meet(executor());
      SessionId guessed = new SessionId(random.nextLong(), random.nextLong());
      byte[] sealed = bytes(key.seal(SessionKey.Direction.REQUEST, 0, 0, ByteBuffer.wrap(request)));
      stranger.send(
          known.server(),
          List.of(
              new Message(UcxSessions.REQUEST, new byte[0], request, FLAGS),
              new Message(UcxSessions.REQUEST, header(guessed, 0), request, FLAGS),
              new Message(UcxSessions.REQUEST, header(guessed, 0), sealed, FLAGS),
              new Message(UcxSessions.REQUEST, header(known.session(), 0), request, FLAGS),
              new Message(UcxSessions.REQUEST, header(known.session(), 0), sealed, FLAGS)));
      executor.send(known.server(), List.of(valid(known, 0, request)));
      Await.until(() -> requests() == 1);
      // Neither is what was sent before taken again, nor anything over another connection.
      stranger.send(known.server(), List.of(valid(known, 0, request), valid(known, 1, request)));
      readAll();
      assertUsesUcx();
      assertEquals(1, executor.answered());
      assertEquals(0, stranger.answered());
    }
  }

  /** UCX's own ports, too, survive what is not UCX's. */
  @Test
  void survivesBytesThatAreNotUcx() throws Exception {
    List<InetSocketAddress> ports = ListeningPorts.ofThisProcess();
    System.out.println("this process listens on " + ports);
    assertTrue(ports.size() > 2, "UCX's ports are not found");
    for (InetSocketAddress port : ports) {
      send(port, new byte[ABORTING_ZEROS]);
      for (int length : new int[] {1, 7, 8, 9, 24, 100, ABORTING_ZEROS, 1 << 17}) {
        byte[] garbage = new byte[length];
        random.nextBytes(garbage);
        send(port, garbage);
      }
    }
    readAll();
    assertUsesUcx();
  }

  /** Sends bytes, and ends the connection unless the other side has. */
  private static void send(InetSocketAddress target, byte[] bytes) throws IOException {
    try (Socket socket = new Socket(target.getAddress(), target.getPort())) {
      socket.setSoTimeout(SHORT_MILLIS);
      socket.getOutputStream().write(bytes);
      var unused = socket.getInputStream().read();
    } catch (SocketTimeoutException | SocketException e) {
      // The other side waits for more, or has ended the connection.
    }
  }

  private static Message valid(Introduction known, long number, byte[] request) {
    SessionKey key = new SessionKey(known.key());
    ByteBuffer sealed = key.seal(SessionKey.Direction.REQUEST, number, 0, ByteBuffer.wrap(request));
    return new Message(UcxSessions.REQUEST, header(known.session(), number), bytes(sealed), FLAGS);
  }

  private static byte[] header(SessionId session, long number) {
    ByteBuffer bytes = ByteBuffer.allocate(UcxSessions.REQUEST_HEADER_BYTES);
    session.write(bytes);
    return bytes.putLong(number).array();
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }
}
