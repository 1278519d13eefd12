package io.ariadne.parquet.scan;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ForwardingReader;
import io.ariadne.parquet.metadata.ColumnChunk;
import io.ariadne.parquet.metadata.RowGroup;
import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.page.PageIo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Serves reads of ranges of a file from memory. The chunks of a small row group lie next to each
 * other, and one read of all costs less than one read each. Of a large row group, the first windows
 * of all chunks are read together, if the file system does that faster. Reads outside the ranges go
 * to the file. Used by one thread; does not own the file.
 */
final class SmallGroupReader extends ForwardingReader {
  private static final long MAX_BYTES = 2 << 20;
  private static final long MAX_TOGETHER_BYTES = 16 << 20;

  private final List<Piece> pieces;

  private SmallGroupReader(ByteRangeReader file, List<Piece> pieces) {
    super(file);
    this.pieces = pieces;
  }

  /**
   * Reads the chunks of a row group at once if they are small and lie close together, or the first
   * window of each chunk if reading them together is faster.
   *
   * @param file stays the caller's
   * @param group the row group
   * @param leaves the columns that will be read
   * @param readsAll whether the first window of every column will certainly be read
   * @param io memory and statistics; bytes are counted when they are read from this reader
   * @return a reader of the file that has the chunks in memory; null when they should be read one
   *     by one
   */
  static SmallGroupReader of(
      ByteRangeReader file, RowGroup group, List<SchemaNode> leaves, boolean readsAll, PageIo io)
      throws IOException {
    long start = Long.MAX_VALUE;
    long end = 0;
    long wanted = 0;
    for (SchemaNode leaf : leaves) {
      ColumnChunk chunk = group.chunk(leaf.leafIndex());
      start = Math.min(start, chunk.startOffset());
      end = Math.max(end, chunk.startOffset() + chunk.compressedBytes());
      wanted += chunk.compressedBytes();
    }
    if (leaves.size() < 2) {
      return null;
    }
    if (end - start <= MAX_BYTES && wanted >= (end - start) / 2) {
      return read(file, List.of(new Span(start, end - start)), io);
    }
    List<Span> first =
        readsAll && file.isFasterTogether() ? firstWindows(file, group, leaves, io) : List.of();
    return first.size() < 2 ? null : read(file, first, io);
  }

  /**
   * Returns the first windows of chunks that lie in the file, as many as the memory limit allows.
   */
  private static List<Span> firstWindows(
      ByteRangeReader file, RowGroup group, List<SchemaNode> leaves, PageIo io) {
    List<Span> spans = new ArrayList<>();
    long total = 0;
    for (SchemaNode leaf : leaves) {
      ColumnChunk chunk = group.chunk(leaf.leafIndex());
      long length = Math.min(chunk.compressedBytes(), io.windowBytes());
      boolean isInFile =
          chunk.startOffset() >= 0 && chunk.startOffset() <= file.lengthInBytes() - length;
      if (isInFile && length > 0 && length <= MAX_TOGETHER_BYTES - total) {
        spans.add(new Span(chunk.startOffset(), length));
        total += length;
      }
    }
    return spans;
  }

  private static SmallGroupReader read(ByteRangeReader file, List<Span> spans, PageIo io)
      throws IOException {
    long begin = System.nanoTime();
    List<Piece> pieces = new ArrayList<>();
    SmallGroupReader reader = new SmallGroupReader(file, pieces);
    try {
      List<ByteRange> ranges = new ArrayList<>();
      for (Span span : spans) {
        MemoryBuffer bytes = io.allocator().allocate(span.length());
        pieces.add(new Piece(span, bytes));
        ranges.add(new ByteRange(span.start(), bytes, 0, span.length()));
      }
      file.readAll(ranges);
    } catch (IOException | RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(reader);
      closer.suppressIn(e);
      throw e;
    }
    io.statistics().readNanos += System.nanoTime() - begin;
    return reader;
  }

  @Override
  public void read(long position, MemoryBuffer target, long targetOffset, long length)
      throws IOException {
    for (int i = 0; i < pieces.size(); i++) {
      Piece piece = pieces.get(i);
      long offset = position - piece.span().start();
      if (offset >= 0 && length <= piece.span().length() - offset) {
        Objects.checkFromIndexSize(targetOffset, length, target.capacityInBytes());
        Memory.copy(piece.bytes().address() + offset, target.address() + targetOffset, length);
        if (pieces.size() > 1 && length == piece.span().length()) {
          pieces.remove(i).bytes().close(); // a window, which is read only once
        }
        return;
      }
    }
    delegate().read(position, target, targetOffset, length);
  }

  /** Frees the bytes; the file stays open. */
  @Override
  public void close() {
    Closer closer = new Closer();
    pieces.forEach(piece -> closer.close(piece.bytes()));
    pieces.clear();
    closer.rethrow();
  }

  /** A range of the file. */
  private record Span(long start, long length) {}

  /** The bytes of a range. */
  private record Piece(Span span, MemoryBuffer bytes) {}
}
