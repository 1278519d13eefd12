package io.ariadne.shuffle.transport.netty;

import io.netty.buffer.ByteBuf;

/**
 * Finds the messages in the bytes of a connection. A message begins with its length in bytes, these
 * 8 included, big endian. Used by the thread of the connection.
 */
final class FrameScanner {
  /** Learns of the messages. */
  interface Listener {
    /**
     * A message begins.
     *
     * @param lengthInBytes as it says, 8 for its length included; may be any number
     * @return whether to continue
     */
    boolean begins(long lengthInBytes);

    /** The next bytes of the message, after its length, are there. */
    void continues(int count);

    /** All bytes of the message are there. */
    void ends();
  }

  private final Listener listener;
  private long length;
  private int lengthBytes;

  /** Bytes of the current message that are still to come. */
  private long remaining;

  FrameScanner(Listener listener) {
    this.listener = listener;
  }

  /**
   * Looks at the next bytes, without reading them.
   *
   * @return false when the listener refuses a message
   */
  boolean scan(ByteBuf bytes) {
    int at = bytes.readerIndex();
    while (at < bytes.writerIndex()) {
      if (remaining > 0) {
        int count = (int) Math.min(remaining, bytes.writerIndex() - at);
        at += count;
        advance(count);
      } else {
        length = length << Byte.SIZE | Byte.toUnsignedLong(bytes.getByte(at++));
        if (++lengthBytes == Long.BYTES && !begin()) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns whether no message has begun, or the last one is over. */
  boolean isBetweenMessages() {
    return remaining == 0 && lengthBytes == 0;
  }

  private boolean begin() {
    long begun = length;
    length = 0;
    lengthBytes = 0;
    if (!listener.begins(begun)) {
      return false;
    }
    remaining = begun - Long.BYTES;
    if (remaining <= 0) {
      listener.ends();
    }
    return true;
  }

  private void advance(int count) {
    remaining -= count;
    listener.continues(count);
    if (remaining == 0) {
      listener.ends();
    }
  }
}
