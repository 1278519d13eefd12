package io.ariadne.kernel.parquet;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.ParquetTaskLayout;
import java.util.Objects;

/**
 * A growing list of tasks, each a window of one page's stream: the {@code parquet_task} structs of
 * one launch.
 *
 * <p>Each kernel documents the meaning of the fields. The list is in host memory and is reused from
 * launch to launch. Used by one thread at a time.
 */
public final class ParquetTasks implements AutoCloseable {
  /** The most tasks of a launch. */
  public static final int MAX_TASKS = 65_535;

  private static final int INITIAL_TASKS = 16;

  private long memory = Memory.allocate((long) INITIAL_TASKS * ParquetTaskLayout.SIZE_IN_BYTES);
  private int capacity = INITIAL_TASKS;
  private int size;
  private long values;
  private boolean closed;

  /**
   * Adds a task.
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
    if (size == MAX_TASKS) {
      throw new IllegalStateException("a launch takes at most " + MAX_TASKS + " tasks");
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
      throw new IllegalStateException("the task list is closed");
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

  /** Changes two fields of an existing task. */
  void set(int task, long aux, int limit) {
    Objects.checkIndex(task, size);
    long at = memory + (long) task * ParquetTaskLayout.SIZE_IN_BYTES;
    Memory.putLong(at + ParquetTaskLayout.AUX_OFFSET, aux);
    Memory.putInt(at + ParquetTaskLayout.LIMIT_OFFSET, limit);
  }

  /** Returns the number of tasks. */
  public int size() {
    return size;
  }

  /** Returns how many values all tasks decode, without skipped ones. */
  public long valueCount() {
    return values;
  }

  /** Removes all tasks. */
  public void clear() {
    size = 0;
    values = 0;
  }

  /**
   * Copies the list to kernel memory.
   *
   * @param backend the back end of the kernels
   * @param allocator memory of the back end's tier
   * @return the array, owned by the caller, who may close it once the launch is queued
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
      throw new IllegalStateException("the task list is already closed");
    }
    closed = true;
    Memory.free(memory);
  }
}
