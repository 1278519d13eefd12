package io.ariadne.shuffle.transport.netty;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Random;

/** A connection of a program that is no executor: sends bytes to a port and reads the reply. */
final class RawConnection {
  private static final byte ONE_WAY_MESSAGE = 9;
  private static final int MESSAGE_TYPES = 14;

  private RawConnection() {}

  /** Returns the bytes of a request that a transport without secrets takes. */
  static byte[] request(int lengthInBytes) {
    return message(0, new byte[lengthInBytes]);
  }

  /** Returns the bytes by which a transport without secrets sends a request. */
  static byte[] message(long number, byte[] request) {
    int body = Long.BYTES + request.length;
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + 1 + Integer.BYTES + body);
    bytes.putLong(bytes.capacity()).put(ONE_WAY_MESSAGE).putInt(body);
    return bytes.putLong(number).put(request).array();
  }

  /** Returns a message of the right length whose content is random. */
  static byte[] randomMessage(Random random) {
    byte[] content = new byte[random.nextInt(300)];
    random.nextBytes(content);
    if (content.length > 0 && random.nextInt(4) > 0) {
      content[0] = (byte) random.nextInt(MESSAGE_TYPES);
    }
    return frame(Long.BYTES + content.length, content);
  }

  /** Returns a message that says it has a number of bytes. */
  static byte[] frame(long length, byte[] content) {
    return ByteBuffer.allocate(Long.BYTES + content.length).putLong(length).put(content).array();
  }

  /** Sends bytes and returns the first byte of the reply; -1 when the connection is closed. */
  static int firstByte(int port, byte[] bytes) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(bytes);
      return socket.getInputStream().read();
    }
  }

  /**
   * Sends bytes and reads until the other side closes the connection.
   *
   * @param ends whether the sender ends the connection after its bytes; else the receiver has to
   */
  static byte[] exchange(int port, byte[] bytes, boolean ends) throws IOException {
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(bytes);
      if (ends) {
        socket.shutdownOutput();
      }
      socket.getInputStream().transferTo(received);
    } catch (SocketException e) {
      // The other side has closed the connection before it had read everything.
    }
    return received.toByteArray();
  }
}
