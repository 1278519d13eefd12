package io.ariadne.parquet.page;

import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.parquet.metadata.PageEncoding;
import java.util.List;

/**
 * A page of a column chunk: its location and counts and, once loaded, its streams.
 *
 * <p>Addresses are valid while the page is open. Used by one thread; its owner closes it once.
 */
public final class Page implements AutoCloseable {
  private final long offset;
  private final int valueCount;
  private final PageEncoding encoding;
  private final ChunkPages pages;
  private PageBody body;
  private SharedBuffer memory;
  private SharedBuffer headMemory; // null unless only the head is loaded
  private PackedValues packed; // likewise
  private ByteRange repetitionLevels = ByteRange.NONE;
  private ByteRange definitionLevels = ByteRange.NONE;
  private ByteRange values = ByteRange.NONE;
  private boolean closed;

  /**
   * A range of bytes in memory.
   *
   * @param address first byte
   * @param lengthInBytes number of bytes
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

  /** Returns the offset of the page's header in the file. */
  public long offset() {
    return offset;
  }

  /**
   * Returns the number of values, including nulls, which is also the length of the level streams.
   */
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

  /**
   * Finds the levels and the first byte of the values, without decompressing the page.
   *
   * @return whether it has: {@link #packedValues} and {@link #definitionLevels} are then known;
   *     otherwise the page is loaded already, or has to be
   */
  public boolean loadHead() {
    return packed != null || (memory == null && pages.loadHead(this));
  }

  /** Returns the values that are still compressed; null unless only the head is loaded. */
  public PackedValues packedValues() {
    return packed;
  }

  void headLoaded(SharedBuffer held, ByteRange definition, PackedValues values) {
    headMemory = held;
    definitionLevels = definition;
    packed = values;
  }

  private void releaseHead() {
    SharedBuffer head = headMemory;
    headMemory = null;
    packed = null;
    if (head != null) {
      head.release();
    }
  }

  /** Decompresses the page unless it is loaded already. */
  public void load() {
    if (memory == null) {
      pages.load(List.of(this));
    }
  }

  /** Returns the compressed bytes, while the page is not loaded. */
  PageBody body() {
    return body;
  }

  /** Releases the compressed bytes. */
  void releaseBody() {
    PageBody old = body;
    body = null;
    old.release();
  }

  void loaded(SharedBuffer held, ByteRange repetition, ByteRange definition, ByteRange content) {
    releaseHead();
    memory = held;
    repetitionLevels = repetition;
    definitionLevels = definition;
    values = content;
  }

  /**
   * Returns the repetition levels without their length prefix, {@link #NONE} when the column has
   * none.
   */
  public ByteRange repetitionLevels() {
    return repetitionLevels;
  }

  /**
   * Returns the definition levels without their length prefix, {@link #NONE} when the column has
   * none.
   */
  public ByteRange definitionLevels() {
    return definitionLevels;
  }

  /** Returns the encoded values. */
  public ByteRange values() {
    return values;
  }

  /** Returns the memory that contains a loaded page's streams. The page holds the reference. */
  public SharedBuffer memory() {
    return memory;
  }

  @Override
  public void close() {
    if (closed) {
      throw new IllegalStateException("page is already closed");
    }
    closed = true;
    releaseHead();
    if (body != null) {
      body.release();
    }
    if (memory != null) {
      memory.release();
    }
  }
}
