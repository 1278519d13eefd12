package io.ariadne.kernel.sort;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.kernel.column.HeapTables;
import java.util.List;

/**
 * Computes normalised keys with kernels and copies them to host memory. Used by one thread at a
 * time.
 */
final class HostKeys implements AutoCloseable {
  private final Backend backend;
  private final BufferAllocator allocator;
  private final BufferAllocator hostAllocator;
  private final HeapTables heaps;
  private final SortEncodeKernel encoding;

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier, for scratch
   * @param hostAllocator host memory
   */
  HostKeys(Backend backend, BufferAllocator allocator, BufferAllocator hostAllocator) {
    this.backend = backend;
    this.allocator = allocator;
    this.hostAllocator = hostAllocator;
    this.heaps = new HeapTables(backend, allocator);
    this.encoding = new SortEncodeKernel(backend);
  }

  /**
   * Encodes the keys of rows.
   *
   * @param keys columns whose values kernels see, strings with their heaps anywhere
   * @param layout their layout
   * @param rowCount rows, at least 1
   * @return word after word of all rows, in host memory; owned by the caller
   */
  MemoryBuffer encode(List<SortKey> keys, KeyLayout layout, int rowCount) {
    long bytes = (long) layout.wordCount() * rowCount * Long.BYTES;
    MemoryBuffer words = allocator.allocate(bytes);
    try {
      encode(keys, layout, words, rowCount);
      return backend.tier() == MemoryTier.HOST ? words : toHost(words, bytes);
    } catch (RuntimeException | Error e) {
      if (!words.isClosed()) {
        words.close();
      }
      throw e;
    }
  }

  private void encode(List<SortKey> keys, KeyLayout layout, MemoryBuffer words, int rowCount) {
    long[] tables = new long[keys.size()];
    try {
      for (int k = 0; k < tables.length; k++) {
        tables[k] = keys.get(k).isString() ? heaps.addressOf(keys.get(k).column()) : 0;
      }
      for (KeyField field : layout.fields()) {
        encoding.encode(field, keys.get(field.key()), tables[field.key()], words, rowCount);
      }
    } finally {
      heaps.release();
    }
  }

  private MemoryBuffer toHost(MemoryBuffer words, long bytes) {
    try (words) {
      MemoryBuffer copy = hostAllocator.allocate(bytes);
      try {
        backend.read(words, 0, copy.address(), bytes);
        return copy;
      } catch (RuntimeException | Error e) {
        copy.close();
        throw e;
      }
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(heaps);
    closer.close(encoding);
    closer.rethrow();
  }
}
