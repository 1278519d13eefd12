package io.ariadne.kernel.sort;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.List;

/**
 * Finds the range between bounds that each row's key is in, in the order of {@link RowSort}. It
 * searches normalised keys; strings that share the prefix of a bound are compared as a whole. Used
 * by one thread at a time.
 */
public final class KeyRanges implements AutoCloseable {
  private static final int PREFIX_BYTES = KeyLayout.PREFIX_WORDS * Long.BYTES;

  private final HostKeys encoding;
  private final KeyLayout layout;
  private final int wordCount;
  private final KeyLayout.Part[] parts;
  private final boolean[] isDescending;
  private final int boundCount;

  /** The words of the first bound, then those of the second and so on. */
  private final long[] boundWords;

  /** The strings of each key by bound; null for a null, and for a key that is not a string. */
  private final byte[][][] boundStrings;

  // the rows of the current call

  private long words;
  private long stride;
  private ColumnReader[] strings;

  /**
   * The keys of rows.
   *
   * @param keys the most significant first, at least one; columns whose values are in kernel memory
   * @param onHost the same columns in host memory
   * @param rowCount rows
   */
  public record Rows(List<SortKey> keys, List<ColumnVector> onHost, int rowCount) {
    /** Copies the lists. */
    public Rows {
      keys = List.copyOf(keys);
      onHost = List.copyOf(onHost);
    }
  }

  /**
   * Encodes the bounds.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier, for scratch
   * @param hostAllocator host memory
   * @param bounds distinct, in ascending order; not read after this call
   */
  public KeyRanges(
      Backend backend, BufferAllocator allocator, BufferAllocator hostAllocator, Rows bounds) {
    List<SortKey> keys = bounds.keys();
    this.layout = new KeyLayout(keys);
    this.wordCount = layout.wordCount();
    this.parts = layout.parts().toArray(KeyLayout.Part[]::new);
    this.boundCount = bounds.rowCount();
    this.boundWords = new long[boundCount * wordCount];
    this.boundStrings = new byte[keys.size()][][];
    this.isDescending = new boolean[keys.size()];
    this.encoding = new HostKeys(backend, allocator, hostAllocator);
    for (int k = 0; k < isDescending.length; k++) {
      isDescending[k] = keys.get(k).direction().isDescending();
      boundStrings[k] = keys.get(k).isString() ? strings(bounds.onHost().get(k)) : null;
    }
    try {
      readBounds(keys);
    } catch (RuntimeException | Error e) {
      encoding.close();
      throw e;
    }
  }

  private static byte[][] strings(ColumnVector column) {
    ColumnReader reader = new ColumnReader(column);
    byte[][] strings = new byte[column.rowCount()][];
    for (int row = 0; row < strings.length; row++) {
      strings[row] = reader.isNull(row) ? null : reader.getBytes(row);
    }
    return strings;
  }

  private void readBounds(List<SortKey> keys) {
    if (boundCount == 0) {
      return;
    }
    try (MemoryBuffer encoded = encoding.encode(keys, layout, boundCount)) {
      for (int bound = 0; bound < boundCount; bound++) {
        for (int w = 0; w < wordCount; w++) {
          long at = ((long) w * boundCount + bound) * Long.BYTES;
          boundWords[bound * wordCount + w] = encoded.getLong(at);
        }
      }
    }
  }

  /**
   * Counts the bounds that come before the key of each row; an equal bound does not come before it.
   *
   * @param rows at least one, with keys of the bounds' types and directions
   * @param ranges receives a 32-bit number per row, in host memory
   */
  public void find(Rows rows, MemoryBuffer ranges) {
    int rowCount = rows.rowCount();
    try (MemoryBuffer encoded = encoding.encode(rows.keys(), layout, rowCount)) {
      words = encoded.address();
      stride = (long) rowCount * Long.BYTES;
      strings = new ColumnReader[boundStrings.length];
      for (int k = 0; k < strings.length; k++) {
        strings[k] = boundStrings[k] == null ? null : new ColumnReader(rows.onHost().get(k));
      }
      for (int row = 0; row < rowCount; row++) {
        Memory.putInt(ranges.address() + (long) row * Integer.BYTES, range(row));
      }
    }
  }

  private int range(int row) {
    int low = 0;
    int high = boundCount;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(middle, row) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Compares a bound with a row: below 0, 0 or above 0. */
  private int compare(int bound, int row) {
    long rowWords = words + (long) row * Long.BYTES;
    for (KeyLayout.Part part : parts) {
      for (int w = part.firstWord(); w < part.endWord(); w++) {
        long word = Memory.getLong(rowWords + w * stride);
        int order = Long.compareUnsigned(boundWords[bound * wordCount + w], word);
        if (order != 0) {
          return order;
        }
      }
      int order = part.key() < 0 ? 0 : compareStrings(part.key(), bound, row);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  /** Compares strings whose prefixes are equal, or nulls. */
  private int compareStrings(int key, int bound, int row) {
    byte[] a = boundStrings[key][bound];
    if (a == null) {
      return 0; // both are null: the words differ between a null and a value
    }
    int length = strings[key].getByteLength(row);
    int common = Math.min(a.length, length);
    int order = Integer.compare(a.length, length);
    if (common > PREFIX_BYTES) {
      int difference = compareBytes(a, strings[key].getBytesAddress(row), common);
      order = difference == 0 ? order : difference;
    }
    return isDescending[key] ? -order : order;
  }

  private static int compareBytes(byte[] a, long b, int length) {
    for (int i = PREFIX_BYTES; i < length; i++) {
      int order = Byte.compareUnsigned(a[i], Memory.getByte(b + i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  @Override
  public void close() {
    encoding.close();
  }
}
