package io.ariadne.shuffle.transport;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The bytes of a reply, read from the beginning. They are in pieces. Used by one thread. */
public final class ReplyBytes {
  private final Deque<ByteBuffer> pieces;
  private long remaining;

  /**
   * Creates a reader.
   *
   * @param pieces the bytes, each from its position to its limit; this moves their positions
   */
  public ReplyBytes(List<ByteBuffer> pieces) {
    this.pieces = new ArrayDeque<>(pieces);
    for (ByteBuffer piece : pieces) {
      remaining += piece.remaining();
    }
  }

  /** Returns the number of bytes that are not read yet. */
  public long remaining() {
    return remaining;
  }

  /**
   * Returns a copy of the next bytes.
   *
   * @throws BufferUnderflowException when there are fewer
   */
  public ByteBuffer take(int count) {
    ByteBuffer copy = ByteBuffer.allocate((int) Math.min(count, remaining));
    read(copy);
    if (copy.hasRemaining() || copy.capacity() < count) {
      throw new BufferUnderflowException();
    }
    return copy.flip();
  }

  /** Reads the next bytes until a buffer is full, or to the end. */
  void read(ByteBuffer target) {
    while (target.hasRemaining() && !pieces.isEmpty()) {
      ByteBuffer piece = pieces.peek();
      int count = Math.min(piece.remaining(), target.remaining());
      ByteBuffer part = piece.duplicate();
      part.limit(part.position() + count);
      target.put(part);
      piece.position(piece.position() + count);
      remaining -= count;
      if (!piece.hasRemaining()) {
        pieces.remove();
      }
    }
  }
}
