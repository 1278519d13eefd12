package io.ariadne.parquet.column;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.parquet.page.ChunkPages;
import java.util.List;

/**
 * Decodes one chunk of a flat column in windows of rows. Windows only move forward.
 *
 * <p>A window whose pages are all dictionary ids stays dictionary-encoded when the dictionary is
 * small compared to the window. Strings become views into the memory of their pages. Used by one
 * thread.
 */
public final class FlatColumnDecoder implements ColumnDecoder {
  private final boolean isOptional;
  private final ChunkPages pages;
  private final PageQueue queue;
  private final ValidityDecoder validities;
  private final EncodedValues values;
  private final RowValues rows;
  private final DeviceChunk device; // null on the host

  /**
   * Prepares to decode; reads nothing yet.
   *
   * @param column properties of the column, which is not nested, so that rows are values
   * @param pages the chunk's pages, owned by the decoder
   * @param context shared by the columns of the row group, stays the caller's
   */
  public FlatColumnDecoder(FlatColumn column, ChunkPages pages, DecodeContext context) {
    this(column, pages, context, null, null);
  }

  /**
   * Prepares to decode a part of a chunk.
   *
   * @param column properties of the column
   * @param pages the pages of the part, owned by the decoder; planned
   * @param context shared by the columns of the row group, stays the caller's
   * @param dictionaries shared by the readers of the row group's parts, null when there are none
   * @param device decodes windows that suit it, stays the caller's, who {@linkplain
   *     DeviceColumns#check checks} it before a column is used; null to decode all on the host
   */
  public FlatColumnDecoder(
      FlatColumn column,
      ChunkPages pages,
      DecodeContext context,
      SharedDictionaries dictionaries,
      DeviceColumns device) {
    this.isOptional = pages.chunk().maxDefinitionLevel() > 0;
    this.pages = pages;
    this.queue = new PageQueue(pages, context.statistics());
    this.validities = new ValidityDecoder(context, column);
    this.values = new EncodedValues(column, pages, context, dictionaries);
    this.rows = new RowValues(column, context, values);
    this.device =
        device == null ? null : new DeviceChunk(column, values, device, context.statistics());
  }

  /**
   * Returns the dictionary before the first window is decoded. The decoder does not read it again.
   *
   * @return stays the decoder's; null when the chunk does not begin with a dictionary, or the
   *     dictionary is empty or has an entry that cannot be converted
   */
  public Dictionary dictionary() {
    values.begin();
    pages.readDictionary();
    return values.wholeDictionary();
  }

  @Override
  public ColumnVector decode(long firstRow, int rowCount, RowSelection selection) {
    values.begin();
    boolean isForDevice = device != null && device.suits(rowCount);
    List<PageWindow> windows =
        isForDevice
            ? queue.advanceUnloaded(firstRow, rowCount, selection)
            : queue.advance(firstRow, rowCount, selection);
    if (isForDevice) {
      queue.load(windows.stream().filter(window -> !device.takesPacked(window)).toList());
    }
    MemoryBuffer validity = null;
    try {
      if (isOptional) {
        validity = validities.decode(windows, rowCount);
      } else {
        ValidityDecoder.placeRequired(windows);
      }
      windows.removeIf(window -> window.denseCount == 0);
      return isForDevice
          ? onDevice(windows, rowCount, validity)
          : onHost(windows, rowCount, validity);
    } catch (RuntimeException | Error e) {
      if (validity != null && !validity.isClosed()) {
        validity.close();
      }
      throw e;
    }
  }

  /** Decodes on the device if it takes the window; takes ownership of the bits. */
  private ColumnVector onDevice(List<PageWindow> windows, int rowCount, MemoryBuffer validity) {
    ColumnVector decoded = device.decode(windows, rowCount, validity);
    if (decoded == null) {
      queue.load(windows);
      return onHost(windows, rowCount, validity);
    }
    if (validity != null) {
      validity.close();
    }
    return decoded;
  }

  private ColumnVector onHost(List<PageWindow> windows, int rowCount, MemoryBuffer validity) {
    return values.areIds(windows, rowCount)
        ? rows.coded(windows, rowCount, validity)
        : rows.plain(windows, rowCount, validity);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(device);
    closer.close(queue);
    closer.close(values);
    closer.close(pages);
    closer.rethrow();
  }
}
