package io.ariadne.parquet.column;

import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.DictionaryDecoder;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.parquet.StreamWindows;
import io.ariadne.parquet.metadata.PageEncoding;
import io.ariadne.parquet.metadata.PhysicalKind;
import io.ariadne.parquet.page.ChunkPages;
import io.ariadne.parquet.page.Page;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Decodes the values of pages in any encoding, without nulls: the second step of decoding. Owns the
 * chunk's dictionary.
 */
final class EncodedValues implements AutoCloseable {
  private final FlatColumn column;
  private final ChunkPages pages;
  private final DecodeContext context;
  private final ValueDecoder plain;
  private final Map<PageEncoding, ValueDecoder> decoders = new EnumMap<>(PageEncoding.class);
  private final SharedDictionaries shared;
  private ChunkDictionary dictionary;
  private boolean hasBegun;

  /**
   * Prepares to decode.
   *
   * @param shared where other readers of the chunk find its dictionary; null when there are none
   */
  EncodedValues(
      FlatColumn column, ChunkPages pages, DecodeContext context, SharedDictionaries shared) {
    this.column = column;
    this.pages = pages;
    this.context = context;
    this.shared = shared;
    this.plain = plain(column, context);
  }

  private static ValueDecoder plain(FlatColumn column, DecodeContext context) {
    if (column.layout() == PhysicalType.BOOL) {
      return new BitValueDecoder(context, column);
    }
    if (column.conversion() != null) {
      return new FixedValueDecoder(context, column);
    }
    return values(
        column,
        context,
        column.kind() == PhysicalKind.BYTE_ARRAY
            ? new BinaryValueDecoder(context, column)
            : new FixedBinaryValueDecoder(context, column));
  }

  /** Returns a decoder of the column's values, given one that makes views of their bytes. */
  private static ValueDecoder values(FlatColumn column, DecodeContext context, ValueDecoder views) {
    return column.layout() == PhysicalType.VIEW16
        ? views
        : new DecimalValueDecoder(context, column, views);
  }

  /**
   * Reads the dictionary if it is shared and no other reader has read it. Called before a page is
   * read. A column that is read for its levels only needs no dictionary.
   */
  void begin() {
    if (shared == null || hasBegun || column.layout() == PhysicalType.NONE) {
      return;
    }
    hasBegun = true;
    dictionary = shared.get(pages.chunk().start(), this::readAhead, this::adopt);
  }

  private ChunkDictionary readAhead() {
    pages.readDictionary();
    return dictionary();
  }

  private ChunkDictionary adopt(boolean isThere, Dictionary entries) {
    pages.passDictionary();
    return isThere ? ChunkDictionary.of(entries, column, context) : null;
  }

  /** Returns the dictionary, reading it on the first call; null when the chunk has none. */
  ChunkDictionary dictionary() {
    if (dictionary == null) {
      Page page = pages.takeDictionary();
      if (page != null) {
        dictionary = ChunkDictionary.read(page, column, plain, context);
      }
    }
    return dictionary;
  }

  /**
   * Returns all entries of the dictionary, or null when there is none or some cannot be converted.
   */
  Dictionary wholeDictionary() {
    ChunkDictionary entries = dictionary();
    return entries != null && entries.isWhole() ? entries.dictionary() : null;
  }

  /** Returns whether a window should stay dictionary ids. */
  boolean areIds(List<PageWindow> windows, int rowCount) {
    if (!column.keepsDictionary()
        || windows.isEmpty()
        || !windows.stream().allMatch(window -> window.page().encoding().isDictionary())) {
      return false;
    }
    ChunkDictionary entries = dictionary();
    return entries != null
        && entries.dictionary() != null
        && entries.isWhole()
        && entries.entryCount() <= rowCount / DictionaryDecoder.ROWS_PER_ENTRY;
  }

  /** Returns an upper bound of the number of values that a page's bytes hold; there may be none. */
  static long most(Page page, FlatColumn column) {
    long bytes = page.values().lengthInBytes();
    return switch (page.encoding()) {
      case PLAIN ->
          switch (column.kind()) {
            case BOOLEAN -> bytes * Byte.SIZE;
            case BYTE_ARRAY -> bytes / Integer.BYTES;
            default -> bytes / Math.max(column.widthInBytes(), 1);
          };
      case BYTE_STREAM_SPLIT -> bytes / Math.max(column.widthInBytes(), 1);
      default -> Long.MAX_VALUE;
    };
  }

  /**
   * Decodes windows to dense values.
   *
   * @param windows parts of pages, each with at least one dense value
   * @param target memory for the values; window {@code w} begins at value {@code w.denseStart}
   * @param heaps empty; receives the heaps that views refer to
   */
  void decode(List<PageWindow> windows, MemoryBuffer target, BatchHeaps heaps) {
    if (windows.stream().anyMatch(window -> window.page().encoding().isDictionary())) {
      addDictionaryHeaps(heaps);
    }
    int from = 0;
    while (from < windows.size()) {
      PageEncoding encoding = windows.get(from).page().encoding();
      int to = from + 1;
      int end = Math.min(windows.size(), from + StreamWindows.MAX_SIZE);
      while (to < end && windows.get(to).page().encoding() == encoding) {
        to++;
      }
      List<PageWindow> same = new ArrayList<>(windows.subList(from, to));
      decoder(same.get(0).page()).decode(same, target, heaps);
      from = to;
    }
  }

  private void addDictionaryHeaps(BatchHeaps heaps) {
    if (dictionary() != null && dictionary.dictionary() != null) {
      dictionary.dictionary().entries().heaps().forEach(heaps::add);
    }
  }

  private ValueDecoder decoder(Page page) {
    ValueDecoder decoder = decoders.get(page.encoding());
    if (decoder == null) {
      decoder = create(page);
      decoders.put(page.encoding(), decoder);
    }
    return decoder;
  }

  private ValueDecoder create(Page page) {
    return switch (page.encoding()) {
      case PLAIN -> plain;
      case PLAIN_DICTIONARY, RLE_DICTIONARY -> {
        if (dictionary() == null || dictionary.dictionary() == null) {
          throw column.site().corrupt(page.offset(), "dictionary ids without a dictionary");
        }
        yield new DictionaryValueDecoder(context, dictionary);
      }
      case RLE -> {
        if (column.layout() != PhysicalType.BOOL) {
          throw wrongEncoding(page);
        }
        yield plain;
      }
      default -> packed(page);
    };
  }

  /** Creates the decoder of an encoding that only some physical types have. */
  private ValueDecoder packed(Page page) {
    PhysicalKind kind = column.kind();
    boolean isInteger = kind == PhysicalKind.INT32 || kind == PhysicalKind.INT64;
    boolean isText = kind == PhysicalKind.BYTE_ARRAY;
    boolean isFixed = kind == PhysicalKind.FIXED_LEN_BYTE_ARRAY;
    boolean isFloat = kind == PhysicalKind.FLOAT || kind == PhysicalKind.DOUBLE;
    if (page.encoding() == PageEncoding.DELTA_BINARY_PACKED && isInteger) {
      return wholePage(new DeltaValueDecoder(context, column));
    }
    if (page.encoding() == PageEncoding.DELTA_LENGTH_BYTE_ARRAY && isText) {
      return wholePage(values(column, context, new DeltaLengthValueDecoder(context, column)));
    }
    if (page.encoding() == PageEncoding.DELTA_BYTE_ARRAY && (isText || isFixed)) {
      return wholePage(values(column, context, new DeltaStringDecoder(context, column)));
    }
    if (page.encoding() == PageEncoding.BYTE_STREAM_SPLIT && (isInteger || isFixed || isFloat)) {
      return new SplitValueDecoder(context, column);
    }
    throw wrongEncoding(page);
  }

  private ValueDecoder wholePage(ValueDecoder decoder) {
    return new WholePageDecoder(context, column, decoder);
  }

  private RuntimeException wrongEncoding(Page page) {
    return column.site().corrupt(page.offset(), column.kind() + " in encoding " + page.encoding());
  }

  @Override
  public void close() {
    if (dictionary != null) {
      dictionary.close();
    }
  }
}
