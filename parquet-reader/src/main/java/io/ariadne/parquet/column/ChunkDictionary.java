package io.ariadne.parquet.column;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.parquet.metadata.PageEncoding;
import io.ariadne.parquet.metadata.PhysicalKind;
import io.ariadne.parquet.page.Page;
import io.ariadne.parquet.page.Page.ByteRange;
import java.util.List;

/** The values of a chunk's dictionary page, decoded once, and the ids that stand for them. */
final class ChunkDictionary implements AutoCloseable {
  private static final int MAX_WIDTH = Integer.SIZE;

  private final DecodeContext context;
  private final FlatColumn column;
  private final Dictionary dictionary;
  private final int entryCount;

  private ChunkDictionary(
      DecodeContext context, FlatColumn column, Dictionary dictionary, int entryCount) {
    this.context = context;
    this.column = column;
    this.dictionary = dictionary;
    this.entryCount = entryCount;
  }

  /**
   * Decodes a dictionary page.
   *
   * @param page owned by this call
   * @param column what its values are
   * @param plain decodes PLAIN values of the column
   */
  static ChunkDictionary read(
      Page page, FlatColumn column, ValueDecoder plain, DecodeContext context) {
    try (PageCursor cursor = new PageCursor(page, 0)) {
      if (page.encoding() != PageEncoding.PLAIN
          && page.encoding() != PageEncoding.PLAIN_DICTIONARY) {
        throw column.site().corrupt(page.offset(), "dictionary in encoding " + page.encoding());
      }
      page.load();
      int count = page.valueCount();
      checkRoom(page, column, count);
      if (count == 0) {
        return new ChunkDictionary(context, column, null, 0);
      }
      PageWindow window = new PageWindow(cursor, 0, count, 0);
      window.denseCount = count;
      Dictionary dictionary = entries(window, column, plain, context);
      return new ChunkDictionary(context, column, dictionary, count);
    }
  }

  /** Refuses counts that the page cannot hold, before memory for them is asked for. */
  private static void checkRoom(Page page, FlatColumn column, int count) {
    int least = column.kind() == PhysicalKind.BYTE_ARRAY ? Integer.BYTES : column.widthInBytes();
    if (column.layout() == PhysicalType.BOOL
        || count > page.values().lengthInBytes() / Math.max(least, 1)) {
      throw column
          .site()
          .corrupt(
              page.offset(),
              "dictionary of "
                  + count
                  + " values of "
                  + column.kind()
                  + " in "
                  + page.values().lengthInBytes()
                  + " bytes");
    }
  }

  private static Dictionary entries(
      PageWindow window, FlatColumn column, ValueDecoder plain, DecodeContext context) {
    int count = window.denseCount;
    MemoryBuffer data = context.allocator().allocate(column.layout().dataLengthInBytes(count));
    try (BatchHeaps heaps = new BatchHeaps()) {
      plain.decode(List.of(window), data, heaps);
      return new Dictionary(
          new ColumnVector(
              column.type(), column.layout(), count, data, null, 0, heaps.take(), List.of()));
    } catch (RuntimeException | Error e) {
      data.close();
      throw e;
    }
  }

  /** Returns the values; null when there are none. */
  Dictionary dictionary() {
    return dictionary;
  }

  /** Returns the number of values. */
  int entryCount() {
    return entryCount;
  }

  /**
   * Decodes ids.
   *
   * @param windows parts of pages of ids, each of at least one
   * @param target room for 32-bit ids; window {@code w} begins at {@code w.denseStart + offset}
   * @param offset ids before the first
   */
  void decodeIds(List<PageWindow> windows, MemoryBuffer target, int offset) {
    PageTasks tasks = context.tasks();
    for (PageWindow window : windows) {
      int width = idBits(window.page());
      int skip = window.denseSkip - window.cursor.ids.values();
      context.figures().valuesPassed += skip;
      tasks.add(
          new PageTasks.Source(
              window.page(),
              window.cursor.ids.rest(ids(window.page())),
              skip,
              window.denseCount,
              width,
              entryCount),
          PageTasks.place(target, window.denseStart + offset, Integer.BYTES),
          0);
    }
    context.launch(column, context.dense()::codes);
    for (PageWindow window : windows) {
      if (window.goesOn) {
        int end = window.denseSkip + window.denseCount;
        window.cursor.ids.advance(ids(window.page()), idBits(window.page()), end);
      }
    }
  }

  /** Returns the runs behind the byte that tells their width. */
  private static ByteRange ids(Page page) {
    return new ByteRange(page.values().address() + 1, page.values().lengthInBytes() - 1);
  }

  private int idBits(Page page) {
    ByteRange values = page.values();
    int width = values.lengthInBytes() == 0 ? -1 : Memory.getByte(values.address());
    if (width < 0 || width > MAX_WIDTH) {
      throw column.site().corrupt(page.offset(), "dictionary ids of " + width + " bits");
    }
    return width;
  }

  @Override
  public void close() {
    if (dictionary != null) {
      dictionary.release();
    }
  }
}
