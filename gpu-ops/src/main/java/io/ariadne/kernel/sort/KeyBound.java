package io.ariadne.kernel.sort;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.List;

/**
 * Finds the rows whose first key does not come after a bound. Other rows cannot be among the first
 * rows of an order. Used by one thread at a time.
 */
public final class KeyBound implements AutoCloseable {
  private final HostKeys encoding;
  private long[] bound;

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier, for scratch
   * @param hostAllocator host memory
   */
  public KeyBound(Backend backend, BufferAllocator allocator, BufferAllocator hostAllocator) {
    this.encoding = new HostKeys(backend, allocator, hostAllocator);
  }

  /** Returns whether there is a bound; before {@link #set} every row is within. */
  public boolean isSet() {
    return bound != null;
  }

  /**
   * Sets the bound to the value of a row.
   *
   * @param key column and direction as for {@link RowSort#sort}, the same direction in all calls
   * @param row the row
   */
  public void set(SortKey key, int row) {
    int rowCount = key.column().rowCount();
    try (MemoryBuffer words = words(key, rowCount)) {
      bound = new long[new KeyLayout(List.of(key)).wordCount()];
      for (int w = 0; w < bound.length; w++) {
        bound[w] = words.getLong(((long) w * rowCount + row) * Long.BYTES);
      }
    }
  }

  /**
   * Finds the rows that do not come after the bound by this key alone. Of a string only the first
   * bytes are compared.
   *
   * @param key as for {@link #set}
   * @param rowNumbers receives 32-bit row numbers, in host memory; large enough for all rows
   * @return how many rows
   */
  public int select(SortKey key, MemoryBuffer rowNumbers) {
    int rowCount = key.column().rowCount();
    try (MemoryBuffer words = words(key, rowCount)) {
      long address = words.address();
      long numbers = rowNumbers.address();
      int count = 0;
      for (int row = 0; row < rowCount; row++) {
        Memory.putInt(numbers + (long) count * Integer.BYTES, row);
        count += isWithin(address + (long) row * Long.BYTES, rowCount) ? 1 : 0;
      }
      return count;
    }
  }

  private boolean isWithin(long word, int rowCount) {
    for (int w = 0; w < bound.length; w++) {
      int order =
          Long.compareUnsigned(Memory.getLong(word + (long) w * rowCount * Long.BYTES), bound[w]);
      if (order != 0) {
        return order < 0;
      }
    }
    return true;
  }

  /** Returns the normalised key of all rows, in host memory, owned by the caller. */
  private MemoryBuffer words(SortKey key, int rowCount) {
    List<SortKey> keys = List.of(key);
    return encoding.encode(keys, new KeyLayout(keys), rowCount);
  }

  @Override
  public void close() {
    encoding.close();
  }
}
