package io.ariadne.operator.sort;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.kernel.sort.SortDirection;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The keys of single rows of a sorted batch as objects: for the few rows at which runs are divided.
 * Ordered as {@link io.ariadne.kernel.sort.RowSort} orders them. A view: valid while the batch is.
 */
final class RowKeys {
  private final List<ColumnReader> readers = new ArrayList<>();
  private final List<SortColumn> columns;

  /** Reads keys of a batch in host memory, which stays the caller's. */
  RowKeys(RecordBatch batch, SortSpec spec) {
    this.columns = spec.columns();
    for (SortColumn column : columns) {
      readers.add(new ColumnReader(batch.column(column.column())));
    }
  }

  /** Returns the key of a row: a Long, Double, BigInteger, byte[] or null per column. */
  Object[] at(int row) {
    Object[] key = new Object[readers.size()];
    for (int i = 0; i < key.length; i++) {
      key[i] = value(readers.get(i), row);
    }
    return key;
  }

  private static Object value(ColumnReader reader, int row) {
    if (reader.isNull(row)) {
      return null;
    }
    return switch (reader.valueLayout()) {
      case BOOL -> reader.getBoolean(row) ? 1L : 0L;
      case I128 -> reader.getUnscaled(row);
      case F32 -> normalized(reader.getFloat(row));
      case F64 -> normalized(reader.getDouble(row));
      case VIEW16 -> reader.getBytes(row);
      default -> reader.getIntegral(row);
    };
  }

  private static Double normalized(double value) {
    return value == 0 ? 0.0 : value;
  }

  /** Returns the first row, of a range in order, whose key is not before another. */
  int lowerBound(int first, int end, Object[] key) {
    return bound(first, end, key, 0);
  }

  /** Returns the first row, of a range in order, whose key is behind another. */
  int upperBound(int first, int end, Object[] key) {
    return bound(first, end, key, 1);
  }

  private int bound(int first, int end, Object[] key, int least) {
    int low = first;
    int high = end;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(columns, at(middle), key) < least) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Compares two keys: below 0, 0 or above 0. */
  static int compare(List<SortColumn> columns, Object[] a, Object[] b) {
    for (int i = 0; i < a.length; i++) {
      int order = compare(columns.get(i).direction(), a[i], b[i]);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static int compare(SortDirection direction, Object a, Object b) {
    if (a == null || b == null) {
      int nullOrder = direction.areNullsLast() ? 1 : -1;
      return a == b ? 0 : a == null ? nullOrder : -nullOrder;
    }
    int order = compareValues(a, b);
    return direction.isDescending() ? -order : order;
  }

  private static int compareValues(Object a, Object b) {
    if (a instanceof byte[] bytes) {
      return Integer.signum(Arrays.compareUnsigned(bytes, (byte[]) b));
    }
    if (a instanceof Double number) {
      return number.compareTo((Double) b);
    }
    if (a instanceof Long first && b instanceof Long second) {
      return Long.compare(first, second);
    }
    return unscaled(a).compareTo(unscaled(b));
  }

  /** Decimals of one column may be laid out differently from batch to batch. */
  private static BigInteger unscaled(Object value) {
    return value instanceof BigInteger wide ? wide : BigInteger.valueOf((Long) value);
  }
}
