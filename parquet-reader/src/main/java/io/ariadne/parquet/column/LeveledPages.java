package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.parquet.page.ChunkPages;
import io.ariadne.parquet.page.Page;
import io.ariadne.parquet.page.Page.ByteRange;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The pages of a nested column's leaf that windows of rows still need; windows only move forward.
 *
 * <p>A row may go on in the next page, so the end of a window is known only when the row behind it
 * has begun, unless pages are found by an index: each of them then begins with a row. Repetition
 * levels are unpacked once, so many at a time that memory does not depend on what a page says of
 * itself.
 */
final class LeveledPages implements AutoCloseable {
  /** Levels that are unpacked at a time. */
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
   * Prepares to read; nothing is read yet.
   *
   * @param column what messages name
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
   * Reads what a window of rows needs and closes what is before it.
   *
   * @param firstRow first row in the row group, not before that of an earlier call
   * @param end the row behind it
   * @return the entries that may be in it, in order; stay this object's, valid until the next call
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

  /** Returns whether what is read next may belong to the last row that has begun. */
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

  /** Goes to the next page; returns false when there is none. */
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

  /** Refuses a count of values that the levels do not have, before memory is asked for. */
  private void checkLevels(Page page, ByteRange levels, int maximum) {
    int width = HybridRunCursor.bitsOf(maximum);
    long held = maximum == 0 ? page.valueCount() : new HybridRunCursor().count(levels, width);
    if (held < page.valueCount()) {
      throw column
          .site()
          .corrupt(
              page.offset(), "page of " + page.valueCount() + " values, but " + held + " levels");
    }
  }

  /** Refuses more values than the page's bytes hold. */
  private void checkValues(Page page) {
    int maximum = pages.chunk().maxDefinitionLevel();
    int width = HybridRunCursor.bitsOf(maximum);
    long present =
        maximum == 0
            ? page.valueCount()
            : new HybridRunCursor().countOf(page.definitionLevels(), width, maximum);
    long most = EncodedValues.most(page, column);
    if (Math.min(present, page.valueCount()) > most) {
      throw column
          .site()
          .corrupt(page.offset(), present + " values in a page with room for " + most);
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

  /** Refuses a page whose rows are not those that the index says, after its last entries. */
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
      context.figures().valuesPassed += skip;
      PageTasks tasks = context.tasks();
      tasks.add(
          new PageTasks.Source(
              page, repetition.rest(page.repetitionLevels()), skip, count, width, maxRepetition),
          levels.address(),
          0);
      tasks.run(column, context.levels()::levels);
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
      throw column.site().corrupt(page.offset(), "the first row has no beginning");
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
