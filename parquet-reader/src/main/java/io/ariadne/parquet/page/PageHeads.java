package io.ariadne.parquet.page;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.parquet.codec.SnappyPrefix;
import io.ariadne.parquet.metadata.CompressionCodec;
import io.ariadne.parquet.page.Page.ByteRange;

/**
 * Decompresses the levels of pages and the first byte of their values, and nothing else: a device
 * decompresses the rest. For Snappy, and for flat columns. Used by one thread.
 */
final class PageHeads {
  private static final int VERSION_2 = 2;

  private final ChunkRange chunk;
  private final PageIo io;

  PageHeads(ChunkRange chunk, PageIo io) {
    this.chunk = chunk;
    this.io = io;
  }

  /**
   * Finds the levels and values of a page that is not loaded.
   *
   * @return whether it has; if not, {@link PageLoader} has to load the page, and finds what is
   *     wrong with it
   */
  boolean load(Page page) {
    PageBody body = page.body();
    int packed = body.lengthInBytes() - body.levelBytes();
    int plain = body.plainLength() - body.levelBytes();
    boolean isPacked =
        chunk.codec() == CompressionCodec.SNAPPY
            && chunk.maxRepetitionLevel() == 0
            && body.isCompressed()
            && packed > 0
            && plain > 0
            && plain <= io.decompressors().get(chunk.codec()).maxDecompressedLength(packed);
    if (!isPacked) {
      return false;
    }
    return body.version() == VERSION_2
        ? loadVersion2(page, packed, plain)
        : body.version() == 1 && loadVersion1(page, packed, plain);
  }

  /** Levels come before the block. */
  private boolean loadVersion2(Page page, int packed, int plain) {
    PageBody body = page.body();
    long block = body.address() + body.levelBytes();
    try (MemoryBuffer first = io.allocator().allocate(1)) {
      if (SnappyPrefix.decode(block, packed, first.address(), 1) != 1) {
        return false;
      }
      ByteRange levels =
          new ByteRange(body.address() + body.repetitionBytes(), body.definitionBytes());
      page.headLoaded(
          body.memory().retain(),
          levels,
          new PackedValues(block, packed, plain, 0, first.getByte(0) & 0xff));
      return true;
    }
  }

  /** Levels, with their length before them, are in the block. */
  private boolean loadVersion1(Page page, int packed, int plain) {
    long block = page.body().address();
    int levelBytes = chunk.maxDefinitionLevel() == 0 ? 0 : levelBytes(block, packed);
    if (levelBytes < 0 || levelBytes >= plain) {
      return false;
    }
    MemoryBuffer head = io.allocator().allocate(levelBytes + 1L);
    boolean isKept = false;
    try {
      int made = SnappyPrefix.decode(block, packed, head.address(), levelBytes + 1);
      if (made != levelBytes + 1) {
        return false;
      }
      ByteRange levels =
          levelBytes == 0
              ? ByteRange.NONE
              : new ByteRange(head.address() + Integer.BYTES, levelBytes - Integer.BYTES);
      int firstByte = head.getByte(levelBytes) & 0xff;
      isKept = true;
      page.headLoaded(
          new SharedBuffer(head),
          levels,
          new PackedValues(block, packed, plain, levelBytes, firstByte));
      return true;
    } finally {
      if (!isKept) {
        head.close();
      }
    }
  }

  /** Returns the bytes of the levels with their length; negative when the block is damaged. */
  private int levelBytes(long block, int packed) {
    try (MemoryBuffer length = io.allocator().allocate(Integer.BYTES)) {
      int made = SnappyPrefix.decode(block, packed, length.address(), Integer.BYTES);
      long bytes = made == Integer.BYTES ? Memory.getInt(length.address()) : -1;
      return bytes < 0 || bytes > Integer.MAX_VALUE - Integer.BYTES - 1
          ? -1
          : (int) bytes + Integer.BYTES;
    }
  }
}
