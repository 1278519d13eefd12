package io.ariadne.shuffle.transport.ucx;

import io.ariadne.shuffle.transport.ReplyBytes;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What an executor tells a peer over TCP, so that the peer can ask over UCX. Spark's settings
 * authenticate and encrypt that connection.
 *
 * <p>Bytes of a request, big endian: {@code UCX3} (4), {@link WorkerAddress} of the client. Of the
 * reply: {@code UCX3} (4), 1 (1), session (16), key (32), connections (4), {@link WorkerAddress} of
 * the server; or {@code UCX3} (4), 0 (1), length (4) and text of the reason why the client cannot
 * ask over UCX.
 *
 * @param session the number of the session, hard to guess
 * @param key of the session
 * @param connections how many connections of the client's worker the server has taken
 * @param server where the executor is reached over UCX
 */
record Introduction(SessionId session, byte[] key, int connections, WorkerAddress server) {
  private static final int MAGIC = 0x55435833;
  private static final byte REFUSED = 0;
  private static final byte INTRODUCED = 1;
  private static final int MAX_REASON_BYTES = 500;
  private static final int HEAD_BYTES = Integer.BYTES + Byte.BYTES;
  private static final int SESSION_BYTES = 2 * Long.BYTES + SessionKey.KEY_BYTES + Integer.BYTES;

  /** Most bytes of a reply, as a transport counts them. */
  static final long MAX_REPLY_BYTES = HEAD_BYTES + SESSION_BYTES + WorkerAddress.MAX_ENCODED_BYTES;

  /** The number of a session. */
  record SessionId(long high, long low) {
    static SessionId read(ByteBuffer bytes) {
      return new SessionId(bytes.getLong(), bytes.getLong());
    }

    void write(ByteBuffer bytes) {
      bytes.putLong(high).putLong(low);
    }
  }

  /**
   * The reply of a peer.
   *
   * @param introduction empty when the peer cannot be asked over UCX
   * @param reason why not
   */
  record Reply(Optional<Introduction> introduction, String reason) {}

  /** Returns the request for an introduction of a client. */
  static ByteBuffer request(WorkerAddress client) {
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + client.encodedBytes()).putInt(MAGIC);
    client.write(bytes);
    return bytes.flip();
  }

  /** Returns whether a request that is not trusted asks for an introduction, a valid one or not. */
  static boolean isRequest(ByteBuffer bytes) {
    return bytes.remaining() >= Integer.BYTES && bytes.getInt(bytes.position()) == MAGIC;
  }

  /** Returns the client of a request that is not trusted; empty when it names none. */
  static Optional<WorkerAddress> client(ByteBuffer request) {
    try {
      ByteBuffer bytes = request.duplicate().position(request.position() + Integer.BYTES);
      WorkerAddress client = WorkerAddress.read(bytes);
      return bytes.hasRemaining() ? Optional.empty() : Optional.of(client);
    } catch (BufferUnderflowException e) {
      return Optional.empty();
    }
  }

  ByteBuffer encoded() {
    ByteBuffer bytes =
        ByteBuffer.allocate(HEAD_BYTES + SESSION_BYTES + server.encodedBytes())
            .putInt(MAGIC)
            .put(INTRODUCED);
    session.write(bytes);
    bytes.put(key).putInt(connections);
    server.write(bytes);
    return bytes.flip();
  }

  /** Returns the reply to a client that is not introduced. */
  static ByteBuffer refusal(String reason) {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(text.length, MAX_REASON_BYTES);
    return ByteBuffer.allocate(HEAD_BYTES + Integer.BYTES + length)
        .putInt(MAGIC)
        .put(REFUSED)
        .putInt(length)
        .put(text, 0, length)
        .flip();
  }

  /** Reads the reply of a peer, which is not trusted. */
  static Reply decode(ReplyBytes reply) {
    try {
      if (reply.take(Integer.BYTES).getInt() == MAGIC) {
        byte kind = reply.take(Byte.BYTES).get();
        if (kind == INTRODUCED) {
          return new Reply(Optional.of(introduction(reply)), "");
        }
        if (kind == REFUSED) {
          return new Reply(Optional.empty(), reason(reply));
        }
      }
    } catch (BufferUnderflowException e) {
      return new Reply(Optional.empty(), "its introduction is damaged");
    }
    return new Reply(Optional.empty(), "it does not use UCX");
  }

  private static Introduction introduction(ReplyBytes reply) {
    SessionId session = SessionId.read(reply.take(2 * Long.BYTES));
    byte[] key = reply.take(SessionKey.KEY_BYTES).array();
    int connections = reply.take(Integer.BYTES).getInt();
    long rest = Math.min(reply.remaining(), WorkerAddress.MAX_ENCODED_BYTES);
    WorkerAddress server = WorkerAddress.read(reply.take((int) rest));
    return new Introduction(session, key, connections, server);
  }

  private static String reason(ReplyBytes reply) {
    int length = checked(reply.take(Integer.BYTES).getInt(), MAX_REASON_BYTES);
    String text = new String(reply.take(length).array(), StandardCharsets.UTF_8);
    return text.replaceAll("\\p{Cntrl}", " ");
  }

  private static int checked(int length, int max) {
    if (length < 1 || length > max) {
      throw new BufferUnderflowException();
    }
    return length;
  }
}
