package io.ariadne.shuffle.transport.ucx;

import io.ariadne.shuffle.transport.ReplyBytes;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What an executor tells a peer over TCP, so that the peer can ask over UCX. Spark's settings
 * authenticate and encrypt that connection.
 *
 * <p>Bytes, big endian: {@code UCX1} (4), port (4), session (16), key (32).
 *
 * @param port where the executor listens
 * @param session the number of the session, hard to guess
 * @param key of the session
 */
record Introduction(int port, SessionId session, byte[] key) {
  private static final int MAGIC = 0x55435831;
  private static final int MAX_PORT = 65_535;
  private static final int BYTES = 2 * Integer.BYTES + 2 * Long.BYTES + SessionKey.KEY_BYTES;

  /** Most bytes of a reply, as a transport counts them. */
  static final long MAX_REPLY_BYTES = BYTES;

  /** The number of a session. */
  record SessionId(long high, long low) {
    static SessionId read(ByteBuffer bytes) {
      return new SessionId(bytes.getLong(), bytes.getLong());
    }

    void write(ByteBuffer bytes) {
      bytes.putLong(high).putLong(low);
    }
  }

  /** Returns the request for an introduction. */
  static ByteBuffer request() {
    return ByteBuffer.allocate(Integer.BYTES).putInt(MAGIC).flip();
  }

  /** Returns whether a request that is not trusted asks for an introduction. */
  static boolean isRequest(ByteBuffer bytes) {
    return bytes.remaining() == Integer.BYTES && bytes.getInt(bytes.position()) == MAGIC;
  }

  ByteBuffer encoded() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).putInt(MAGIC).putInt(port);
    session.write(bytes);
    return bytes.put(key).flip();
  }

  /** Reads the reply of a peer; empty when it is another one, as of a peer without UCX. */
  static Optional<Introduction> decode(ReplyBytes reply) {
    try {
      ByteBuffer bytes = reply.take(BYTES);
      int magic = bytes.getInt();
      int port = bytes.getInt();
      SessionId session = SessionId.read(bytes);
      byte[] key = new byte[SessionKey.KEY_BYTES];
      bytes.get(key);
      return magic == MAGIC && port > 0 && port <= MAX_PORT
          ? Optional.of(new Introduction(port, session, key))
          : Optional.empty();
    } catch (BufferUnderflowException e) {
      return Optional.empty();
    }
  }
}
