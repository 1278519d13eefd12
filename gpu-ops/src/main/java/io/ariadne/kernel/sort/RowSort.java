package io.ariadne.kernel.sort;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.TiesLimit;
import io.ariadne.kernel.column.HeapTables;
import java.util.List;

/**
 * Sorts rows by several keys: stably, nulls first or last, values as Spark orders them (NaN is the
 * largest, -0.0 equals 0.0, strings by unsigned bytes). Used by one thread at a time.
 *
 * <p>Keys are normalised to words. Bits that all rows share are left out, and a radix sort sorts
 * row numbers by the remaining bits. A string is sorted by a prefix; rows that share it are
 * compared.
 */
public final class RowSort implements AutoCloseable {
  /** The most keys that are strings. */
  public static final int MAX_STRING_KEYS = TiesLimit.TIES_MAX_ITEMS - 1;

  private final BufferAllocator allocator;
  private final HeapTables heaps;
  private final SortEncodeKernel encoding;
  private final SortPackKernel packing;
  private final SortOrderKernel ordering;
  private final SortTiesKernel ties;

  /**
   * Prepares launches.
   *
   * @param backend where the kernels run
   * @param allocator memory of the back end's tier, for scratch and results
   */
  public RowSort(Backend backend, BufferAllocator allocator) {
    this.allocator = allocator;
    this.heaps = new HeapTables(backend, allocator);
    this.encoding = new SortEncodeKernel(backend);
    this.packing = new SortPackKernel(backend, allocator);
    this.ordering = new SortOrderKernel(backend, allocator);
    this.ties = new SortTiesKernel(backend, allocator);
  }

  /**
   * Sorts rows.
   *
   * @param keys the most significant first, at least one, at most {@link #MAX_STRING_KEYS} of them
   *     strings; columns of the same length whose values kernels see, strings with their heaps
   *     anywhere
   * @param rowCount rows, at least 1
   * @return 32-bit row numbers in order, in kernel memory, owned by the caller
   */
  public MemoryBuffer sort(List<SortKey> keys, int rowCount) {
    KeyLayout layout = new KeyLayout(keys);
    long[] tables = new long[keys.size()];
    try (MemoryBuffer words =
        allocator.allocate((long) layout.wordCount() * rowCount * Long.BYTES)) {
      for (int k = 0; k < tables.length; k++) {
        tables[k] = keys.get(k).isString() ? heaps.addressOf(keys.get(k).column()) : 0;
      }
      encode(keys, layout, tables, words, rowCount);
      return sort(keys, layout, tables, words, rowCount);
    } finally {
      heaps.release();
    }
  }

  private void encode(
      List<SortKey> keys, KeyLayout layout, long[] tables, MemoryBuffer words, int rowCount) {
    for (KeyField field : layout.fields()) {
      encoding.encode(field, keys.get(field.key()), tables[field.key()], words, rowCount);
    }
  }

  private MemoryBuffer sort(
      List<SortKey> keys, KeyLayout layout, long[] tables, MemoryBuffer words, int rowCount) {
    PackedBits bits = new PackedBits(packing.varying(words, layout.radixWords(), rowCount), layout);
    long packedBytes = (long) bits.words().size() * rowCount * Long.BYTES;
    MemoryBuffer rowNumbers = allocator.allocate((long) rowCount * Integer.BYTES);
    try (MemoryBuffer packed = allocator.allocate(packedBytes)) {
      for (int w = 0; w < bits.words().size(); w++) {
        packing.pack(words, rowCount, bits.words().get(w), packed, (long) w * rowCount * 8);
      }
      ordering.sort(packed, bits.words(), rowCount, rowNumbers);
      if (!bits.isComplete() || layout.radixWords() < layout.wordCount() || hasString(keys)) {
        List<KeyLayout.Part> parts = layout.parts();
        for (int i = 0; i < parts.size(); i++) {
          int key = parts.get(i).key();
          ties.putPart(i, parts.get(i), key < 0 ? null : keys.get(key), key < 0 ? 0 : tables[key]);
        }
        ties.sort(parts.size(), words, packed, bits.words().size(), rowCount, rowNumbers);
      }
      return rowNumbers;
    } catch (RuntimeException | Error e) {
      rowNumbers.close();
      throw e;
    }
  }

  private static boolean hasString(List<SortKey> keys) {
    return keys.stream().anyMatch(SortKey::isString);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(heaps);
    closer.close(encoding);
    closer.close(packing);
    closer.close(ordering);
    closer.close(ties);
    closer.rethrow();
  }
}
