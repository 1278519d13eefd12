package io.ariadne.parquet.column;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.parquet.page.ChunkPages;
import java.util.List;

/**
 * Decodes one chunk of a flat column, window of rows by window of rows, forwards.
 *
 * <p>A window whose pages are all dictionary ids stays dictionary coded when the dictionary is
 * small against the window; strings become views into the memory of their pages. Used by one
 * thread.
 */
public final class FlatColumnDecoder implements ColumnDecoder {
  private final FlatColumn column;
  private final boolean isOptional;
  private final DecodeContext context;
  private final ChunkPages pages;
  private final PageQueue queue;
  private final ValidityDecoder validities;
  private final EncodedValues values;

  /**
   * Prepares to decode; nothing is read yet.
   *
   * @param column what the values are; not nested, so that rows are values
   * @param pages the chunk's pages, owned by the decoder
   * @param context what the columns of the row group share, stays the caller's
   */
  public FlatColumnDecoder(FlatColumn column, ChunkPages pages, DecodeContext context) {
    this.column = column;
    this.isOptional = pages.chunk().maxDefinitionLevel() > 0;
    this.context = context;
    this.pages = pages;
    this.queue = new PageQueue(pages, context.figures());
    this.validities = new ValidityDecoder(context, column);
    this.values = new EncodedValues(column, pages, context);
  }

  @Override
  public ColumnVector decode(long firstRow, int rowCount, RowSelection selection) {
    List<PageWindow> windows = queue.advance(firstRow, rowCount, selection);
    MemoryBuffer validity = null;
    try {
      if (isOptional) {
        validity = validities.decode(windows, rowCount);
      } else {
        ValidityDecoder.placeRequired(windows);
      }
      windows.removeIf(window -> window.denseCount == 0);
      return values.areIds(windows, rowCount)
          ? coded(windows, rowCount, validity)
          : plain(windows, rowCount, validity);
    } catch (RuntimeException | Error e) {
      if (validity != null && !validity.isClosed()) {
        validity.close();
      }
      throw e;
    }
  }

  private ColumnVector coded(List<PageWindow> windows, int rowCount, MemoryBuffer validity) {
    MemoryBuffer ids =
        byRow(
            windows,
            rowCount,
            PhysicalType.I32,
            validity,
            target -> values.dictionary().decodeIds(windows, target, 0));
    return ColumnVector.ofDictionary(
        values.dictionary().dictionary().retain(),
        rowCount,
        ids,
        validity,
        ColumnVector.UNKNOWN_NULL_COUNT);
  }

  private ColumnVector plain(List<PageWindow> windows, int rowCount, MemoryBuffer validity) {
    try (BatchHeaps heaps = new BatchHeaps()) {
      MemoryBuffer data =
          byRow(
              windows,
              rowCount,
              column.layout(),
              validity,
              target -> values.decode(windows, target, heaps));
      List<SharedBuffer> held = heaps.take();
      return new ColumnVector(
          column.type(),
          column.layout(),
          rowCount,
          data,
          validity,
          ColumnVector.UNKNOWN_NULL_COUNT,
          held,
          List.of());
    }
  }

  /** Decodes dense values to their places. */
  private interface DenseStep {
    void decode(MemoryBuffer target);
  }

  /** Decodes dense values and spreads them over the rows; they are the rows without nulls. */
  private MemoryBuffer byRow(
      List<PageWindow> windows,
      int rowCount,
      PhysicalType layout,
      MemoryBuffer validity,
      DenseStep step) {
    if (validity == null) {
      return decoded(layout, rowCount, step);
    }
    int denseCount = windows.stream().mapToInt(window -> window.denseCount).sum();
    try (MemoryBuffer dense = decoded(layout, denseCount, step)) {
      MemoryBuffer rows = context.allocator().allocate(layout.dataLengthInBytes(rowCount));
      try {
        context.spread().spread(dense, denseCount, layout.widthInBytes(), validity, rows, rowCount);
        return rows;
      } catch (RuntimeException | Error e) {
        rows.close();
        throw e;
      }
    }
  }

  private MemoryBuffer decoded(PhysicalType layout, int count, DenseStep step) {
    long bytes = layout.dataLengthInBytes(count);
    MemoryBuffer target =
        layout == PhysicalType.BOOL
            ? context.allocateCleared(bytes)
            : context.allocator().allocate(bytes);
    try {
      step.decode(target);
      return target;
    } catch (RuntimeException | Error e) {
      target.close();
      throw e;
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(queue);
    closer.close(values);
    closer.close(pages);
    closer.rethrow();
  }
}
