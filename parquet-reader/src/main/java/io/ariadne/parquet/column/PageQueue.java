package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.parquet.page.ChunkPages;
import io.ariadne.parquet.page.Page;
import io.ariadne.parquet.page.ReadStatistics;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The pages of a flat column that windows of rows still need. Windows only move forward. Pages
 * without a wanted row are skipped without decompression. Where a codec is faster for two pages
 * together, an odd page is loaded with the next page after the window.
 */
final class PageQueue implements AutoCloseable {
  private final ChunkPages pages;
  private final ReadStatistics statistics;
  private final Deque<PageCursor> open = new ArrayDeque<>();
  private long rowsSeen;

  /** Whether each page so far had a wanted row. The next page is then expected to have one, too. */
  private boolean areAllWanted = true;

  PageQueue(ChunkPages pages, ReadStatistics statistics) {
    this.pages = pages;
    this.statistics = statistics;
  }

  /**
   * Returns the loaded parts of pages that cover a window, without parts that contain no wanted
   * row.
   *
   * @param firstRow first row, relative to the row group, not before that of an earlier call
   * @param rowCount number of rows
   * @param selection the wanted rows, null for all
   */
  List<PageWindow> advance(long firstRow, int rowCount, RowSelection selection) {
    List<PageWindow> windows = advanceUnloaded(firstRow, rowCount, selection);
    List<Page> wanted = notLoaded(windows);
    if (wanted.size() % 2 == 1 && isNextWanted(firstRow + rowCount)) {
      Page next = readPage(firstRow);
      if (next != null) {
        wanted.add(next);
      }
    }
    pages.load(wanted);
    return windows;
  }

  /** Returns the parts as {@link #advance} does, of pages that need not be loaded. */
  List<PageWindow> advanceUnloaded(long firstRow, int rowCount, RowSelection selection) {
    dropBefore(firstRow);
    long end = firstRow + rowCount;
    while (rowsSeen < end) {
      readPage(firstRow);
    }
    List<PageWindow> windows = new ArrayList<>();
    for (PageCursor cursor : open) {
      if (cursor.firstRow() >= end) {
        break;
      }
      PageWindow window = part(cursor, firstRow, end, selection);
      if (window != null) {
        windows.add(window);
      }
    }
    return windows;
  }

  /** Loads the pages of windows. */
  void load(List<PageWindow> windows) {
    pages.load(notLoaded(windows));
  }

  private static List<Page> notLoaded(List<PageWindow> windows) {
    List<Page> pages = new ArrayList<>();
    for (PageWindow window : windows) {
      if (!window.page().isLoaded()) {
        pages.add(window.page());
      }
    }
    return pages;
  }

  /**
   * Returns whether the page after a window should be loaded together with an odd page of the
   * window.
   */
  private boolean isNextWanted(long end) {
    return areAllWanted
        && open.peekLast().firstRow() < end
        && pages.hasNext()
        && pages.isFasterInPairs();
  }

  private void dropBefore(long firstRow) {
    while (!open.isEmpty() && open.peekFirst().endRow() <= firstRow) {
      drop(open.pollFirst());
    }
  }

  private void drop(PageCursor cursor) {
    boolean isUsed = cursor.page().isLoaded() || cursor.page().packedValues() != null;
    areAllWanted &= isUsed;
    statistics.pagesSkipped += isUsed ? 0 : 1;
    cursor.close();
  }

  /** Reads a page; returns null when all its rows are before the first row. */
  private Page readPage(long firstRow) {
    Page page = pages.next();
    if (page == null) {
      throw pages
          .chunk()
          .site()
          .corrupt(pages.chunk().start(), "column chunk has only " + rowsSeen + " rows");
    }
    PageCursor cursor = new PageCursor(page, pages.valuesBefore());
    rowsSeen = cursor.endRow();
    if (cursor.endRow() <= firstRow || page.valueCount() == 0) {
      drop(cursor);
      return null;
    }
    open.addLast(cursor);
    return page;
  }

  /** Returns a page's part of the rows before {@code end}, null when it contains no wanted row. */
  private static PageWindow part(
      PageCursor cursor, long firstRow, long end, RowSelection selection) {
    long begin = Math.max(cursor.firstRow(), firstRow);
    int rows = (int) (Math.min(cursor.endRow(), end) - begin);
    int first = (int) (begin - firstRow);
    if (selection != null) {
      if (!selection.hasAny(first, rows)) {
        return null;
      }
      int last = selection.lastBefore(first + rows);
      first = selection.firstOf(first);
      rows = last - first + 1;
    }
    PageWindow window =
        new PageWindow(cursor, (int) (firstRow + first - cursor.firstRow()), rows, first);
    window.goesOn = cursor.endRow() > end;
    return window;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    open.forEach(closer::close);
    open.clear();
    closer.rethrow();
  }
}
