package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.parquet.page.ChunkPages;
import io.ariadne.parquet.page.Page;
import io.ariadne.parquet.page.Page.ByteRange;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The pages of a nested column's leaf that windows of rows still need. Windows only move forward.
 *
 * <p>A row may continue in the next page, so the end of a window is known only when the next row
 * has begun. This does not apply to pages located by an offset index: each of them begins with a
 * new row. Repetition levels are unpacked once, a bounded number at a time, so that memory does not
 * depend on the counts that a page declares.
 */
final class LeveledPages implements AutoCloseable {
  /** Most levels that are unpacked at a time. */
  static final int MAX_ENTRIES = 1 << 20;

  private final FlatColumn column;
  private final ChunkPages pages;
  private final DecodeContext context;
  private final int maxRepetition;
  private final Deque<LeveledPage> open = new ArrayDeque<>();

  /** The page whose levels are being unpacked, null between pages. */
  private PageCursor unpacked;

  private int entriesUnpacked;
  private HybridRunCursor repetition = new HybridRunCursor();
  private long rowsSeen;
  private boolean hasBegun;
  private boolean ended;

  /**
   * Prepares to read; reads nothing yet.
   *
   * @param column names the place for messages
   * @param pages the chunk's pages, stay the caller's
   * @param context unpacks levels
   */
  LeveledPages(FlatColumn column, ChunkPages pages, DecodeContext context) {
    this.column = column;
    this.pages = pages;
    this.context = context;
    this.maxRepetition = pages.chunk().maxRepetitionLevel();
  }

  /**
   * Reads the entries that a window of rows needs and closes those before it.
   *
   * @param firstRow first row, relative to the row group, not before that of an earlier call
   * @param end end row of the window, exclusive
   * @return the entries that may be in the window, in order; stay this object's, valid until the
   *     next call
   */
  Iterable<LeveledPage> advance(long firstRow, long end) {
    while (!open.isEmpty() && open.peekFirst().endRow() <= firstRow) {
      open.pollFirst().close();
    }
    while (!ended && (rowsSeen < end || (rowsSeen == end && mayGoOn()))) {
      readOn(firstRow);
    }
    if (rowsSeen < end) {
      throw column
          .site()
          .corrupt(pages.chunk().start(), "column chunk has only " + rowsSeen + " rows");
    }
    return open;
  }

  /** Returns whether the next entries may belong to the last row that has begun. */
  private boolean mayGoOn() {
    boolean isAtPageEnd = unpacked == null;
    return maxRepetition > 0 && !(pages.isPlanned() && isAtPageEnd);
  }

  private void readOn(long firstRow) {
    if (unpacked == null && !openPage()) {
      ended = true;
      return;
    }
    LeveledPage next = nextEntries();
    rowsSeen = next.endRow();
    if (next.endRow() <= firstRow) {
      next.close();
    } else {
      open.addLast(next);
    }
  }

  /** Advances to the next page; returns false when there is none. */
  private boolean openPage() {
    Page page = pages.next();
    if (page == null) {
      return false;
    }
    unpacked = new PageCursor(page, 0);
    entriesUnpacked = 0;
    if (pages.isPlanned()) {
      rowsSeen = pages.firstRow();
      hasBegun = false;
    }
    repetition = new HybridRunCursor();
    page.load();
    if (page.valueCount() > MAX_ENTRIES) {
      checkLevels(page, page.repetitionLevels(), maxRepetition);
      checkLevels(page, page.definitionLevels(), pages.chunk().maxDefinitionLevel());
      checkValues(page);
    }
    return true;
  }

  /** Rejects a count of values that the levels do not have, before memory is allocated. */
  private void checkLevels(Page page, ByteRange levels, int maximum) {
    int width = HybridRunCursor.bitsOf(maximum);
    long levelCount = maximum == 0 ? page.valueCount() : new HybridRunCursor().count(levels, width);
    if (levelCount < page.valueCount()) {
      throw column
          .site()
          .corrupt(
              page.offset(),
              "page of " + page.valueCount() + " values, but " + levelCount + " levels");
    }
  }

  /** Rejects more values than the page's bytes hold. */
  private void checkValues(Page page) {
    int maximum = pages.chunk().maxDefinitionLevel();
    int width = HybridRunCursor.bitsOf(maximum);
    long present =
        maximum == 0
            ? page.valueCount()
            : new HybridRunCursor().countOf(page.definitionLevels(), width, maximum);
    long most = EncodedValues.most(page, column);
    if (Math.min(present, page.valueCount()) > most) {
      throw column.site().corrupt(page.offset(), present + " values in a page of at most " + most);
    }
  }

  private LeveledPage nextEntries() {
    PageCursor cursor = unpacked;
    int rest = cursor.page().valueCount() - entriesUnpacked;
    int first = entriesUnpacked;
    int count = maxRepetition == 0 ? rest : Math.min(rest, MAX_ENTRIES);
    LeveledPage.Rows rows =
        maxRepetition == 0 ? new LeveledPage.Rows(count, null, null) : rows(cursor.page(), count);
    entriesUnpacked += count;
    LeveledPage next = new LeveledPage(cursor, first, count, rowsSeen, rows, context);
    if (count == rest) {
      unpacked = null;
      checkEnd(next);
    }
    return next;
  }

  /** Rejects a page whose rows differ from those that the index states, after its last entries. */
  private void checkEnd(LeveledPage last) {
    if (pages.isPlanned() && last.endRow() != pages.endRow()) {
      long rows = last.endRow() - pages.firstRow();
      long stated = pages.endRow() - pages.firstRow();
      try (last) {
        throw column
            .site()
            .corrupt(
                pages.chunk().start(),
                "page of " + rows + " rows, the offset index says " + stated);
      }
    }
  }

  /** Unpacks repetition levels and finds the rows that begin there. */
  private LeveledPage.Rows rows(Page page, int count) {
    MemoryBuffer levels = context.allocator().allocate(count);
    MemoryBuffer starts = null;
    try {
      int skip = entriesUnpacked - repetition.values();
      int width = HybridRunCursor.bitsOf(maxRepetition);
      context.statistics().valuesPassed += skip;
      PageLaunch launch = context.emptyLaunch();
      launch.add(
          new PageLaunch.Source(
              page, repetition.rest(page.repetitionLevels()), skip, count, width, maxRepetition),
          levels.address(),
          0);
      launch.run(column, context.levels()::levels);
      repetition.advance(page.repetitionLevels(), width, entriesUnpacked + count);
      starts = context.allocator().allocate((count + 1L) * Integer.BYTES);
      int rows = context.nested().rows(levels.address(), count, starts);
      checkBeginning(page, count, starts);
      starts = context.shrunk(starts, (rows + 1L) * Integer.BYTES);
      return new LeveledPage.Rows(rows, starts, levels);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(levels);
      closer.close(starts);
      closer.suppressIn(e);
      throw e;
    }
  }

  private void checkBeginning(Page page, int count, MemoryBuffer starts) {
    if (!hasBegun && count > 0 && context.readInt(starts, 0) != 0) {
      throw column.site().corrupt(page.offset(), "the first page begins inside a row");
    }
    hasBegun |= count > 0;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    open.forEach(closer::close);
    open.clear();
    closer.close(unpacked);
    unpacked = null;
    closer.rethrow();
  }
}
