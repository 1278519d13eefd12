package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.parquet.NestedLevels;
import io.ariadne.kernel.parquet.ParquetTasks;
import io.ariadne.kernel.parquet.PresentCounts;
import io.ariadne.parquet.page.ChunkPages;
import io.ariadne.parquet.page.Page;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The chunk of one leaf of a nested column: its levels and values, window of rows by window of
 * rows, forwards. Used by one thread.
 *
 * <p>A row may go on in the next page, so a window is known only when the row behind it has begun.
 */
final class NestedLeaf implements AutoCloseable {
  private final FlatColumn column;
  private final ChunkPages pages;
  private final DecodeContext context;
  private final EncodedValues values;
  private final RowValues rowValues;
  private final Deque<LeveledPage> open = new ArrayDeque<>();
  private long rowsSeen;
  private boolean ended;

  /**
   * Prepares to decode; nothing is read yet.
   *
   * @param column what the values are
   * @param pages the chunk's pages, owned by this
   * @param context what the columns of the row group share
   */
  NestedLeaf(FlatColumn column, ChunkPages pages, DecodeContext context) {
    this.column = column;
    this.pages = pages;
    this.context = context;
    this.values = new EncodedValues(column, pages, context);
    this.rowValues = new RowValues(column, context, values);
    int highest = Math.max(pages.chunk().maxRepetitionLevel(), pages.chunk().maxDefinitionLevel());
    if (highest >= NestedLevels.MAX_LEVEL) {
      throw column.site().unsupported(highest + " levels of nesting");
    }
  }

  /** Returns the maximum definition level. */
  int maxDefinitionLevel() {
    return pages.chunk().maxDefinitionLevel();
  }

  /** Returns what decodes the values of a window's parts. */
  RowValues rowValues() {
    return rowValues;
  }

  /** Returns an error about the chunk; its cause may be null. */
  RuntimeException corrupt(String problem, Throwable cause) {
    return column.site().corrupt(pages.chunk().start(), problem, cause);
  }

  /**
   * Reads the levels of a window.
   *
   * @param firstRow first row in the row group, not before that of an earlier call
   * @param rowCount rows
   * @return its levels and parts, owned by the caller; the parts' pages stay open until the next
   *     window
   */
  LeafWindow advance(long firstRow, int rowCount) {
    long end = firstRow + rowCount;
    while (!open.isEmpty() && open.peekFirst().endRow() <= firstRow) {
      open.pollFirst().close();
    }
    long known = pages.chunk().maxRepetitionLevel() == 0 ? end : end + 1;
    while (rowsSeen < known && !ended) {
      readPage(firstRow);
    }
    if (rowsSeen < end) {
      throw corrupt("column chunk has only " + rowsSeen + " rows", null);
    }
    List<PageWindow> parts = new ArrayList<>();
    long entries = 0;
    for (LeveledPage page : open) {
      PageWindow part = page.part(firstRow, end, (int) entries);
      if (part != null) {
        parts.add(part);
        entries += part.rows;
      }
      if (entries > Integer.MAX_VALUE - 1) {
        throw column.site().unsupported("more than 2^31 entries in " + rowCount + " rows");
      }
    }
    if (parts.size() > ParquetTasks.MAX_TASKS) {
      throw column.site().unsupported(parts.size() + " pages for " + rowCount + " rows");
    }
    return levels(parts, (int) entries);
  }

  private void readPage(long firstRow) {
    Page page = pages.next();
    if (page == null) {
      ended = true;
      return;
    }
    LeveledPage leveled = null;
    try {
      page.load();
      leveled = leveled(page);
    } finally {
      if (leveled == null) {
        page.close();
      }
    }
    rowsSeen = leveled.endRow();
    if (leveled.endRow() <= firstRow) {
      leveled.close();
    } else {
      open.addLast(leveled);
    }
  }

  private LeveledPage leveled(Page page) {
    int entries = page.valueCount();
    int maxLevel = pages.chunk().maxRepetitionLevel();
    if (maxLevel == 0) {
      return new LeveledPage(page, rowsSeen, entries, null, context);
    }
    MemoryBuffer starts = context.allocator().allocate((entries + 1L) * Integer.BYTES);
    try (MemoryBuffer levels = context.allocator().allocate(entries)) {
      PageTasks tasks = context.tasks();
      tasks.add(repetition(page, 0, entries), levels.address(), 0);
      tasks.run(column, context.levels()::levels);
      int rows = context.nested().rows(levels.address(), entries, starts);
      if (rowsSeen == 0 && entries > 0 && context.readInt(starts, 0) != 0) {
        throw column.site().corrupt(page.offset(), "the first row has no beginning");
      }
      return new LeveledPage(page, rowsSeen, rows, starts, context);
    } catch (RuntimeException | Error e) {
      starts.close();
      throw e;
    }
  }

  private PageTasks.Source repetition(Page page, int skip, int count) {
    int maximum = pages.chunk().maxRepetitionLevel();
    return new PageTasks.Source(
        page, page.repetitionLevels(), skip, count, bitsOf(maximum), maximum);
  }

  private PageTasks.Source definition(Page page, int skip, int count) {
    int maximum = pages.chunk().maxDefinitionLevel();
    return new PageTasks.Source(
        page, page.definitionLevels(), skip, count, bitsOf(maximum), maximum);
  }

  private static int bitsOf(int level) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(level);
  }

  /** Unpacks the levels of a window and places its values. */
  private LeafWindow levels(List<PageWindow> parts, int entries) {
    MemoryBuffer repetition = null;
    MemoryBuffer definition = null;
    try {
      if (pages.chunk().maxRepetitionLevel() > 0) {
        repetition = context.allocator().allocate(entries);
        unpackRepetition(parts, repetition);
      }
      definition = context.allocateCleared(entries);
      int values = unpackDefinition(parts, definition);
      parts.removeIf(part -> part.denseCount == 0);
      return new LeafWindow(entries, repetition, definition, parts, values);
    } catch (RuntimeException | Error e) {
      NestedParts.closeAfter(e, repetition, definition, List.of());
      throw e;
    }
  }

  private void unpackRepetition(List<PageWindow> parts, MemoryBuffer target) {
    if (parts.isEmpty()) {
      return;
    }
    PageTasks tasks = context.tasks();
    for (PageWindow part : parts) {
      long out = target.address() + part.firstRow;
      tasks.add(repetition(part.page(), part.skip, part.rows), out, 0);
    }
    tasks.run(column, context.levels()::levels);
  }

  /** Unpacks definition levels; returns the number of values, whose places it sets. */
  private int unpackDefinition(List<PageWindow> parts, MemoryBuffer target) {
    if (parts.isEmpty()) {
      return 0;
    }
    PresentCounts counts = null;
    if (maxDefinitionLevel() > 0) {
      PageTasks tasks = context.tasks();
      for (PageWindow part : parts) {
        long out = target.address() + part.firstRow;
        tasks.add(definition(part.page(), part.skip, part.rows), out, 0);
      }
      counts = tasks.run(column, context.levels()::levels);
    }
    int values = 0;
    for (int i = 0; i < parts.size(); i++) {
      PageWindow part = parts.get(i);
      part.denseSkip = counts == null ? part.skip : counts.skipped(i);
      part.denseCount = counts == null ? part.rows : counts.counted(i);
      part.denseStart = values;
      values += part.denseCount;
    }
    return values;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    open.forEach(closer::close);
    open.clear();
    closer.close(values);
    closer.close(pages);
    closer.rethrow();
  }
}
