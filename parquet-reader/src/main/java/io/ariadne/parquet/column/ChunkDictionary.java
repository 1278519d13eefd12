package io.ariadne.parquet.column;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.parquet.metadata.PageEncoding;
import io.ariadne.parquet.metadata.PhysicalKind;
import io.ariadne.parquet.page.Page;
import io.ariadne.parquet.page.Page.ByteRange;
import java.util.BitSet;
import java.util.List;

/**
 * The dictionary of a chunk, decoded once, and the decoder of its ids.
 *
 * <p>An entry that cannot be converted, such as a decimal that is too large, is an error only for
 * rows that use it. The entries of such a dictionary are converted when ids that refer to them are
 * decoded.
 */
final class ChunkDictionary implements AutoCloseable {
  private static final int MAX_WIDTH = Integer.SIZE;

  private final DecodeContext context;
  private final FlatColumn column;
  private final Dictionary dictionary;
  private final int entryCount;

  /** Converts entries on demand; null when all are converted. */
  private final EntryConversion conversion;

  private ChunkDictionary(
      DecodeContext context,
      FlatColumn column,
      Dictionary dictionary,
      int entryCount,
      EntryConversion conversion) {
    this.context = context;
    this.column = column;
    this.dictionary = dictionary;
    this.entryCount = entryCount;
    this.conversion = conversion;
  }

  /**
   * Decodes a dictionary page.
   *
   * @param page owned by this call
   * @param column properties of the column
   * @param plain decodes PLAIN values of the column
   */
  static ChunkDictionary read(
      Page page, FlatColumn column, ValueDecoder plain, DecodeContext context) {
    EntryConversion conversion = new EntryConversion(page, plain);
    boolean isKept = false;
    try {
      if (page.encoding() != PageEncoding.PLAIN
          && page.encoding() != PageEncoding.PLAIN_DICTIONARY) {
        throw column.site().corrupt(page.offset(), "dictionary in encoding " + page.encoding());
      }
      page.load();
      int count = page.valueCount();
      checkRoom(page, column, count);
      if (count == 0) {
        return new ChunkDictionary(context, column, null, 0, null);
      }
      Dictionary dictionary = all(conversion, column, context, count);
      if (dictionary != null) {
        return new ChunkDictionary(context, column, dictionary, count, null);
      }
      Dictionary none = none(column, context, count);
      isKept = true;
      return new ChunkDictionary(context, column, none, count, conversion);
    } finally {
      if (!isKept) {
        conversion.close();
      }
    }
  }

  /**
   * Adopts a dictionary that the reader of another part of the row group has decoded.
   *
   * @param entries all entries, converted, with a reference that passes to the result; null for
   *     none
   */
  static ChunkDictionary of(Dictionary entries, FlatColumn column, DecodeContext context) {
    int count = entries == null ? 0 : entries.entryCount();
    return new ChunkDictionary(context, column, entries, count, null);
  }

  /** Rejects counts that the page cannot hold, before memory for them is allocated. */
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

  /** Returns all entries converted, or null when an entry of fixed width cannot be converted. */
  private static Dictionary all(
      EntryConversion conversion, FlatColumn column, DecodeContext context, int count) {
    MemoryBuffer data = context.allocator().allocate(column.layout().dataLengthInBytes(count));
    try (BatchHeaps heaps = new BatchHeaps()) {
      conversion.convert(0, count, data, heaps);
      return dictionary(column, count, data, heaps);
    } catch (EngineException e) {
      data.close();
      if (e.code() != ErrorCode.CORRUPT_DATA || column.layout() == PhysicalType.VIEW16) {
        throw e;
      }
      return null;
    } catch (RuntimeException | Error e) {
      data.close();
      throw e;
    }
  }

  private static Dictionary none(FlatColumn column, DecodeContext context, int count) {
    return dictionary(
        column,
        count,
        context.allocateCleared(column.layout().dataLengthInBytes(count)),
        new BatchHeaps());
  }

  private static Dictionary dictionary(
      FlatColumn column, int count, MemoryBuffer data, BatchHeaps heaps) {
    return new Dictionary(
        new ColumnVector(
            column.type(), column.layout(), count, data, null, 0, heaps.take(), List.of()));
  }

  /**
   * Returns the dictionary, null when it has no entries. Entries whose ids have not been decoded
   * may be wrong.
   */
  Dictionary dictionary() {
    return dictionary;
  }

  /** Returns whether all entries are converted, whatever ids have been decoded. */
  boolean isWhole() {
    return conversion == null;
  }

  /** Returns the number of entries. */
  int entryCount() {
    return entryCount;
  }

  /**
   * Decodes ids.
   *
   * @param windows parts of pages of ids, each with at least one id
   * @param target memory for 32-bit ids; window {@code w} begins at {@code w.denseStart + offset}
   * @param offset ids before the first
   */
  void decodeIds(List<PageWindow> windows, MemoryBuffer target, int offset) {
    for (List<PageWindow> part : PageLaunch.parts(windows)) {
      PageLaunch launch = context.emptyLaunch();
      for (PageWindow window : part) {
        long out = PageLaunch.addressOf(target, window.denseStart + offset, Integer.BYTES);
        launch.add(idsOf(window), out, 0);
      }
      context.launch(column, context.dense()::codes);
    }
    if (conversion != null) {
      convertUsed(windows, target, offset);
    }
    passIds(windows);
  }

  /** Returns the ids of a window that are still to be decoded, for the kernel of ids. */
  PageLaunch.Source idsOf(PageWindow window) {
    int skip = window.denseSkip - window.cursor.ids.values();
    context.statistics().valuesPassed += skip;
    return new PageLaunch.Source(
        window.page(),
        window.cursor.ids.rest(ids(window.page())),
        skip,
        window.denseCount,
        idBits(window.page()),
        entryCount);
  }

  /**
   * Returns the ids of a window whose page begins with it, where a device has decompressed them.
   *
   * @param values the values of the page
   * @param bits the first byte of the values, which is the width of an id
   */
  PageLaunch.Source idsOf(PageWindow window, ByteRange values, int bits) {
    ByteRange ids = new ByteRange(values.address() + 1, values.lengthInBytes() - 1);
    int width = checkedWidth(window.page(), bits);
    return new PageLaunch.Source(
        window.page(), ids, window.denseSkip, window.denseCount, width, entryCount);
  }

  /** Records where the next windows of the pages begin. */
  void passIds(List<PageWindow> windows) {
    for (PageWindow window : windows) {
      if (window.goesOn) {
        int end = window.denseSkip + window.denseCount;
        window.cursor.ids.advance(ids(window.page()), idBits(window.page()), end);
      }
    }
  }

  private void convertUsed(List<PageWindow> windows, MemoryBuffer ids, int offset) {
    BitSet used = new BitSet(entryCount);
    for (PageWindow window : windows) {
      long first = (window.denseStart + offset) * (long) Integer.BYTES;
      context.read(
          ids,
          first,
          (long) window.denseCount * Integer.BYTES,
          piece -> {
            for (long at = 0; at < piece.lengthInBytes(); at += Integer.BYTES) {
              used.set(Memory.getInt(piece.address() + at));
            }
          });
    }
    conversion.convert(used, dictionary.entries().data());
  }

  /** Returns the runs after the byte that contains their bit width. */
  private static ByteRange ids(Page page) {
    return new ByteRange(page.values().address() + 1, page.values().lengthInBytes() - 1);
  }

  private int idBits(Page page) {
    ByteRange values = page.values();
    return checkedWidth(page, values.lengthInBytes() == 0 ? -1 : Memory.getByte(values.address()));
  }

  private int checkedWidth(Page page, int width) {
    if (width < 0 || width > MAX_WIDTH) {
      throw column.site().corrupt(page.offset(), "dictionary ids of " + width + " bits");
    }
    return width;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    if (dictionary != null) {
      closer.close(dictionary::release);
    }
    closer.close(conversion);
    closer.rethrow();
  }
}
