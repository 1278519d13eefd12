package io.ariadne.parquet.page;

import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.parquet.metadata.PageEncoding;
import java.util.List;

/**
 * A page: its place and counts, and, once loaded, the streams in it.
 *
 * <p>Addresses are valid while the page is open. Used by one thread; closed once by its owner.
 */
public final class Page implements AutoCloseable {
  private final long offset;
  private final int valueCount;
  private final PageEncoding encoding;
  private final ChunkPages pages;
  private PageBody body;
  private SharedBuffer memory;
  private ByteRange repetitionLevels = ByteRange.NONE;
  private ByteRange definitionLevels = ByteRange.NONE;
  private ByteRange values = ByteRange.NONE;
  private boolean closed;

  /**
   * Bytes in memory.
   *
   * @param address the first
   * @param lengthInBytes their number
   */
  public record ByteRange(long address, long lengthInBytes) {
    /** No bytes. */
    public static final ByteRange NONE = new ByteRange(0, 0);
  }

  Page(ChunkPages pages, PageBody body, int valueCount, PageEncoding encoding) {
    this.pages = pages;
    this.body = body;
    this.offset = body.offset();
    this.valueCount = valueCount;
    this.encoding = encoding;
  }

  /** Returns the byte offset of the page's header in the file. */
  public long offset() {
    return offset;
  }

  /** Returns the values, nulls included: entries of the level streams if there are any. */
  public int valueCount() {
    return valueCount;
  }

  /** Returns the encoding of the values. */
  public PageEncoding encoding() {
    return encoding;
  }

  /** Returns whether {@link #load} has been called. */
  public boolean isLoaded() {
    return memory != null;
  }

  /** Decompresses the page unless that has been done. */
  public void load() {
    if (memory == null) {
      pages.load(List.of(this));
    }
  }

  /** Returns the bytes as the file has them, while the page is not loaded. */
  PageBody body() {
    return body;
  }

  /** Gives back the bytes as the file has them. */
  void releaseBody() {
    PageBody old = body;
    body = null;
    old.release();
  }

  void loaded(SharedBuffer held, ByteRange repetition, ByteRange definition, ByteRange content) {
    memory = held;
    repetitionLevels = repetition;
    definitionLevels = definition;
    values = content;
  }

  /**
   * Returns the repetition levels without their length prefix; nothing when the column has none.
   */
  public ByteRange repetitionLevels() {
    return repetitionLevels;
  }

  /**
   * Returns the definition levels without their length prefix; nothing when the column has none.
   */
  public ByteRange definitionLevels() {
    return definitionLevels;
  }

  /** Returns the encoded values. */
  public ByteRange values() {
    return values;
  }

  /** Returns the memory that a loaded page's streams lie in, held by the page. */
  public SharedBuffer memory() {
    return memory;
  }

  @Override
  public void close() {
    if (closed) {
      throw new IllegalStateException("page is already closed");
    }
    closed = true;
    if (body != null) {
      body.release();
    }
    if (memory != null) {
      memory.release();
    }
  }
}
