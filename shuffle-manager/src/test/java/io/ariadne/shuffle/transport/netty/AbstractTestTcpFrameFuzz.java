package io.ariadne.shuffle.transport.netty;

import io.ariadne.shuffle.transport.AbstractTestFrameFuzz;
import io.ariadne.shuffle.transport.FrameMutator;
import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.Transport;
import io.netty.channel.Channel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Damages what is sent over sockets: frames of a program that is no executor, and the bytes between
 * two executors, their handshake first.
 */
abstract class AbstractTestTcpFrameFuzz extends AbstractTestFrameFuzz {
  /** How long the executor may leave a connection open whose peer has ended it. */
  private static final int END_MILLIS = 60_000;

  private final List<Socket> open = new ArrayList<>();
  private MutatingProxy proxy;

  /** Returns how connections are made. */
  abstract TcpSettings settings();

  @Override
  protected Transport start(String name, Transport.Handler handler) {
    return TcpTransport.start(name, settings(), handler);
  }

  @Override
  protected void disconnect(Object connection) {
    var unused = ((Channel) connection).close();
  }

  @BeforeEach
  void openProxy() throws IOException {
    proxy = new MutatingProxy();
  }

  @AfterEach
  void closeProxy() throws IOException {
    proxy.close();
  }

  @Override
  protected int attack(Peer peer, List<byte[]> requests) throws Exception {
    if (random.nextBoolean()) {
      return readThroughProxy(peer);
    }
    int count = 0;
    for (int i = random.nextInt(3); i >= 0; i--) {
      count += sendFrames(peer.port(), requests);
    }
    return count;
  }

  private int readThroughProxy(Peer peer) throws Exception {
    boolean isRequests = random.nextBoolean();
    int share = 1 + random.nextInt(16);
    proxy.set(peer.port(), random.nextLong(), isRequests ? share : 0, isRequests ? 0 : share);
    readThrough(new Peer("damaged", host(), proxy.port()));
    return proxy.damaged();
  }

  private int sendFrames(int port, List<byte[]> requests) throws IOException {
    FrameMutator mutator = new FrameMutator(random);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      byte[] frame = frame(requests);
      stream.writeBytes(random.nextInt(4) == 0 ? frame : mutator.mutate(frame, frame(requests)));
    }
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    try {
      send(socket, stream.toByteArray());
    } catch (SocketException e) {
      // The executor has ended the connection already.
    }
    return count;
  }

  private byte[] frame(List<byte[]> requests) {
    return random.nextInt(4) == 0
        ? RawConnection.randomMessage(random)
        : RawConnection.message(random.nextLong(), any(requests));
  }

  /** Sends bytes in pieces, and ends the connection in one of several ways. */
  private void send(Socket socket, byte[] bytes) throws IOException {
    open.add(socket);
    socket.setTcpNoDelay(true);
    OutputStream out = socket.getOutputStream();
    int at = 0;
    while (at < bytes.length) {
      int count = random.nextBoolean() ? random.nextInt(20) : random.nextInt(2000);
      count = Math.min(count, bytes.length - at);
      out.write(bytes, at, count);
      at += count;
    }
    switch (random.nextInt(4)) {
      case 0 -> {
        socket.setSoLinger(true, 0); // the executor gets a reset
        socket.close();
      }
      case 1 -> {} // stays open, and reads nothing
      default -> {
        socket.shutdownOutput();
        socket.setSoTimeout(END_MILLIS);
        socket.getInputStream().transferTo(OutputStream.nullOutputStream());
      }
    }
  }

  @Override
  protected void afterRound() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
    open.clear();
    proxy.disconnect();
  }
}
