package io.ariadne.bridge.imports;

import io.ariadne.columnar.buffer.Memory;
import java.util.Arrays;
import org.apache.spark.sql.execution.vectorized.Dictionary;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;

/**
 * Decodes vectors of dictionary ids. The entries up to the largest id seen are decoded once into a
 * table; then each row is a lookup.
 */
final class NumberDictionary {
  private static final int INITIAL_ENTRIES = 256;

  private final NumberReader reader;
  private final int width;
  private Dictionary current;

  /** Decoded entries; the length is a power of two. */
  private long[] values = new long[INITIAL_ENTRIES];

  private int loaded;

  /**
   * Creates a decoder.
   *
   * @param reader of the column's type
   * @param width bytes per value
   */
  NumberDictionary(NumberReader reader, int width) {
    this.reader = reader;
    this.width = width;
  }

  /**
   * Writes the values of rows, and any entry under nulls.
   *
   * @param source a vector with a dictionary
   * @param start first row
   * @param count number of rows
   * @param target address of the first value
   */
  void decode(WritableColumnVector source, int start, int count, long target) {
    use(VectorFields.dictionary(source));
    if (source instanceof OnHeapColumnVector vector
        && source.getDictionaryIds() instanceof OnHeapColumnVector ids) {
      byte[] nulls = source.hasNull() ? VectorFields.nulls(vector) : null;
      decode(VectorFields.ints(ids), nulls, start, count, target);
    } else {
      decodeRows(source, start, count, target);
    }
  }

  private void decode(int[] ids, byte[] nulls, int start, int count, long target) {
    int largest = lookUp(ids, nulls, start, count, target);
    if (largest >= loaded && (largest > 0 || !allNull(nulls, start, count))) {
      load(largest);
      lookUp(ids, nulls, start, count, target);
    }
  }

  /**
   * Writes the table's content for each row, also for ids that are not in the table yet. The caller
   * must then load more entries and repeat the call.
   *
   * @return the largest id
   */
  private int lookUp(int[] ids, byte[] nulls, int start, int count, long target) {
    // Local variables, because the compiler reloads fields after every store to memory. A mask,
    // because an id beyond the table must not fail.
    long[] table = values;
    int mask = table.length - 1;
    int largest = 0;
    if (nulls == null && width == Long.BYTES) {
      for (int i = 0; i < count; i++) {
        int id = ids[start + i];
        largest = Math.max(largest, id);
        Memory.putLong(target + ((long) i << 3), table[id & mask]);
      }
    } else if (nulls == null && width == Integer.BYTES) {
      for (int i = 0; i < count; i++) {
        int id = ids[start + i];
        largest = Math.max(largest, id);
        Memory.putInt(target + ((long) i << 2), (int) table[id & mask]);
      }
    } else {
      int bytes = width;
      for (int i = 0; i < count; i++) {
        int id = nulls == null ? ids[start + i] : idOrZero(ids, nulls, start + i);
        largest = Math.max(largest, id);
        FixedWidthImport.put(target + (long) i * bytes, table[id & mask], bytes);
      }
    }
    return largest;
  }

  /** Returns whether no row has an id. The dictionary may then be empty. */
  private static boolean allNull(byte[] nulls, int start, int count) {
    for (int i = start; i < start + count; i++) {
      if (nulls == null || nulls[i] == 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns the id of a row, 0 for a null, whose id may come from an earlier batch. */
  private static int idOrZero(int[] ids, byte[] nulls, int row) {
    return ids[row] & (nulls[row] - 1);
  }

  private void decodeRows(WritableColumnVector source, int start, int count, long target) {
    WritableColumnVector ids = source.getDictionaryIds();
    boolean hasNull = source.hasNull();
    for (int i = 0; i < count; i++) {
      long value = 0;
      if (!hasNull || !source.isNullAt(start + i)) {
        int id = ids.getDictId(start + i);
        if (id >= loaded) {
          load(id);
        }
        value = values[id];
      }
      FixedWidthImport.put(target + (long) i * width, value, width);
    }
  }

  private void use(Dictionary dictionary) {
    if (dictionary != current) {
      current = dictionary;
      loaded = 0;
    }
  }

  /** Decodes entries up to an id that occurs. */
  private void load(int id) {
    if (id < loaded) {
      return;
    }
    if (id >= values.length) {
      values = Arrays.copyOf(values, Integer.highestOneBit(id) << 1);
    }
    for (int entry = loaded; entry <= id; entry++) {
      values[entry] = reader.decode(current, entry);
    }
    loaded = id + 1;
  }
}
