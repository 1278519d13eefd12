package io.ariadne.kernel.parquet;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.ParquetTaskLayout;
import java.util.Objects;

/**
 * The windows that one launch decodes, each a range of values of one page's stream. The kernels
 * read them as an array of {@code parquet_task}.
 *
 * <p>Each kernel documents the meaning of the fields. The list grows, is in host memory and is
 * reused from launch to launch. Used by one thread at a time.
 */
public final class StreamWindows implements AutoCloseable {
  /** How many windows a launch takes at most. */
  public static final int MAX_SIZE = 65_535;

  private static final int INITIAL_CAPACITY = 16;

  private long memory = Memory.allocate((long) INITIAL_CAPACITY * ParquetTaskLayout.SIZE_IN_BYTES);
  private int capacity = INITIAL_CAPACITY;
  private int size;
  private long values;
  private boolean closed;

  /**
   * Adds a window.
   *
   * @param data first byte of the stream, in kernel memory
   * @param dataBytes length of the stream, less than 2^31
   * @param out where the values go; the kernel defines its meaning
   * @param aux the kernel defines its meaning
   * @param skip values to skip, at least 0
   * @param count values to decode after them, at least 0; {@code skip + count} is less than 2^31
   * @param width bits or bytes of a value, as the kernel defines
   * @param limit a bound that the kernel checks
   */
  public void add(
      long data, long dataBytes, long out, long aux, int skip, int count, int width, int limit) {
    checkWindow(dataBytes, skip, count);
    if (size == MAX_SIZE) {
      throw new IllegalStateException("a launch takes at most " + MAX_SIZE + " windows");
    }
    if (size == capacity) {
      grow();
    }
    long at = memory + (long) size * ParquetTaskLayout.SIZE_IN_BYTES;
    Memory.putLong(at + ParquetTaskLayout.DATA_OFFSET, data);
    Memory.putLong(at + ParquetTaskLayout.DATA_BYTES_OFFSET, dataBytes);
    Memory.putLong(at + ParquetTaskLayout.OUT_OFFSET, out);
    Memory.putLong(at + ParquetTaskLayout.AUX_OFFSET, aux);
    Memory.putInt(at + ParquetTaskLayout.SKIP_OFFSET, skip);
    Memory.putInt(at + ParquetTaskLayout.COUNT_OFFSET, count);
    Memory.putInt(at + ParquetTaskLayout.WIDTH_OFFSET, width);
    Memory.putInt(at + ParquetTaskLayout.LIMIT_OFFSET, limit);
    size++;
    values += count;
  }

  private void checkWindow(long dataBytes, int skip, int count) {
    if (closed) {
      throw new IllegalStateException("the window list is closed");
    }
    boolean fits = dataBytes >= 0 && dataBytes <= Integer.MAX_VALUE;
    if (!fits || skip < 0 || count < 0 || (long) skip + count > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "dataBytes=" + dataBytes + " skip=" + skip + " count=" + count);
    }
  }

  private void grow() {
    long larger = Memory.allocate(2L * capacity * ParquetTaskLayout.SIZE_IN_BYTES);
    Memory.copy(memory, larger, (long) size * ParquetTaskLayout.SIZE_IN_BYTES);
    Memory.free(memory);
    memory = larger;
    capacity *= 2;
  }

  /** Changes two fields of an existing window. */
  void set(int window, long aux, int limit) {
    Objects.checkIndex(window, size);
    long at = memory + (long) window * ParquetTaskLayout.SIZE_IN_BYTES;
    Memory.putLong(at + ParquetTaskLayout.AUX_OFFSET, aux);
    Memory.putInt(at + ParquetTaskLayout.LIMIT_OFFSET, limit);
  }

  /** Returns the number of windows. */
  public int size() {
    return size;
  }

  /** Returns how many values all windows decode, without skipped ones. */
  public long valueCount() {
    return values;
  }

  /** Removes all windows. */
  public void clear() {
    size = 0;
    values = 0;
  }

  /**
   * Copies the list to kernel memory.
   *
   * @param backend the back end of the kernels
   * @param allocator memory of the back end's tier
   * @return the array, owned by the caller, which may close it once the launch is queued
   */
  public MemoryBuffer upload(Backend backend, BufferAllocator allocator) {
    long bytes = (long) size * ParquetTaskLayout.SIZE_IN_BYTES;
    MemoryBuffer buffer = allocator.allocate(bytes);
    try {
      if (bytes > 0) {
        backend.write(memory, buffer, 0, bytes);
      }
      return buffer;
    } catch (RuntimeException | Error e) {
      buffer.close();
      throw e;
    }
  }

  @Override
  public void close() {
    if (closed) {
      throw new IllegalStateException("the window list is already closed");
    }
    closed = true;
    Memory.free(memory);
  }
}
