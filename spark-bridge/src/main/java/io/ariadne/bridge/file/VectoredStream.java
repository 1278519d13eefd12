package io.ariadne.bridge.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An open file that reads several extents at once, in any order, perhaps by threads of its own. */
interface VectoredStream {
  /**
   * A range of the file.
   *
   * @param position first byte
   * @param length bytes, at least one
   */
  record Extent(long position, int length) {
    /** Returns the byte behind it. */
    long end() {
      return position + length;
    }
  }

  /** Returns how many unwanted bytes between two extents are better read than left out. */
  int minSeekBytes();

  /** Returns how many bytes extents have at most when several become one. */
  int maxReadBytes();

  /**
   * Begins to read into heap memory that nobody else has, so that whoever gives up waiting need not
   * fear what arrives later.
   *
   * @param extents in ascending order, not overlapping
   * @return for each extent what brings its bytes
   * @throws IOException when the reads cannot begin
   * @throws UnsupportedOperationException when this file cannot be read so after all
   */
  List<CompletableFuture<ByteBuffer>> start(List<Extent> extents) throws IOException;
}
