package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.parquet.column.DeviceColumns.Part;
import io.ariadne.parquet.page.PackedValues;
import io.ariadne.parquet.page.Page;
import io.ariadne.parquet.page.Page.ByteRange;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The pages of windows that a device decompresses: the launches are queued when this is created.
 * Closing frees the device's memory in the order of queued work. Used by one thread.
 */
final class UnpackedPages implements AutoCloseable {
  private static final long ALIGNMENT = 16;

  private final Map<Page, Long> addresses = new IdentityHashMap<>();
  private final MemoryBuffer memory; // null when no page is compressed
  private long lengthInBytes;

  /**
   * Queues the decompression.
   *
   * @param column that the pages belong to
   * @param device launches
   * @param windows parts of pages
   */
  UnpackedPages(FlatColumn column, DeviceColumns device, List<PageWindow> windows) {
    List<PageWindow> packed =
        windows.stream().filter(window -> window.page().packedValues() != null).toList();
    long end = 0;
    for (PageWindow window : packed) {
      addresses.put(window.page(), end);
      int length = window.page().packedValues().plainLength();
      lengthInBytes += length;
      end += (length + ALIGNMENT - 1) & -ALIGNMENT;
    }
    memory = packed.isEmpty() ? null : device.allocate(end);
    try {
      addresses.replaceAll((page, offset) -> memory.address() + offset);
      for (List<PageWindow> some : PageLaunch.parts(packed)) {
        device.decompress(column, some.stream().map(this::block).toList());
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private Part block(PageWindow window) {
    PackedValues values = window.page().packedValues();
    ByteRange block = new ByteRange(values.address(), values.lengthInBytes());
    PageLaunch.Source source =
        new PageLaunch.Source(window.page(), block, 0, values.plainLength(), 0, 0);
    return new Part(source, false, addresses.get(window.page()));
  }

  /** Returns how many bytes all pages have after decompression. */
  long lengthInBytes() {
    return lengthInBytes;
  }

  /** Returns the encoded values of a page: on the device if it decompresses the page. */
  ByteRange valuesOf(PageWindow window) {
    PackedValues values = window.page().packedValues();
    return values == null
        ? window.page().values()
        : new ByteRange(addresses.get(window.page()) + values.valuesAt(), values.valueBytes());
  }

  @Override
  public void close() {
    if (memory != null) {
      memory.close();
    }
  }
}
