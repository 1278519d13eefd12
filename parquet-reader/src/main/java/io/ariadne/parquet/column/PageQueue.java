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
 * The pages of a flat column that windows of rows still need; windows only move forward. Pages
 * without a wanted row are passed by without being decompressed. Where a codec is faster for two
 * pages together, an odd one is loaded with the one behind the window.
 */
final class PageQueue implements AutoCloseable {
  private final ChunkPages pages;
  private final ReadStatistics figures;
  private final Deque<PageCursor> open = new ArrayDeque<>();
  private long rowsSeen;

  /** Whether each page had a wanted row so far: then the next one will, too. */
  private boolean areAllWanted = true;

  PageQueue(ChunkPages pages, ReadStatistics figures) {
    this.pages = pages;
    this.figures = figures;
  }

  /**
   * Returns the parts of pages that cover a window, loaded, without those that hold no wanted row.
   *
   * @param firstRow first row in the row group, not before that of an earlier call
   * @param rowCount rows
   * @param selection the wanted rows, null for all
   */
  List<PageWindow> advance(long firstRow, int rowCount, RowSelection selection) {
    dropBefore(firstRow);
    long end = firstRow + rowCount;
    while (rowsSeen < end) {
      readPage(firstRow);
    }
    List<PageWindow> windows = new ArrayList<>();
    List<Page> wanted = new ArrayList<>();
    for (PageCursor cursor : open) {
      if (cursor.firstRow() >= end) {
        break;
      }
      PageWindow window = part(cursor, firstRow, end, selection);
      if (window != null) {
        windows.add(window);
        if (!cursor.page().isLoaded()) {
          wanted.add(cursor.page());
        }
      }
    }
    if (wanted.size() % 2 == 1 && isNextWanted(end)) {
      Page next = readPage(firstRow);
      if (next != null) {
        wanted.add(next);
      }
    }
    pages.load(wanted);
    return windows;
  }

  /** Returns whether the page behind a window is best loaded along with an odd one of it. */
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
    areAllWanted &= cursor.page().isLoaded();
    figures.pagesSkipped += cursor.page().isLoaded() ? 0 : 1;
    cursor.close();
  }

  /** Reads a page; returns null when no row of it is at or behind the first. */
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

  /** Returns a page's part of the rows before {@code end}, null when none of it is wanted. */
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
