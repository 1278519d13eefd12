package io.ariadne.bridge.imports;

import java.util.Arrays;
import org.apache.spark.sql.execution.vectorized.Dictionary;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;

/** Decodes vectors of dictionary ids; every entry of a dictionary is decoded once. */
final class NumberDictionary {
  private static final int INITIAL_ENTRIES = 256;

  private Dictionary current;
  private long[] values = new long[INITIAL_ENTRIES];
  private boolean[] known = new boolean[INITIAL_ENTRIES];

  /**
   * Writes the values of rows, zeros under nulls.
   *
   * @param source a vector with a dictionary
   * @param reader of the column's type
   * @param target address of the first value
   * @param width bytes per value
   */
  void decode(
      WritableColumnVector source,
      NumberReader reader,
      int start,
      int count,
      long target,
      int width) {
    use(VectorFields.dictionary(source));
    boolean hasNull = source.hasNull();
    WritableColumnVector ids = source.getDictionaryIds();
    int[] array = ids instanceof OnHeapColumnVector vector ? VectorFields.ints(vector) : null;
    for (int i = 0; i < count; i++) {
      int row = start + i;
      long value = 0;
      if (!hasNull || !source.isNullAt(row)) {
        int id = array != null ? array[row] : ids.getDictId(row);
        value = id < known.length && known[id] ? values[id] : load(reader, id);
      }
      FixedWidthImport.put(target + (long) i * width, value, width);
    }
  }

  private void use(Dictionary dictionary) {
    if (dictionary != current) {
      current = dictionary;
      Arrays.fill(known, false);
    }
  }

  private long load(NumberReader reader, int id) {
    long value = reader.decode(current, id);
    if (id >= known.length) {
      int length = Math.max(id + 1, known.length * 2);
      values = Arrays.copyOf(values, length);
      known = Arrays.copyOf(known, length);
    }
    values[id] = value;
    known[id] = true;
    return value;
  }
}
