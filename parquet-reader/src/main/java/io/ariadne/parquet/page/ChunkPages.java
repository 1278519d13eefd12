package io.ariadne.parquet.page;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.error.EngineException;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.parquet.metadata.CompressionCodec;
import io.ariadne.parquet.metadata.PageEncoding;
import io.ariadne.parquet.metadata.PageHeader;
import io.ariadne.parquet.metadata.PageType;
import java.util.List;
import java.util.zip.CRC32;

/**
 * Iterates over the pages of one column chunk, in file order.
 *
 * <p>Reads ahead in windows of bounded size and decompresses a page only when it is loaded. Used by
 * one thread. Pages may outlive this object, but must be loaded before it is closed.
 */
public final class ChunkPages implements AutoCloseable {
  private static final int HEADER_BYTES = 256;
  private static final int MAX_HEADER_BYTES = 16 << 20;

  private final ChunkRange chunk;
  private final PageIo io;
  private final ReadWindow window;
  private final PageHeader header = new PageHeader();
  private final LevelSplit levels;
  private final PageLoader loader;
  private final PageHeads heads;
  private long position;
  private long valuesSeen;
  private long valuesBefore;
  private PagePlan plan;
  private int pagesSeen;

  /**
   * Whether the number of values read can be checked. It cannot if the column has lists and pages
   * are skipped.
   */
  private boolean rowsAreValues = true;

  private Page dictionary;
  private boolean dictionarySeen;

  /** A data page that was read while looking for the dictionary. */
  private Page ahead;

  /**
   * Prepares to read; reads nothing yet.
   *
   * @param reader the file, stays the caller's
   * @param chunk where the pages are
   * @param io memory, codecs and statistics
   */
  public ChunkPages(ByteRangeReader reader, ChunkRange chunk, PageIo io) {
    this.chunk = chunk;
    this.io = io;
    this.position = chunk.start();
    long end = Math.addExact(chunk.start(), chunk.lengthInBytes());
    if (chunk.start() < 0 || chunk.lengthInBytes() < 0 || end > reader.lengthInBytes()) {
      throw chunk
          .site()
          .corrupt(
              chunk.start(),
              "column chunk of "
                  + chunk.lengthInBytes()
                  + " bytes in a file of "
                  + reader.lengthInBytes());
    }
    this.window =
        new ReadWindow(reader, io.allocator(), position, end, io.windowBytes(), io.statistics());
    this.levels = new LevelSplit(chunk);
    this.loader = new PageLoader(chunk, io, levels);
    this.heads = new PageHeads(chunk, io);
  }

  /** Returns the chunk. */
  public ChunkRange chunk() {
    return chunk;
  }

  /** Skips the pages that a plan does not want. Must be called before the first page is read. */
  public void follow(PagePlan pagePlan) {
    plan = pagePlan;
    rowsAreValues = chunk.maxRepetitionLevel() == 0;
    window.setReadEnd(plan.index().offset(0));
  }

  /**
   * Returns whether pages are read by a plan. Each page then begins with the row that the index
   * states.
   */
  public boolean isPlanned() {
    return plan != null;
  }

  /**
   * Returns the first row of the page that {@link #next} returned last. The chunk must be planned.
   */
  public long firstRow() {
    return plan.index().firstRow(pagesSeen - 1);
  }

  /** Returns the row after the page that {@link #next} returned last. The chunk must be planned. */
  public long endRow() {
    return plan.index().endRow(pagesSeen - 1);
  }

  /** Returns the number of values in the pages before the one that {@link #next} returned last. */
  public long valuesBefore() {
    return valuesBefore;
  }

  /**
   * Returns the next wanted data page, owned by the caller; null at the end.
   *
   * @throws EngineException CORRUPT_DATA when headers make no sense
   */
  public Page next() {
    if (ahead != null) {
      Page page = ahead;
      ahead = null;
      return page;
    }
    while (rowsAreValues ? valuesSeen < chunk.valueCount() : pagesSeen < plan.index().pageCount()) {
      if (plan != null && position >= plan.index().offset(0) && !seek()) {
        return null;
      }
      Page page = nextPage();
      if (page != null) {
        return page;
      }
    }
    return null;
  }

  /**
   * Passes ownership of the dictionary page to the caller, or returns null. Known once {@link
   * #next} has been called.
   */
  public Page takeDictionary() {
    Page page = dictionary;
    dictionary = null;
    return page;
  }

  /**
   * Reads the dictionary page if the chunk begins with one. Must be called before the first {@link
   * #next}.
   */
  public void readDictionary() {
    boolean isPassed = plan != null && position >= plan.index().offset(0);
    if (ahead == null && !isPassed && position == chunk.start() && chunk.valueCount() > 0) {
      ahead = nextPage();
    }
  }

  /**
   * Skips the dictionary page because the caller has the dictionary already. Must be called before
   * the first page of a planned chunk is read.
   */
  public void passDictionary() {
    position = plan.index().offset(0);
    dictionarySeen = true;
  }

  /** Advances to the next wanted page; returns false when there is none. */
  private boolean seek() {
    int page = plan.wanted().nextSetBit(pagesSeen);
    io.statistics().pagesSkipped += (page < 0 ? plan.index().pageCount() : page) - pagesSeen;
    if (page < 0) {
      pagesSeen = plan.index().pageCount();
      return false;
    }
    if (position > plan.index().offset(page)) {
      throw chunk
          .site()
          .corrupt(position, "the offset index has page " + page + " before this byte");
    }
    if (page > pagesSeen) {
      pagesSeen = page;
      valuesSeen = rowsAreValues ? plan.index().firstRow(page) : valuesSeen;
    }
    position = plan.index().offset(page);
    window.setReadEnd(plan.endOfRun(page));
    return true;
  }

  /** Reads the page at the position; returns null unless it is a data page. */
  private Page nextPage() {
    long offset = position;
    int headerBytes = readHeader();
    long body = offset + headerBytes;
    int length = header.compressedSize();
    int plainLength = header.uncompressedSize();
    if (length < 0 || plainLength < 0 || length > window.end() - body) {
      throw chunk
          .site()
          .corrupt(offset, "page of " + length + " bytes, " + plainLength + " decompressed");
    }
    position = body + length;
    return switch (header.type()) {
      case DATA, DATA_V2 -> dataPage(offset, body);
      case DICTIONARY -> {
        dictionaryPage(offset, body);
        yield null;
      }
      default -> null;
    };
  }

  private int readHeader() {
    long rest = window.end() - position;
    long wanted = Math.min(HEADER_BYTES, rest);
    while (true) {
      if (rest == 0) {
        throw chunk
            .site()
            .corrupt(
                position,
                "column chunk ends after " + valuesSeen + " of " + chunk.valueCount() + " values");
      }
      window.require(position, wanted);
      long available = window.available(position);
      long address = window.address(position);
      int length = parse(address, available);
      if (length > 0) {
        return length;
      }
      if (available >= Math.min(rest, MAX_HEADER_BYTES)) {
        throw chunk.site().corrupt(position, "page header is truncated");
      }
      wanted = Math.min(2 * available, rest);
    }
  }

  private int parse(long address, long available) {
    try {
      return Math.toIntExact(header.read(address, address + available));
    } catch (EngineException e) {
      throw chunk.site().corrupt(position, e.getMessage(), e);
    }
  }

  private Page dataPage(long offset, long bodyOffset) {
    int values = header.valueCount();
    if (values < 0 || values > chunk.valueCount() - valuesSeen) {
      throw chunk
          .site()
          .corrupt(
              offset,
              "page of "
                  + values
                  + " values after "
                  + valuesSeen
                  + " of "
                  + chunk.valueCount()
                  + " values");
    }
    checkPlan(offset, values);
    Page page = page(offset, bodyOffset, values, header.encoding());
    valuesBefore = valuesSeen;
    valuesSeen += values;
    pagesSeen++;
    return page;
  }

  /** Rejects pages that contradict the index. */
  private void checkPlan(long offset, int values) {
    if (plan == null) {
      return;
    }
    boolean isKnown = pagesSeen < plan.index().pageCount();
    if (isKnown && !rowsAreValues) {
      return;
    }
    long rows = isKnown ? plan.index().endRow(pagesSeen) - valuesSeen : -1;
    if (!isKnown || plan.index().firstRow(pagesSeen) != valuesSeen || rows != values) {
      throw chunk
          .site()
          .corrupt(offset, "page of " + values + " values, the offset index says " + rows);
    }
  }

  private void dictionaryPage(long offset, long bodyOffset) {
    if (dictionarySeen || valuesSeen > 0) {
      throw chunk.site().corrupt(offset, "a second or late dictionary page");
    }
    if (header.valueCount() < 0) {
      throw chunk.site().corrupt(offset, "dictionary of " + header.valueCount() + " entries");
    }
    dictionarySeen = true;
    dictionary = page(offset, bodyOffset, header.valueCount(), header.encoding());
  }

  private Page page(long offset, long bodyOffset, int values, PageEncoding encoding) {
    int length = header.compressedSize();
    window.require(bodyOffset, length);
    long address = length == 0 ? 0 : window.address(bodyOffset);
    verifyChecksum(offset, address, length);
    boolean isV2 = header.type() == PageType.DATA_V2;
    if (isV2) {
      checkLevelBytes(offset);
    }
    levels.checkEncodings(offset, header);
    PageBody body =
        new PageBody(
            window.buffer().retain(),
            address,
            length,
            header.uncompressedSize(),
            offset,
            header.type() == PageType.DICTIONARY ? 0 : isV2 ? 2 : 1,
            isV2 ? header.repetitionBytes() : 0,
            isV2 ? header.definitionBytes() : 0,
            !isV2 || header.isCompressed());
    return new Page(this, body, values, encoding);
  }

  private void checkLevelBytes(long offset) {
    long repetition = header.repetitionBytes();
    long definition = header.definitionBytes();
    long total = repetition + definition;
    if (repetition < 0
        || definition < 0
        || total > header.compressedSize()
        || total > header.uncompressedSize()) {
      throw chunk
          .site()
          .corrupt(offset, "levels of " + repetition + " and " + definition + " bytes");
    }
  }

  private void verifyChecksum(long offset, long address, int length) {
    if (!io.verifyChecksums() || !header.hasCrc()) {
      return;
    }
    long begin = System.nanoTime();
    CRC32 crc = new CRC32();
    if (length > 0) {
      crc.update(Memory.byteBuffer(address, length));
    }
    io.statistics().decompressNanos += System.nanoTime() - begin;
    if ((int) crc.getValue() != header.crc()) {
      throw chunk.site().corrupt(offset, "wrong checksum");
    }
  }

  /** Returns whether there is a wanted page that {@link #next} has not returned. */
  public boolean hasNext() {
    if (ahead != null) {
      return true;
    }
    return rowsAreValues
        ? valuesSeen < chunk.valueCount()
            && (plan == null || plan.wanted().nextSetBit(pagesSeen) >= 0)
        : plan.wanted().nextSetBit(pagesSeen) >= 0;
  }

  /**
   * Returns whether loading two pages together takes clearly less time than one after the other.
   */
  public boolean isFasterInPairs() {
    return chunk.codec() != CompressionCodec.UNCOMPRESSED
        && io.decompressors().get(chunk.codec()).isFasterInPairs();
  }

  /**
   * Decompresses those pages of this chunk that are not loaded yet. Loading them together takes
   * less time than calling {@link Page#load} for each.
   */
  public void load(List<Page> pages) {
    loader.load(pages);
  }

  boolean loadHead(Page page) {
    return heads.load(page);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(dictionary);
    dictionary = null;
    closer.close(ahead);
    ahead = null;
    closer.close(window);
    closer.rethrow();
  }
}
