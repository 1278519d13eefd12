package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.kernel.parquet.ParquetPageException;
import io.ariadne.kernel.parquet.StreamWindows;
import io.ariadne.parquet.page.Page;
import io.ariadne.parquet.page.Page.ByteRange;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The items of one launch and the pages they come from, so that errors of kernels become errors
 * that name the file. Reused from launch to launch by one thread.
 */
final class PageLaunch implements AutoCloseable {
  private final StreamWindows streams = new StreamWindows();
  private final List<Page> pages = new ArrayList<>();

  /** Divides windows into parts that one launch takes. */
  static List<List<PageWindow>> parts(List<PageWindow> windows) {
    List<List<PageWindow>> parts = new ArrayList<>();
    for (int from = 0; from < windows.size(); from += StreamWindows.MAX_SIZE) {
      int to = Math.min(windows.size(), from + StreamWindows.MAX_SIZE);
      parts.add(windows.subList(from, to));
    }
    return parts;
  }

  /** Removes all items. */
  void clear() {
    streams.clear();
    pages.clear();
  }

  /** Returns the number of items. */
  int size() {
    return streams.size();
  }

  /**
   * A window of a stream.
   *
   * @param page page that contains the stream
   * @param stream the encoded bytes
   * @param skip values before the window
   * @param count values in the window
   * @param width its meaning depends on the kernel
   * @param limit its meaning depends on the kernel
   */
  record Source(Page page, ByteRange stream, int skip, int count, int width, int limit) {}

  /**
   * Adds an item.
   *
   * @param source what to decode
   * @param out where the values go
   * @param aux its meaning depends on the kernel
   */
  void add(Source source, long out, long aux) {
    streams.add(
        source.stream().address(),
        source.stream().lengthInBytes(),
        out,
        aux,
        source.skip(),
        source.count(),
        source.width(),
        source.limit());
    pages.add(source.page());
  }

  /**
   * Runs a kernel over the items, of which there is at least one.
   *
   * @param column column that the pages belong to
   * @param launch runs the kernel and waits for it
   * @return the result of {@code launch}
   * @throws EngineException CORRUPT_DATA when a page cannot be decoded
   */
  <T> T run(FlatColumn column, Function<StreamWindows, T> launch) {
    try {
      return launch.apply(streams);
    } catch (ParquetPageException e) {
      throw corrupt(column, pages, e);
    }
  }

  /** Returns the error of a page that cannot be decoded. */
  static EngineException corrupt(FlatColumn column, List<Page> pages, ParquetPageException e) {
    return column
        .site()
        .corrupt(
            pages.get(e.window()).offset(),
            e.getMessage() + " of decompressed " + column.kind() + " values",
            e);
  }

  /** Returns the address of a value in a buffer of values of a width. */
  static long addressOf(MemoryBuffer target, int value, int widthInBytes) {
    return target.address() + (long) value * widthInBytes;
  }

  @Override
  public void close() {
    streams.close();
  }
}
