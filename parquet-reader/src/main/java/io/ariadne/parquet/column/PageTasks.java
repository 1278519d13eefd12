package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.kernel.parquet.ParquetPageException;
import io.ariadne.kernel.parquet.ParquetTasks;
import io.ariadne.parquet.page.Page;
import io.ariadne.parquet.page.Page.ByteRange;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The tasks of one launch and the pages they come from, so that errors of kernels become errors
 * that name the file. Reused from launch to launch by one thread.
 */
final class PageTasks implements AutoCloseable {
  private final ParquetTasks tasks = new ParquetTasks();
  private final List<Page> pages = new ArrayList<>();

  /** Removes all tasks. */
  void clear() {
    tasks.clear();
    pages.clear();
  }

  /** Returns the number of tasks. */
  int size() {
    return tasks.size();
  }

  /**
   * A window of a stream.
   *
   * @param page the page it comes from
   * @param stream the encoded bytes
   * @param skip values before the window
   * @param count values in the window
   * @param width meaning given by the kernel
   * @param limit meaning given by the kernel
   */
  record Source(Page page, ByteRange stream, int skip, int count, int width, int limit) {}

  /**
   * Adds a task.
   *
   * @param source what to decode
   * @param out where the values go
   * @param aux meaning given by the kernel
   */
  void add(Source source, long out, long aux) {
    tasks.add(
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
   * Runs a kernel over the tasks, of which there are some.
   *
   * @param column what the pages are of
   * @param launch runs the kernel and waits for it
   * @return what it returns
   * @throws EngineException CORRUPT_DATA when a page cannot be decoded
   */
  <T> T run(FlatColumn column, Function<ParquetTasks, T> launch) {
    try {
      return launch.apply(tasks);
    } catch (ParquetPageException e) {
      throw column
          .site()
          .corrupt(
              pages.get(e.task()).offset(),
              e.getMessage() + " of decompressed " + column.kind() + " values",
              e);
    }
  }

  /** Returns the address of a value in a buffer of values of a width. */
  static long place(MemoryBuffer target, int value, int widthInBytes) {
    return target.address() + (long) value * widthInBytes;
  }

  @Override
  public void close() {
    tasks.close();
  }
}
