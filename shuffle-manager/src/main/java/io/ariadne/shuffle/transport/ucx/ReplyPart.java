package io.ariadne.shuffle.transport.ucx;

import io.ariadne.shuffle.transport.ucx.Introduction.SessionId;
import java.nio.ByteBuffer;

/**
 * The header of an active message with one part of a reply. Bytes, big endian: session (16), number
 * of the request (8), part (4), number of parts (4).
 *
 * @param session of the request
 * @param number of the request
 * @param part from 0
 * @param count of the parts
 */
record ReplyPart(SessionId session, long number, int part, int count) {
  static final int BYTES = 3 * Long.BYTES + 2 * Integer.BYTES;

  /** Most parts of a reply. */
  static final int MAX_COUNT = 1 << 16;

  /** Returns the header in memory of its own that UCX can read. */
  ByteBuffer encoded() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);
    session.write(bytes);
    return bytes.putLong(number).putInt(part).putInt(count).flip();
  }

  /** Reads a header that is not trusted; null when it is none. */
  static ReplyPart decode(ByteBuffer bytes) {
    if (bytes.remaining() != BYTES) {
      return null;
    }
    ReplyPart read =
        new ReplyPart(SessionId.read(bytes), bytes.getLong(), bytes.getInt(), bytes.getInt());
    boolean isValid = read.count > 0 && read.count <= MAX_COUNT;
    return isValid && read.part >= 0 && read.part < read.count ? read : null;
  }
}
