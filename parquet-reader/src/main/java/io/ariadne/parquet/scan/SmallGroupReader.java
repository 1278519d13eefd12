package io.ariadne.parquet.scan;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.parquet.metadata.ColumnChunk;
import io.ariadne.parquet.metadata.RowGroup;
import io.ariadne.parquet.metadata.SchemaNode;
import io.ariadne.parquet.page.PageIo;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * Serves reads of a range of a file out of memory: the chunks of a small row group lie side by
 * side, and one read of all costs less than one each. Reads outside of the range go to the file.
 * Used by one thread; does not own the file.
 */
final class SmallGroupReader implements ByteRangeReader {
  private static final long MAX_BYTES = 2 << 20;

  private final ByteRangeReader file;
  private final long start;
  private final MemoryBuffer bytes;

  private SmallGroupReader(ByteRangeReader file, long start, MemoryBuffer bytes) {
    this.file = file;
    this.start = start;
    this.bytes = bytes;
  }

  /**
   * Reads the chunks of a row group at once if they are small and lie close together.
   *
   * @param file stays the caller's
   * @param group the row group
   * @param leaves the columns that will be read
   * @param io memory and figures; bytes are counted by those who read here
   * @return a reader of the file that has read the chunks; null when they are better read one by
   *     one
   */
  static SmallGroupReader of(
      ByteRangeReader file, RowGroup group, List<SchemaNode> leaves, PageIo io) throws IOException {
    long start = Long.MAX_VALUE;
    long end = 0;
    long wanted = 0;
    for (SchemaNode leaf : leaves) {
      ColumnChunk chunk = group.chunk(leaf.leafIndex());
      start = Math.min(start, chunk.startOffset());
      end = Math.max(end, chunk.startOffset() + chunk.compressedBytes());
      wanted += chunk.compressedBytes();
    }
    boolean isWorthIt =
        leaves.size() > 1 && end - start <= MAX_BYTES && wanted >= (end - start) / 2;
    return isWorthIt ? read(file, start, end - start, io) : null;
  }

  private static SmallGroupReader read(
      ByteRangeReader file, long start, long lengthInBytes, PageIo io) throws IOException {
    long begin = System.nanoTime();
    MemoryBuffer bytes = io.allocator().allocate(lengthInBytes);
    try {
      file.read(start, bytes, 0, lengthInBytes);
    } catch (IOException | RuntimeException | Error e) {
      bytes.close();
      throw e;
    }
    io.figures().readNanos += System.nanoTime() - begin;
    return new SmallGroupReader(file, start, bytes);
  }

  @Override
  public long lengthInBytes() {
    return file.lengthInBytes();
  }

  @Override
  public void read(long position, MemoryBuffer target, long targetOffset, long length)
      throws IOException {
    long offset = position - start;
    if (offset < 0 || length > bytes.lengthInBytes() - offset) {
      file.read(position, target, targetOffset, length);
      return;
    }
    Objects.checkFromIndexSize(targetOffset, length, target.capacityInBytes());
    Memory.copy(bytes.address() + offset, target.address() + targetOffset, length);
  }

  /** Frees the bytes; the file stays open. */
  @Override
  public void close() {
    bytes.close();
  }
}
