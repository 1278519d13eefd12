package io.ariadne.parquet.metadata;

import io.ariadne.parquet.metadata.ColumnChunk.DictionaryUse;
import java.util.ArrayList;
import java.util.List;

/** Parses one column chunk of the footer into fields that are reused for the next chunk. */
final class ChunkFields {
  private static final int SIZE_FIELD = 7;

  CompressionCodec codec;
  long dataPageOffset;
  long compressedBytes;
  long uncompressedBytes;
  long valueCount;
  int encodings;
  long dataPages;
  long offsetIndexOffset;
  int offsetIndexLength;
  long columnIndexOffset;
  int columnIndexLength;
  long bloomFilterOffset;
  int bloomFilterLength;
  RawStatistics statistics;
  boolean hasMetadata;
  boolean isEncrypted;
  boolean isElsewhere;
  private long dictionaryPageOffset;
  private int kind;
  private List<String> path;
  private boolean hasEncodingStats;
  private boolean someDictionaryPages;
  private boolean someOtherPages;

  /** Reads the next chunk's size and whether it is encrypted, and skips everything else. */
  void pass(ThriftReader reader) {
    compressedBytes = 0;
    isEncrypted = false;
    reader.beginStruct();
    while (reader.nextField()) {
      switch (reader.fieldId()) {
        case 3 -> readSize(reader);
        case 8, 9 -> {
          isEncrypted = true;
          reader.skip();
        }
        default -> reader.skip();
      }
    }
  }

  /**
   * Reads the next chunk.
   *
   * @param isWanted whether more than size and offsets is needed
   */
  void read(ThriftReader reader, boolean isWanted) {
    clear();
    reader.beginStruct();
    while (reader.nextField()) {
      switch (reader.fieldId()) {
        case 1 -> isElsewhere = reader.readBytes().length > 0;
        case 3 -> {
          readMetadata(reader, isWanted);
          hasMetadata = true;
        }
        case 4 -> offsetIndexOffset = reader.readI64(0);
        case 5 -> offsetIndexLength = reader.readI32(0);
        case 6 -> columnIndexOffset = reader.readI64(0);
        case 7 -> columnIndexLength = reader.readI32(0);
        case 8, 9 -> {
          isEncrypted = true;
          reader.skip();
        }
        default -> reader.skip();
      }
    }
  }

  private void clear() {
    codec = null;
    dataPageOffset = 0;
    compressedBytes = 0;
    uncompressedBytes = 0;
    valueCount = 0;
    encodings = 0;
    dataPages = 0;
    offsetIndexOffset = 0;
    offsetIndexLength = 0;
    columnIndexOffset = 0;
    columnIndexLength = 0;
    bloomFilterOffset = 0;
    bloomFilterLength = ByteSpan.UNKNOWN_LENGTH;
    statistics = null;
    hasMetadata = false;
    isEncrypted = false;
    isElsewhere = false;
    dictionaryPageOffset = -1;
    kind = -1;
    path = null;
    hasEncodingStats = false;
    someDictionaryPages = false;
    someOtherPages = false;
  }

  /** Reads the size of a chunk of which nothing else is needed. */
  private void readSize(ThriftReader reader) {
    compressedBytes = reader.readLongOf(SIZE_FIELD);
    if (compressedBytes < 0) {
      throw reader.corrupt("column chunk of " + compressedBytes + " bytes");
    }
  }

  private void readMetadata(ThriftReader reader, boolean isWanted) {
    reader.beginStruct();
    while (reader.nextField()) {
      switch (reader.fieldId()) {
        case 1 -> kind = reader.readI32();
        case 4 -> codec = CompressionCodec.of(reader.readI32());
        case 5 -> valueCount = reader.readLongCount();
        case 6 -> uncompressedBytes = Math.max(reader.readI64(), 0);
        case 7 -> compressedBytes = reader.readLongCount();
        case 9 -> dataPageOffset = reader.readLongCount();
        case 11 -> dictionaryPageOffset = reader.readI64(-1);
        case 14 -> bloomFilterOffset = reader.readI64(0);
        case 15 -> bloomFilterLength = reader.readI32(ByteSpan.UNKNOWN_LENGTH);
        default -> {
          if (isWanted) {
            readWanted(reader);
          } else {
            reader.skip();
          }
        }
      }
    }
  }

  private void readWanted(ThriftReader reader) {
    switch (reader.fieldId()) {
      case 2 -> {
        int count = reader.beginList();
        for (int i = 0; i < count; i++) {
          encodings |= 1 << PageEncoding.of(reader.readI32()).ordinal();
        }
      }
      case 3 -> {
        int count = reader.beginList();
        path = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          path.add(reader.readString());
        }
      }
      case 12 -> statistics = RawStatistics.read(reader);
      case 13 -> readEncodingStats(reader);
      default -> reader.skip();
    }
  }

  private void readEncodingStats(ThriftReader reader) {
    int count = reader.beginList();
    hasEncodingStats = true;
    for (int i = 0; i < count; i++) {
      PageType type = PageType.UNKNOWN;
      PageEncoding encoding = PageEncoding.UNKNOWN;
      int pages = 0;
      reader.beginStruct();
      while (reader.nextField()) {
        switch (reader.fieldId()) {
          case 1 -> type = PageType.of(reader.readI32());
          case 2 -> encoding = PageEncoding.of(reader.readI32());
          case 3 -> pages = reader.readI32();
          default -> reader.skip();
        }
      }
      if ((type == PageType.DATA || type == PageType.DATA_V2) && pages != 0) {
        dataPages += Math.max(pages, 0);
        someDictionaryPages |= encoding.isDictionary();
        someOtherPages |= !encoding.isDictionary();
      }
    }
  }

  /** Returns the offset of the first page. The dictionary's offset may be a placeholder of 0. */
  long startOffset() {
    return dictionaryPageOffset > 0 && dictionaryPageOffset < dataPageOffset
        ? dictionaryPageOffset
        : dataPageOffset;
  }

  /** Returns the offset that decides which split a row group belongs to; see {@link RowGroup}. */
  long splitOffset() {
    return dictionaryPageOffset >= 0 && dictionaryPageOffset < dataPageOffset
        ? dictionaryPageOffset
        : dataPageOffset;
  }

  DictionaryUse dictionaryUse() {
    if (hasEncodingStats) {
      if (!someDictionaryPages) {
        return DictionaryUse.NONE;
      }
      return someOtherPages ? DictionaryUse.SOME : DictionaryUse.ALL;
    }
    int old = bit(PageEncoding.PLAIN_DICTIONARY);
    if ((encodings & (old | bit(PageEncoding.RLE_DICTIONARY))) == 0) {
      return DictionaryUse.NONE;
    }
    // PLAIN_DICTIONARY also names the encoding of the dictionary page; levels are RLE or
    // BIT_PACKED.
    int otherEncodings = encodings & ~(old | bit(PageEncoding.RLE) | bit(PageEncoding.BIT_PACKED));
    return otherEncodings == 0 ? DictionaryUse.ALL : DictionaryUse.SOME;
  }

  private static int bit(PageEncoding encoding) {
    return 1 << encoding.ordinal();
  }

  /** Returns why this chunk cannot be one of the given column in this file, or null if it can. */
  String problem(SchemaNode leaf, long fileLength) {
    if (!hasMetadata) {
      return "column chunk without metadata";
    }
    if (kind != leaf.kind().ordinal()) {
      return "column chunk of physical type " + kind + " instead of " + leaf.kind();
    }
    if (path != null && !leaf.hasPath(path)) {
      return "column chunk of " + String.join(".", path) + " instead of " + leaf.path();
    }
    long start = startOffset();
    if (start > fileLength || compressedBytes > fileLength - start) {
      return compressedBytes + " bytes of pages from " + start + " in a file of " + fileLength;
    }
    return null;
  }
}
