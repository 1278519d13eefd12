package io.ariadne.kernel.parquet;

import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.ParquetConvertArgsLayout;

/**
 * Converts stored fixed-width values: of PLAIN pages, of dictionary pages, and dense values of
 * other decoders.
 *
 * <p>Window: {@code data} = values of {@code width} bytes each, any alignment; {@code out} =
 * results, aligned to their size; {@code aux} and {@code limit} are not used. Errors: WIDTH;
 * TRUNCATED (its position is the end of the last complete value); CONVERSION and REBASE (their
 * position is the first value of the window that cannot be converted or must not be rebased). Used
 * by one thread at a time.
 */
public final class ParquetConvertKernel implements AutoCloseable {
  private static final int MAX_SCALE = 38;

  private final Backend backend;
  private final BufferAllocator allocator;
  private final StreamWindowKernel kernel;
  private CalendarRebase rebase = CalendarRebase.NONE;
  private MemoryBuffer table;

  /**
   * Finds the kernel.
   *
   * @param backend where it runs
   * @param allocator memory of the back end's tier
   */
  public ParquetConvertKernel(Backend backend, BufferAllocator allocator) {
    this.backend = backend;
    this.allocator = allocator;
    this.kernel =
        new StreamWindowKernel(
            backend,
            allocator,
            "parquet_convert",
            new StreamWindowKernel.Fields(
                ParquetConvertArgsLayout.STATUS_OFFSET,
                ParquetConvertArgsLayout.TASKS_OFFSET,
                ParquetConvertArgsLayout.TASK_COUNT_OFFSET));
  }

  /**
   * Converts without scaling or rebasing.
   *
   * @param windows the windows
   * @param conversion the conversion
   * @throws ParquetPageException when a window is wrong
   */
  public void convert(StreamWindows windows, ValueConversion conversion) {
    convert(windows, conversion, 0, false, CalendarRebase.NONE);
  }

  /**
   * Converts and waits for the results.
   *
   * @param windows the windows
   * @param conversion the conversion
   * @param scale zero digits to append to decimals, 0 to 38; ignored by other conversions
   * @param isExact whether decimals that do not fit 32 or 64 bits are refused (CONVERSION) rather
   *     than cut off, as they are by Spark; ignored by other conversions
   * @param calendar the treatment of old dates; ignored by conversions that are not rebased
   * @throws ParquetPageException when a window is wrong
   */
  public void convert(
      StreamWindows windows,
      ValueConversion conversion,
      int scale,
      boolean isExact,
      CalendarRebase calendar) {
    fill(conversion, scale, isExact, calendar);
    kernel.runValues(windows);
  }

  /**
   * Queues a conversion; {@link DenseDecoder#await} on the status block raises its errors.
   * Otherwise as {@link #convert(StreamWindows, ValueConversion, int, boolean, CalendarRebase)}.
   */
  public void queue(
      StreamWindows windows,
      ValueConversion conversion,
      int scale,
      boolean isExact,
      CalendarRebase calendar,
      KernelStatus status) {
    fill(conversion, scale, isExact, calendar);
    kernel.launch(windows, status, LaunchShape.ofRows(windows.valueCount()));
  }

  private void fill(
      ValueConversion conversion, int scale, boolean isExact, CalendarRebase calendar) {
    if (scale < 0 || scale > MAX_SCALE) {
      throw new IllegalArgumentException("scale=" + scale);
    }
    setRebase(calendar);
    var arguments = kernel.arguments();
    arguments.putInt(ParquetConvertArgsLayout.CONVERSION_OFFSET, conversion.code());
    arguments.putInt(ParquetConvertArgsLayout.SCALE_OFFSET, scale);
    arguments.putInt(ParquetConvertArgsLayout.IS_EXACT_OFFSET, isExact ? 1 : 0);
  }

  private void setRebase(CalendarRebase calendar) {
    if (calendar == rebase) {
      return;
    }
    MemoryBuffer newTable = calendar.switchCount() == 0 ? null : upload(calendar.table());
    if (table != null) {
      table.close();
    }
    table = newTable;
    rebase = calendar;
    var arguments = kernel.arguments();
    long address = table == null ? 0 : table.address();
    long tableBytes = (long) calendar.switchCount() * Long.BYTES;
    arguments.putLong(ParquetConvertArgsLayout.SWITCHES_OFFSET, address);
    arguments.putLong(ParquetConvertArgsLayout.DIFFERENCES_OFFSET, address + tableBytes);
    arguments.putInt(ParquetConvertArgsLayout.SWITCH_COUNT_OFFSET, calendar.switchCount());
    arguments.putLong(ParquetConvertArgsLayout.FIRST_MODERN_OFFSET, calendar.firstModern());
    arguments.putInt(ParquetConvertArgsLayout.REBASE_OFFSET, calendar.mode());
  }

  private MemoryBuffer upload(long[] words) {
    long bytes = (long) words.length * Long.BYTES;
    long host = Memory.allocate(bytes);
    MemoryBuffer buffer = null;
    try {
      for (int i = 0; i < words.length; i++) {
        Memory.putLong(host + (long) i * Long.BYTES, words[i]);
      }
      buffer = allocator.allocate(bytes);
      backend.write(host, buffer, 0, bytes);
      return buffer;
    } catch (RuntimeException | Error e) {
      if (buffer != null) {
        buffer.close();
      }
      throw e;
    } finally {
      Memory.free(host);
    }
  }

  @Override
  public void close() {
    if (table != null) {
      table.close();
    }
    kernel.close();
  }
}
