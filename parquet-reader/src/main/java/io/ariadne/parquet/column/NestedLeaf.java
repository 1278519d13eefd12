package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.parquet.NestedLevels;
import io.ariadne.kernel.parquet.PresentCounts;
import io.ariadne.kernel.parquet.StreamWindows;
import io.ariadne.kernel.parquet.ValueConversion;
import io.ariadne.parquet.page.ChunkPages;
import io.ariadne.parquet.page.Page.ByteRange;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes levels and values of one leaf of a nested column, in windows of rows. Windows only move
 * forward. Used by one thread.
 *
 * <p>{@link LeveledPages} knows where rows begin.
 */
final class NestedLeaf implements AutoCloseable {
  private final FlatColumn column;
  private final ChunkPages pages;
  private final DecodeContext context;
  private final EncodedValues values;
  private final RowValues rowValues;
  private final LeveledPages open;

  /**
   * Prepares to decode; reads nothing yet.
   *
   * @param column properties of the values
   * @param pages the chunk's pages, owned by this object
   * @param context shared by the columns of the row group
   * @param dictionaries shared by the readers of the row group's parts, null when there are none
   */
  NestedLeaf(
      FlatColumn column, ChunkPages pages, DecodeContext context, SharedDictionaries dictionaries) {
    this.column = column;
    this.pages = pages;
    this.context = context;
    this.open = new LeveledPages(column, pages, context);
    this.values = new EncodedValues(column, pages, context, dictionaries);
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

  /** Returns the decoder of the values of a window's parts. */
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
   * @param firstRow first row, relative to the row group, not before that of an earlier call
   * @param rowCount number of rows
   * @return its levels and parts, owned by the caller; the parts' pages stay open until the next
   *     window
   */
  LeafWindow advance(long firstRow, int rowCount) {
    values.begin();
    long end = firstRow + rowCount;
    List<PageWindow> parts = new ArrayList<>();
    List<ByteRange> repetition = new ArrayList<>();
    long entries = 0;
    for (LeveledPage page : open.advance(firstRow, end)) {
      PageWindow part = page.part(firstRow, end, (int) entries);
      if (part != null) {
        entries += part.rows;
        if (page.levels() != null) {
          long levels = page.levels().address() + part.skip - page.firstEntry();
          repetition.add(new ByteRange(levels, part.rows));
        }
        add(parts, part);
      }
      if (entries > Integer.MAX_VALUE - 1) {
        throw column.site().unsupported("more than 2^31 entries in " + rowCount + " rows");
      }
    }
    if (repetition.size() > StreamWindows.MAX_SIZE) {
      throw column.site().unsupported(repetition.size() + " pages for " + rowCount + " rows");
    }
    return levels(parts, repetition, (int) entries);
  }

  /** Adds a part of a page, merged with an earlier part of the same page. */
  private static void add(List<PageWindow> parts, PageWindow part) {
    int last = parts.size() - 1;
    if (last >= 0 && parts.get(last).cursor == part.cursor) {
      PageWindow before = parts.get(last);
      PageWindow joined =
          new PageWindow(part.cursor, before.skip, before.rows + part.rows, before.firstRow);
      joined.goesOn = part.goesOn;
      parts.set(last, joined);
    } else {
      parts.add(part);
    }
  }

  private PageLaunch.Source definition(PageWindow part) {
    HybridRunCursor passed = part.cursor.levels;
    int skip = part.skip - passed.values();
    int maximum = maxDefinitionLevel();
    context.statistics().valuesPassed += skip;
    return new PageLaunch.Source(
        part.page(),
        passed.rest(part.page().definitionLevels()),
        skip,
        part.rows,
        HybridRunCursor.bitsOf(maximum),
        maximum);
  }

  /** Unpacks the levels of a window and locates its values. */
  private LeafWindow levels(List<PageWindow> parts, List<ByteRange> repetitionLevels, int entries) {
    MemoryBuffer repetition = null;
    MemoryBuffer definition = null;
    try {
      if (pages.chunk().maxRepetitionLevel() > 0) {
        repetition = context.allocator().allocate(entries);
        copyRepetition(parts, repetitionLevels, repetition);
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

  private void copyRepetition(List<PageWindow> parts, List<ByteRange> levels, MemoryBuffer target) {
    if (parts.isEmpty()) {
      return;
    }
    PageLaunch launch = context.emptyLaunch();
    long out = target.address();
    for (ByteRange piece : levels) {
      int count = (int) piece.lengthInBytes();
      launch.add(new PageLaunch.Source(parts.get(0).page(), piece, 0, count, 1, 0), out, 0);
      out += count;
    }
    launch.run(column, this::copy);
  }

  private Void copy(StreamWindows streams) {
    context.convert().convert(streams, ValueConversion.COPY_1);
    return null;
  }

  /** Unpacks definition levels, sets the places of the values, and returns their number. */
  private int unpackDefinition(List<PageWindow> parts, MemoryBuffer target) {
    if (parts.isEmpty()) {
      return 0;
    }
    PresentCounts counts = null;
    if (maxDefinitionLevel() > 0) {
      PageLaunch launch = context.emptyLaunch();
      for (PageWindow part : parts) {
        long out = target.address() + part.firstRow;
        launch.add(definition(part), out, 0);
      }
      counts = launch.run(column, context.levels()::levels);
    }
    int values = 0;
    for (int i = 0; i < parts.size(); i++) {
      PageWindow part = parts.get(i);
      part.denseSkip =
          counts == null ? part.skip : part.cursor.levels.present() + counts.skipped(i);
      part.denseCount = counts == null ? part.rows : counts.counted(i);
      part.denseStart = values;
      values += part.denseCount;
      if (counts != null && part.goesOn) {
        passLevels(part);
      }
    }
    return values;
  }

  /** Records where the next window of a page begins. */
  private void passLevels(PageWindow part) {
    int maximum = maxDefinitionLevel();
    part.cursor.levels.advance(
        part.page().definitionLevels(),
        HybridRunCursor.bitsOf(maximum),
        part.skip + part.rows,
        part.denseSkip + part.denseCount,
        maximum);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(open);
    closer.close(values);
    closer.close(pages);
    closer.rethrow();
  }
}
