package io.ariadne.parquet.page;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.io.ByteRangeReader;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The bytes of a file range that have been read and may still be needed: one buffer that moves
 * forward, so that no byte is read twice and memory is bounded. Used by one thread.
 */
final class ReadWindow implements AutoCloseable {
  private final ByteRangeReader reader;
  private final BufferAllocator allocator;
  private final long end;
  private final int windowBytes;
  private final ReadStatistics figures;
  private SharedBuffer buffer;
  private long start;
  private long limit;
  private long readEnd;

  /**
   * Creates a window at the start of a range.
   *
   * @param reader the file, stays the caller's
   * @param allocator memory that the reader can fill
   * @param start first byte of the range
   * @param end byte behind the range, inside the file
   * @param windowBytes bytes read at once if the range has so many
   * @param figures counts bytes and time
   */
  ReadWindow(
      ByteRangeReader reader,
      BufferAllocator allocator,
      long start,
      long end,
      int windowBytes,
      ReadStatistics figures) {
    this.reader = reader;
    this.allocator = allocator;
    this.start = start;
    this.limit = start;
    this.end = end;
    this.readEnd = end;
    this.windowBytes = windowBytes;
    this.figures = figures;
  }

  /** Returns the byte behind the range. */
  long end() {
    return end;
  }

  /** Reads ahead no further than to an offset from now on, unless more is required. */
  void setReadEnd(long offset) {
    readEnd = Math.min(offset, end);
  }

  /** Returns how many bytes from a position on are here. */
  long available(long position) {
    return position < start ? 0 : Math.max(limit - position, 0);
  }

  /**
   * Makes bytes available, and forgets those before them.
   *
   * @param position first byte, never before an earlier one's
   * @param length bytes, which the range has
   */
  void require(long position, long length) {
    if (available(position) >= length && position >= start) {
      return;
    }
    long wanted = Math.max(length, Math.min(windowBytes, readEnd - position));
    MemoryBuffer next = allocator.allocate(wanted);
    long kept = available(position);
    try {
      if (kept > 0) {
        Memory.copy(address(position), next.address(), kept);
      }
      read(position + kept, next, kept, wanted - kept);
    } catch (RuntimeException | Error e) {
      next.close();
      throw e;
    }
    close();
    buffer = new SharedBuffer(next);
    start = position;
    limit = position + wanted;
  }

  private void read(long position, MemoryBuffer target, long offset, long length) {
    long begin = System.nanoTime();
    try {
      reader.read(position, target, offset, length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    figures.bytesRead += length;
    figures.readNanos += System.nanoTime() - begin;
  }

  /** Returns the address of a byte that is available. */
  long address(long position) {
    return buffer.address() + (position - start);
  }

  /** Returns the buffer, held by this window until it moves. */
  SharedBuffer buffer() {
    return buffer;
  }

  @Override
  public void close() {
    SharedBuffer old = buffer;
    buffer = null;
    start = limit;
    if (old != null) {
      old.release();
    }
  }
}
