package io.ariadne.parquet.metadata;

/**
 * Parses the header of one page. Reused from page to page; reading allocates nothing.
 *
 * <p>After {@link #read} has returned a length, known sizes and counts are at least 0. The reader
 * of the page must check them against the page's bytes. Not thread-safe.
 */
public final class PageHeader {
  private static final int ALL_SEEN = 0b1110;

  private final ThriftReader reader = new ThriftReader();
  private PageType type;
  private int uncompressedSize;
  private int compressedSize;
  private boolean hasCrc;
  private int crc;
  private int valueCount;
  private int nullCount;
  private int rowCount;
  private PageEncoding encoding;
  private PageEncoding definitionEncoding;
  private PageEncoding repetitionEncoding;
  private int definitionBytes;
  private int repetitionBytes;
  private boolean compressed;

  /**
   * Reads the header at {@code address}.
   *
   * @param address first byte, in host memory
   * @param limit end of the readable bytes, exclusive
   * @return bytes of the header, or -1 when the header extends beyond {@code limit}; the caller
   *     tries again with more bytes
   * @throws io.ariadne.error.EngineException CORRUPT_DATA when this is no page header; the message
   *     does not name the file
   */
  public long read(long address, long limit) {
    clear();
    reader.reset(address, limit);
    try {
      readFields();
    } catch (ThriftException e) {
      if (e.isTruncated()) {
        return -1;
      }
      throw e;
    }
    return reader.consumed();
  }

  private void clear() {
    type = null;
    hasCrc = false;
    crc = 0;
    valueCount = 0;
    nullCount = -1;
    rowCount = -1;
    encoding = PageEncoding.UNKNOWN;
    definitionEncoding = PageEncoding.RLE;
    repetitionEncoding = PageEncoding.RLE;
    definitionBytes = 0;
    repetitionBytes = 0;
    compressed = true;
  }

  private void readFields() {
    int seen = 0;
    boolean described = false;
    reader.beginStruct();
    while (reader.nextField()) {
      int field = reader.fieldId();
      seen |= field > 0 && field < Integer.SIZE ? 1 << field : 0;
      switch (field) {
        case 1 -> type = PageType.of(reader.readI32());
        case 2 -> uncompressedSize = reader.readCount();
        case 3 -> compressedSize = reader.readCount();
        case 4 -> {
          crc = reader.readI32();
          hasCrc = true;
        }
        case 5 -> described |= readDataPage(type == PageType.DATA);
        case 7 -> described |= readDictionaryPage(type == PageType.DICTIONARY);
        case 8 -> described |= readDataPageV2(type == PageType.DATA_V2);
        default -> reader.skip();
      }
    }
    if ((seen & ALL_SEEN) != ALL_SEEN) {
      throw reader.corrupt("page header without type or sizes");
    }
    if (!described && type != PageType.INDEX && type != PageType.UNKNOWN) {
      throw reader.corrupt("page header of type " + type + " without its counts");
    }
  }

  private boolean readDataPage(boolean wanted) {
    if (!wanted) {
      reader.skip();
      return false;
    }
    int seen = 0;
    reader.beginStruct();
    while (reader.nextField()) {
      switch (reader.fieldId()) {
        case 1 -> {
          valueCount = reader.readCount();
          seen |= 1;
        }
        case 2 -> {
          encoding = PageEncoding.of(reader.readI32());
          seen |= 2;
        }
        case 3 -> definitionEncoding = PageEncoding.of(reader.readI32());
        case 4 -> repetitionEncoding = PageEncoding.of(reader.readI32());
        default -> reader.skip();
      }
    }
    return seen == 3;
  }

  private boolean readDictionaryPage(boolean wanted) {
    if (!wanted) {
      reader.skip();
      return false;
    }
    int seen = 0;
    reader.beginStruct();
    while (reader.nextField()) {
      switch (reader.fieldId()) {
        case 1 -> {
          valueCount = reader.readCount();
          seen |= 1;
        }
        case 2 -> {
          encoding = PageEncoding.of(reader.readI32());
          seen |= 2;
        }
        default -> reader.skip();
      }
    }
    return seen == 3;
  }

  private boolean readDataPageV2(boolean wanted) {
    if (!wanted) {
      reader.skip();
      return false;
    }
    int seen = 0;
    reader.beginStruct();
    while (reader.nextField()) {
      int field = reader.fieldId();
      seen |= field > 0 && field < Integer.SIZE ? 1 << field : 0;
      switch (field) {
        case 1 -> valueCount = reader.readCount();
        case 2 -> nullCount = reader.readI32(); // parquet-mr writes -1 when unknown
        case 3 -> rowCount = reader.readCount();
        case 4 -> encoding = PageEncoding.of(reader.readI32());
        case 5 -> definitionBytes = reader.readCount();
        case 6 -> repetitionBytes = reader.readCount();
        case 7 -> compressed = reader.readBool();
        default -> reader.skip();
      }
    }
    return (seen & 0b1111110) == 0b1111110;
  }

  /** Returns the type of the page. */
  public PageType type() {
    return type;
  }

  /** Returns the number of bytes that follow the header. */
  public int compressedSize() {
    return compressedSize;
  }

  /** Returns the size of the page after decompression, including V2 levels. */
  public int uncompressedSize() {
    return uncompressedSize;
  }

  /** Returns whether the header has a checksum. */
  public boolean hasCrc() {
    return hasCrc;
  }

  /** Returns the CRC-32 of the bytes that follow the header. */
  public int crc() {
    return crc;
  }

  /** Returns the number of values, including nulls, or of entries of a dictionary. */
  public int valueCount() {
    return valueCount;
  }

  /** Returns the number of nulls of a V2 page, else -1. */
  public int nullCount() {
    return nullCount;
  }

  /** Returns the number of rows of a V2 page, else -1. */
  public int rowCount() {
    return rowCount;
  }

  /** Returns the encoding of the values. */
  public PageEncoding encoding() {
    return encoding;
  }

  /** Returns the encoding of the definition levels; V2 levels are always RLE. */
  public PageEncoding definitionEncoding() {
    return definitionEncoding;
  }

  /** Returns the encoding of the repetition levels; V2 levels are always RLE. */
  public PageEncoding repetitionEncoding() {
    return repetitionEncoding;
  }

  /** Returns the size of the definition levels of a V2 page. */
  public int definitionBytes() {
    return definitionBytes;
  }

  /** Returns the size of the repetition levels of a V2 page. */
  public int repetitionBytes() {
    return repetitionBytes;
  }

  /** Returns whether the values of a V2 page are compressed; always true for other pages. */
  public boolean isCompressed() {
    return compressed;
  }
}
