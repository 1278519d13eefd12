package io.ariadne.parquet.page;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.parquet.metadata.PageEncoding;
import io.ariadne.parquet.metadata.PageHeader;
import io.ariadne.parquet.metadata.PageType;
import io.ariadne.parquet.page.Page.ByteRange;

/** Separates levels and values of a decompressed page (Parquet format, README: Data Pages). */
final class LevelSplit {
  private static final int VERSION_2 = 2;

  private final ChunkRange chunk;

  LevelSplit(ChunkRange chunk) {
    this.chunk = chunk;
  }

  /** Rejects encodings that are not for levels, and the deprecated one. */
  void checkEncodings(long offset, PageHeader header) {
    if (header.type() != PageType.DATA) {
      return;
    }
    boolean packed = false;
    boolean other = false;
    if (chunk.maxDefinitionLevel() > 0) {
      packed |= header.definitionEncoding() == PageEncoding.BIT_PACKED;
      other |= !isLevelEncoding(header.definitionEncoding());
    }
    if (chunk.maxRepetitionLevel() > 0) {
      packed |= header.repetitionEncoding() == PageEncoding.BIT_PACKED;
      other |= !isLevelEncoding(header.repetitionEncoding());
    }
    if (other) {
      throw chunk.site().corrupt(offset, "levels in an encoding that has no levels");
    }
    if (packed) {
      throw chunk.site().unsupported("levels in the deprecated encoding BIT_PACKED");
    }
  }

  private static boolean isLevelEncoding(PageEncoding encoding) {
    return encoding == PageEncoding.RLE || encoding == PageEncoding.BIT_PACKED;
  }

  /**
   * Sets the streams of a page. The reference to their memory passes to the page, also when this
   * throws.
   */
  void split(Page page, PageBody body, SharedBuffer memory, long address, int length) {
    ByteRange repetition = ByteRange.NONE;
    ByteRange definition = ByteRange.NONE;
    long at = address;
    long end = address + length;
    page.loaded(memory, repetition, definition, ByteRange.NONE);
    if (body.version() == VERSION_2) {
      repetition = new ByteRange(at, body.repetitionBytes());
      at += body.repetitionBytes();
      definition = new ByteRange(at, body.definitionBytes());
      at += body.definitionBytes();
    } else if (body.version() == 1) {
      if (chunk.maxRepetitionLevel() > 0) {
        repetition = prefixed(page, at, end);
        at = repetition.address() + repetition.lengthInBytes();
      }
      if (chunk.maxDefinitionLevel() > 0) {
        definition = prefixed(page, at, end);
        at = definition.address() + definition.lengthInBytes();
      }
    }
    page.loaded(memory, repetition, definition, new ByteRange(at, end - at));
  }

  private ByteRange prefixed(Page page, long at, long end) {
    int length = end - at < Integer.BYTES ? -1 : Memory.getInt(at);
    if (length < 0 || length > end - at - Integer.BYTES) {
      throw chunk.site().corrupt(page.offset(), "levels of " + length + " bytes");
    }
    return new ByteRange(at + Integer.BYTES, length);
  }
}
