package io.ariadne.bridge.imports;

import io.ariadne.columnar.buffer.Memory;
import java.util.Arrays;
import org.apache.spark.sql.execution.vectorized.Dictionary;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;

/**
 * Converts vectors of dictionary ids to views. An entry is decoded once per dictionary and batch.
 */
final class ViewDictionary {
  private static final int INITIAL_ENTRIES = 256;

  private final HeapWriter heap;
  private Dictionary current;
  private long[] first = new long[INITIAL_ENTRIES];
  private long[] second = new long[INITIAL_ENTRIES];
  private boolean[] known = new boolean[INITIAL_ENTRIES];

  ViewDictionary(HeapWriter heap) {
    this.heap = heap;
  }

  /** Writes the views of rows, empty ones under nulls. */
  void decode(WritableColumnVector source, int start, int count, long target) {
    Dictionary dictionary = VectorFields.dictionary(source);
    if (dictionary != current) {
      forget();
      current = dictionary;
    }
    boolean hasNull = source.hasNull();
    WritableColumnVector ids = source.getDictionaryIds();
    int[] array = ids instanceof OnHeapColumnVector vector ? VectorFields.ints(vector) : null;
    for (int i = 0; i < count; i++) {
      int row = start + i;
      long view = target + (long) i * HeapWriter.VIEW_BYTES;
      if (hasNull && source.isNullAt(row)) {
        ViewImport.putEmpty(view);
        continue;
      }
      int id = array != null ? array[row] : ids.getDictId(row);
      if (id < known.length && known[id]) {
        Memory.putLong(view, first[id]);
        Memory.putLong(view + Long.BYTES, second[id]);
      } else {
        load(id, view);
      }
    }
  }

  private void load(int id, long view) {
    byte[] value = current.decodeToBinary(id);
    heap.append(view, value, 0, value.length);
    if (id >= known.length) {
      int length = Math.max(id + 1, known.length * 2);
      first = Arrays.copyOf(first, length);
      second = Arrays.copyOf(second, length);
      known = Arrays.copyOf(known, length);
    }
    first[id] = Memory.getLong(view);
    second[id] = Memory.getLong(view + Long.BYTES);
    known[id] = true;
  }

  /** Removes all entries, because their heaps now belong to a column. */
  void forget() {
    current = null;
    Arrays.fill(known, false);
  }
}
