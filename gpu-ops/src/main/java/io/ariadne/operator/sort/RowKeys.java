package io.ariadne.operator.sort;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.sort.SortDirection;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Reads and compares the sort keys of single rows as Java objects, for the few rows that bound
 * splits of runs or ranges of an exchange. The order is that of {@link
 * io.ariadne.kernel.sort.RowSort}. A view: valid while the batch is open.
 */
public final class RowKeys {
  private final List<ColumnReader> readers = new ArrayList<>();
  private final List<SortColumn> columns;

  /** Which keys are integers of at most 64 bits. */
  private final BitSet isIntegral = new BitSet();

  /** Reads keys of a batch in host memory, which stays the caller's. */
  RowKeys(RecordBatch batch, SortSpec spec) {
    this(batch, spec.columns());
  }

  /**
   * Reads keys of a batch.
   *
   * @param batch in host memory, stays the caller's
   * @param columns the keys, the most significant first, of sortable types
   */
  public RowKeys(RecordBatch batch, List<SortColumn> columns) {
    this.columns = columns;
    for (SortColumn column : columns) {
      ColumnReader reader = new ColumnReader(batch.column(column.column()));
      isIntegral.set(readers.size(), isIntegral(reader.valueLayout()));
      readers.add(reader);
    }
  }

  private static boolean isIntegral(PhysicalType layout) {
    return switch (layout) {
      case I8, I16, I32, I64 -> true;
      default -> false;
    };
  }

  /** Returns the key of a row: a Long, Double, BigInteger, byte[] or null per column. */
  public Object[] at(int row) {
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

  /** Returns whether the key of a row is before another. */
  boolean isBefore(int row, Object[] key) {
    return compare(row, key) < 0;
  }

  /** Returns the first row of a sorted range whose key is at or behind another. */
  int lowerBound(int first, int end, Object[] key) {
    return bound(first, end, key, 0);
  }

  /** Returns the first row of a sorted range whose key is behind another. */
  int upperBound(int first, int end, Object[] key) {
    return bound(first, end, key, 1);
  }

  private int bound(int first, int end, Object[] key, int least) {
    int low = first;
    int high = end;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(middle, key) < least) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Compares a row with a key, column by column up to the first difference. */
  private int compare(int row, Object[] key) {
    int order = 0;
    for (int i = 0; order == 0 && i < key.length; i++) {
      SortDirection direction = columns.get(i).direction();
      ColumnReader reader = readers.get(i);
      order =
          key[i] instanceof Long number && isIntegral.get(i) && !reader.isNull(row)
              ? compareIntegers(direction, reader.getIntegral(row), number)
              : compare(direction, value(reader, row), key[i]);
    }
    return order;
  }

  /** Compares without making objects. */
  private static int compareIntegers(SortDirection direction, long a, long b) {
    return direction.isDescending() ? Long.compare(b, a) : Long.compare(a, b);
  }

  /** Compares two keys as {@link #at} returns them: below 0, 0 or above 0. */
  public static int compare(List<SortColumn> columns, Object[] a, Object[] b) {
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

  /** Decimals of one column may have different layouts in different batches. */
  private static BigInteger unscaled(Object value) {
    return value instanceof BigInteger wide ? wide : BigInteger.valueOf((Long) value);
  }
}
