package io.ariadne.kernel.parquet;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.ParquetConvertBinaryArgsLayout;

/**
 * Converts decimals stored as BYTE_ARRAY: string views of big-endian two's complement numbers.
 *
 * <p>Window: {@code data} = views, aligned, 16 bytes per value, as another decoder made them;
 * {@code out} = unscaled integers; {@code width}, {@code aux} and {@code limit} are not used.
 * Errors, at the view: LENGTH for an empty string; CONVERSION for more than 32 bytes, or for a
 * number that takes more than 128 bits where the result has 128, or more than an exact result has.
 * Used by one thread at a time.
 */
public final class BinaryDecimalDecoder implements AutoCloseable {
  private static final int MAX_SCALE = 38;

  private final StreamWindowKernel kernel;

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier
   */
  public BinaryDecimalDecoder(Backend backend, BufferAllocator allocator) {
    this.kernel =
        new StreamWindowKernel(
            backend,
            allocator,
            "parquet_convert_binary",
            new StreamWindowKernel.Fields(
                ParquetConvertBinaryArgsLayout.STATUS_OFFSET,
                ParquetConvertBinaryArgsLayout.TASKS_OFFSET,
                ParquetConvertBinaryArgsLayout.TASK_COUNT_OFFSET));
  }

  /**
   * Converts and waits for the results.
   *
   * @param windows the windows
   * @param heaps addresses of the views' heaps, 8 bytes each; null when no view has one
   * @param conversion one of BIG_ENDIAN_TO_DECIMAL32, 64 and 128
   * @param scale zero digits to append to decimals, 0 to 38
   * @param isExact whether numbers that do not fit 32 or 64 bits are errors instead of being
   *     truncated
   * @throws ParquetPageException when a value is wrong
   */
  public void decode(
      StreamWindows windows,
      MemoryBuffer heaps,
      ValueConversion conversion,
      int scale,
      boolean isExact) {
    if (scale < 0 || scale > MAX_SCALE) {
      throw new IllegalArgumentException("scale=" + scale);
    }
    var arguments = kernel.arguments();
    arguments.putLong(
        ParquetConvertBinaryArgsLayout.HEAPS_OFFSET, heaps == null ? 0 : heaps.address());
    arguments.putInt(ParquetConvertBinaryArgsLayout.CONVERSION_OFFSET, conversion.code());
    arguments.putInt(ParquetConvertBinaryArgsLayout.SCALE_OFFSET, scale);
    arguments.putInt(ParquetConvertBinaryArgsLayout.IS_EXACT_OFFSET, isExact ? 1 : 0);
    kernel.runValues(windows);
  }

  @Override
  public void close() {
    kernel.close();
  }
}
