package io.ariadne.shuffle.transport;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The bytes of a reply, read from the beginning. They are in pieces, which this may own. Used by
 * one thread.
 */
public final class ReplyBytes implements AutoCloseable {
  private final Deque<Piece> pieces = new ArrayDeque<>();
  private long remaining;

  /**
   * Some bytes.
   *
   * @param bytes from their position, which reading moves, to their limit
   * @param owned the memory of all of them if this owns it, else null
   */
  private record Piece(ByteBuffer bytes, MemoryBuffer owned) {
    boolean isWhole(long length) {
      return owned != null && owned.lengthInBytes() == length && bytes.remaining() == length;
    }

    void free() {
      if (owned != null) {
        owned.close();
      }
    }
  }

  /**
   * Creates a reader.
   *
   * @param pieces the bytes, each from its position to its limit; this moves their positions
   */
  public ReplyBytes(List<ByteBuffer> pieces) {
    pieces.forEach(bytes -> add(new Piece(bytes, null)));
  }

  private ReplyBytes() {}

  /**
   * Creates a reader that owns the bytes.
   *
   * @param pieces of at most 2 GiB each
   */
  public static ReplyBytes owning(List<MemoryBuffer> pieces) {
    ReplyBytes bytes = new ReplyBytes();
    for (MemoryBuffer piece : pieces) {
      int length = Math.toIntExact(piece.lengthInBytes());
      bytes.add(new Piece(Memory.byteBuffer(piece.address(), length), piece));
    }
    return bytes;
  }

  private void add(Piece piece) {
    pieces.add(piece);
    remaining += piece.bytes().remaining();
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
      ByteBuffer piece = pieces.peek().bytes();
      int count = Math.min(piece.remaining(), target.remaining());
      ByteBuffer part = piece.duplicate();
      part.limit(part.position() + count);
      target.put(part);
      piece.position(piece.position() + count);
      remaining -= count;
      if (!piece.hasRemaining()) {
        pieces.remove().free();
      }
    }
  }

  /**
   * Returns the next bytes in a buffer that the caller owns. The bytes are not copied when this
   * owns them as a buffer of that length.
   *
   * @param length how many there are
   * @param allocator of the buffer for a copy
   */
  MemoryBuffer takeBuffer(long length, BufferAllocator allocator) {
    if (!pieces.isEmpty() && pieces.peek().isWhole(length)) {
      remaining -= length;
      return pieces.remove().owned();
    }
    MemoryBuffer copy = allocator.allocate(length);
    read(Memory.byteBuffer(copy.address(), Math.toIntExact(length)));
    return copy;
  }

  /** Frees the owned bytes that were not taken. */
  @Override
  public void close() {
    Closer closer = new Closer();
    pieces.forEach(piece -> closer.close(piece::free));
    pieces.clear();
    closer.rethrow();
  }
}
