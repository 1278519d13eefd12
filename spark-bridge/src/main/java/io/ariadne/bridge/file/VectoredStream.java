package io.ariadne.bridge.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * An open file that reads several extents at once, in any order, possibly with threads of its own.
 */
interface VectoredStream {
  /**
   * A range of the file.
   *
   * @param position first byte
   * @param length number of bytes, at least one
   */
  record Extent(long position, int length) {
    /** Returns the end of the range, exclusive. */
    long end() {
      return position + length;
    }
  }

  /** Returns the gap in bytes below which two extents are better read as one. */
  int minSeekBytes();

  /** Returns the largest size of an extent that is merged from several. */
  int maxReadBytes();

  /**
   * Starts reading into heap memory that is not shared, so that a caller that stops waiting is not
   * affected by bytes that arrive later.
   *
   * @param extents in ascending order, not overlapping
   * @return a future of the bytes of each extent
   * @throws IOException when the reads cannot start
   * @throws UnsupportedOperationException when this file does not support vectored reads
   */
  List<CompletableFuture<ByteBuffer>> start(List<Extent> extents) throws IOException;
}
