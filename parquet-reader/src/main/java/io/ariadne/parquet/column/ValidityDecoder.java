package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.parquet.LevelDecoder;
import io.ariadne.kernel.parquet.PresentCounts;
import java.util.List;

/**
 * Decodes the definition levels of an optional column to validity bits and counts of dense values:
 * the first step of decoding.
 */
final class ValidityDecoder {
  private static final int LEVEL_BITS = 1;

  private static final int LEVEL_RULE = LevelDecoder.limit(1, 1);

  private final DecodeContext context;
  private final FlatColumn column;

  ValidityDecoder(DecodeContext context, FlatColumn column) {
    this.context = context;
    this.column = column;
  }

  /**
   * Decodes the levels of a window and sets the dense counts and places of its parts.
   *
   * @param windows parts of the window
   * @param rowCount rows of the window, including those that are in no part
   * @return bits of the present rows, owned by the caller; null when every row in a part is present
   */
  MemoryBuffer decode(List<PageWindow> windows, int rowCount) {
    MemoryBuffer bits = context.allocateCleared(PhysicalType.BOOL.dataLengthInBytes(rowCount));
    try {
      if (!count(windows, bits)) {
        return bits;
      }
    } catch (RuntimeException | Error e) {
      bits.close();
      throw e;
    }
    bits.close();
    placeByRow(windows);
    return null;
  }

  /** Runs the kernel; returns whether every row is present. */
  private boolean count(List<PageWindow> windows, MemoryBuffer bits) {
    int rows = 0;
    int present = 0;
    for (List<PageWindow> part : PageLaunch.parts(windows)) {
      launch(part, bits);
      for (PageWindow window : part) {
        window.denseStart = present;
        rows += window.rows;
        present += window.denseCount;
      }
    }
    return present == rows;
  }

  /** Runs the kernel over as many windows as it takes; counts their dense values. */
  private void launch(List<PageWindow> windows, MemoryBuffer bits) {
    PageLaunch launch = context.emptyLaunch();
    for (PageWindow window : windows) {
      HybridRunCursor passed = window.cursor.levels;
      int skip = window.skip - passed.values();
      context.statistics().valuesPassed += skip;
      launch.add(
          new PageLaunch.Source(
              window.page(),
              passed.rest(window.page().definitionLevels()),
              skip,
              window.rows,
              LEVEL_BITS,
              LEVEL_RULE),
          bits.address(),
          window.firstRow);
    }
    PresentCounts counts = launch.run(column, context.levels()::validity);
    for (int i = 0; i < windows.size(); i++) {
      PageWindow window = windows.get(i);
      window.denseSkip = window.cursor.levels.present() + counts.skipped(i);
      window.denseCount = counts.counted(i);
      passLevels(window);
    }
  }

  /** Records where the next window of the page begins. */
  private static void passLevels(PageWindow window) {
    if (window.goesOn) {
      window.cursor.levels.advance(
          window.page().definitionLevels(),
          LEVEL_BITS,
          window.skip + window.rows,
          window.denseSkip + window.denseCount,
          1);
    }
  }

  /** Sets the places of parts without nulls, whose dense values lie where their rows do. */
  private static void placeByRow(List<PageWindow> windows) {
    for (PageWindow window : windows) {
      window.denseStart = window.firstRow;
    }
  }

  /** Sets counts and places of the parts of a required column, in which rows are values. */
  static void placeRequired(List<PageWindow> windows) {
    for (PageWindow window : windows) {
      window.denseSkip = window.skip;
      window.denseCount = window.rows;
    }
    placeByRow(windows);
  }
}
