package io.ariadne.parquet.column;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.kernel.column.GatherKernel.Target;
import io.ariadne.parquet.column.DeviceColumns.Part;
import io.ariadne.parquet.metadata.PageEncoding;
import io.ariadne.parquet.page.PackedValues;
import io.ariadne.parquet.page.Page.ByteRange;
import io.ariadne.parquet.page.ReadStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Decodes windows of one chunk of a flat column on a device, where kernels suit them: dictionary
 * ids, and fixed-width values in PLAIN pages or as ids. Used by one thread.
 */
final class DeviceChunk implements AutoCloseable {
  private final FlatColumn column;
  private final EncodedValues values;
  private final DeviceColumns device;
  private final ReadStatistics statistics;

  /** The dictionary's entries on the device; null until ids are looked up. */
  private ColumnVector entries;

  /**
   * Prepares to decode.
   *
   * @param values the chunk's dictionary
   * @param device launches, stays the caller's
   * @param statistics counts decompressed bytes
   */
  DeviceChunk(
      FlatColumn column, EncodedValues values, DeviceColumns device, ReadStatistics statistics) {
    this.column = column;
    this.values = values;
    this.device = device;
    this.statistics = statistics;
  }

  /** Returns whether the device may decode windows of so many rows. */
  boolean suits(int rowCount) {
    return device.suits(rowCount);
  }

  /**
   * Returns whether the device decompresses the page of a window, of which the host then has the
   * levels. The host decompresses a page that continues in the next window: it finds where that
   * begins.
   */
  boolean takesPacked(PageWindow window) {
    return !window.goesOn && suits(window) && window.page().loadHead();
  }

  /**
   * Decodes a window. The column is right once {@link DeviceColumns#check} has returned.
   *
   * @param windows parts of pages, each with at least one dense value; loaded, or as {@link
   *     #takesPacked} has left them
   * @param rowCount number of rows
   * @param validity which rows have a value, in host memory, null for all; stays the caller's
   * @return owned by the caller; null when the host has to decode the window, because kernels do
   *     not suit it or the device lacks memory
   */
  ColumnVector decode(List<PageWindow> windows, int rowCount, MemoryBuffer validity) {
    if (windows.isEmpty()) {
      return null;
    }
    boolean areIds = values.areIds(windows, rowCount);
    if (!areIds && (column.conversion() == null || !windows.stream().allMatch(this::suits))) {
      return null;
    }
    ThreadRecord thread = ThreadRecord.current();
    boolean before = thread.mayWait(false); // for memory: the host can decode instead
    MemoryBuffer bits = null;
    try (UnpackedPages pages = new UnpackedPages(column, device, windows)) {
      statistics.bytesDecompressed += pages.lengthInBytes();
      bits = validity == null ? null : device.copy(validity);
      return areIds ? ids(windows, pages, rowCount, bits) : plain(windows, pages, rowCount, bits);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(bits);
      closer.suppressIn(e);
      if (e instanceof EngineException engine && engine.code() == ErrorCode.OUT_OF_MEMORY) {
        return null;
      }
      throw e;
    } finally {
      thread.mayWait(before);
    }
  }

  /** Returns whether kernels decode the values of a page, or its ids. */
  private boolean suits(PageWindow window) {
    boolean isFixedWidth = column.conversion() != null;
    PageEncoding encoding = window.page().encoding();
    return encoding.isDictionary()
        ? (isFixedWidth || column.keepsDictionary()) && values.wholeDictionary() != null
        : isFixedWidth && encoding == PageEncoding.PLAIN;
  }

  private ColumnVector ids(
      List<PageWindow> windows, UnpackedPages pages, int rowCount, MemoryBuffer validity) {
    MemoryBuffer ids =
        byRow(
            windows,
            rowCount,
            PhysicalType.I32,
            validity,
            target -> decodeIds(windows, pages, target, 0));
    values.dictionary().passIds(windows);
    Dictionary dictionary = values.dictionary().dictionary().retain();
    return ColumnVector.ofDictionary(
        dictionary, rowCount, ids, validity, ColumnVector.UNKNOWN_NULL_COUNT);
  }

  private ColumnVector plain(
      List<PageWindow> windows, UnpackedPages pages, int rowCount, MemoryBuffer validity) {
    MemoryBuffer data =
        byRow(
            windows,
            rowCount,
            column.layout(),
            validity,
            target -> runs(windows).forEach(run -> decode(run, pages, target)));
    for (PageWindow window : windows) {
      if (window.page().encoding().isDictionary()) {
        values.dictionary().passIds(List.of(window));
      }
    }
    return new ColumnVector(
        column.type(),
        column.layout(),
        rowCount,
        data,
        validity,
        ColumnVector.UNKNOWN_NULL_COUNT,
        List.of(),
        List.of());
  }

  /** Decodes dense values, and spreads them over the rows if there are nulls. */
  private MemoryBuffer byRow(
      List<PageWindow> windows,
      int rowCount,
      PhysicalType layout,
      MemoryBuffer validity,
      Consumer<MemoryBuffer> step) {
    if (validity == null) {
      return filled(layout.dataLengthInBytes(rowCount), step);
    }
    int count = windows.stream().mapToInt(window -> window.denseCount).sum();
    try (MemoryBuffer dense = filled(layout.dataLengthInBytes(count), step)) {
      return filled(
          layout.dataLengthInBytes(rowCount),
          rows ->
              device.spread(column, dense, count, layout.widthInBytes(), validity, rows, rowCount));
    }
  }

  private MemoryBuffer filled(long lengthInBytes, Consumer<MemoryBuffer> filling) {
    MemoryBuffer buffer = device.allocate(lengthInBytes);
    try {
      filling.accept(buffer);
      return buffer;
    } catch (RuntimeException | Error e) {
      buffer.close();
      throw e;
    }
  }

  /**
   * Divides windows into runs whose pages are all ids, or all not, whose dense values follow each
   * other, and which one launch takes.
   */
  private static List<List<PageWindow>> runs(List<PageWindow> windows) {
    List<List<PageWindow>> runs = new ArrayList<>();
    PageWindow last = null;
    for (PageWindow window : windows) {
      boolean continues =
          last != null
              && last.page().encoding().isDictionary() == window.page().encoding().isDictionary()
              && last.denseStart + last.denseCount == window.denseStart;
      if (!continues) {
        runs.add(new ArrayList<>());
      }
      runs.get(runs.size() - 1).add(window);
      last = window;
    }
    return runs;
  }

  private void decode(List<PageWindow> run, UnpackedPages pages, MemoryBuffer target) {
    if (!run.get(0).page().encoding().isDictionary()) {
      convert(run, pages, target);
      return;
    }
    int first = run.get(0).denseStart;
    int count = run.stream().mapToInt(window -> window.denseCount).sum();
    try (MemoryBuffer ids = device.allocate((long) count * Integer.BYTES)) {
      decodeIds(run, pages, ids, -first);
      long offset = (long) first * column.layout().widthInBytes();
      device.gather().queue(entries(), ids, 0, count, new Target(target, offset, null));
    }
  }

  private ColumnVector entries() {
    if (entries == null) {
      entries = device.copy(values.dictionary().dictionary().entries());
    }
    return entries;
  }

  private void decodeIds(
      List<PageWindow> windows, UnpackedPages pages, MemoryBuffer target, int offset) {
    // A launch that finds damage leaves ids out; what is queued behind it reads them.
    device.clear(target);
    for (List<PageWindow> some : PageLaunch.parts(windows)) {
      List<Part> parts = new ArrayList<>();
      for (PageWindow window : some) {
        PackedValues packed = window.page().packedValues();
        PageLaunch.Source ids =
            packed == null
                ? values.dictionary().idsOf(window)
                : values.dictionary().idsOf(window, pages.valuesOf(window), packed.firstByte());
        long out = PageLaunch.addressOf(target, window.denseStart + offset, Integer.BYTES);
        parts.add(new Part(ids, packed != null, out));
      }
      device.decodeIds(column, parts);
    }
  }

  private void convert(List<PageWindow> windows, UnpackedPages pages, MemoryBuffer target) {
    for (List<PageWindow> some : PageLaunch.parts(windows)) {
      List<Part> parts = new ArrayList<>();
      for (PageWindow window : some) {
        boolean isPacked = window.page().packedValues() != null;
        int width = column.layout().widthInBytes();
        long out = PageLaunch.addressOf(target, window.denseStart, width);
        parts.add(new Part(stored(window, pages.valuesOf(window)), isPacked, out));
      }
      device.convert(column, parts);
    }
  }

  /** Returns the stored values of a window, without those of the page before and after it. */
  private PageLaunch.Source stored(PageWindow window, ByteRange all) {
    long before = Math.min((long) window.denseSkip * column.widthInBytes(), all.lengthInBytes());
    long wanted = (long) window.denseCount * column.widthInBytes();
    ByteRange stream =
        new ByteRange(all.address() + before, Math.min(wanted, all.lengthInBytes() - before));
    return new PageLaunch.Source(
        window.page(), stream, 0, window.denseCount, column.widthInBytes(), 0);
  }

  @Override
  public void close() {
    if (entries != null) {
      entries.close();
      entries = null;
    }
  }
}
