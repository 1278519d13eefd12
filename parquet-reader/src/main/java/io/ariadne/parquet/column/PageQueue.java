package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.parquet.page.ChunkPages;
import io.ariadne.parquet.page.Page;
import io.ariadne.parquet.page.ReadFigures;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The pages of a flat column that windows of rows still need; windows only move forward. Pages
 * without a wanted row are passed by without being decompressed.
 */
final class PageQueue implements AutoCloseable {
  private final ChunkPages pages;
  private final ReadFigures figures;
  private final Deque<PageCursor> open = new ArrayDeque<>();
  private long rowsSeen;

  PageQueue(ChunkPages pages, ReadFigures figures) {
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
        wanted.add(cursor.page());
      }
    }
    pages.load(wanted);
    return windows;
  }

  private void dropBefore(long firstRow) {
    while (!open.isEmpty() && open.peekFirst().endRow() <= firstRow) {
      drop(open.pollFirst());
    }
  }

  private void drop(PageCursor cursor) {
    figures.pagesSkipped += cursor.page().isLoaded() ? 0 : 1;
    cursor.close();
  }

  private void readPage(long firstRow) {
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
    } else {
      open.addLast(cursor);
    }
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
