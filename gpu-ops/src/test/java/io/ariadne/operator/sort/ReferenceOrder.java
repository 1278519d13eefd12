package io.ariadne.operator.sort;

import io.ariadne.kernel.sort.SortDirection;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Spark's order of rows, written plainly over rows as tests read them. */
public final class ReferenceOrder implements Comparator<List<Object>> {
  private final List<SortColumn> keys;

  /** Creates the order by these keys, columns of the rows. */
  public ReferenceOrder(List<SortColumn> keys) {
    this.keys = keys;
  }

  @Override
  public int compare(List<Object> a, List<Object> b) {
    for (SortColumn key : keys) {
      int order = compare(key.direction(), a.get(key.column()), b.get(key.column()));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static int compare(SortDirection direction, Object a, Object b) {
    if (a == null && b == null) {
      return 0;
    }
    if (a == null) {
      return direction.areNullsLast() ? 1 : -1;
    }
    if (b == null) {
      return direction.areNullsLast() ? -1 : 1;
    }
    int order = values(a, b);
    return direction.isDescending() ? -order : order;
  }

  @SuppressWarnings("unchecked")
  private static int values(Object a, Object b) {
    if (a instanceof String text) {
      return Integer.signum(Arrays.compareUnsigned(bytes(text), bytes((String) b)));
    }
    if (a instanceof Double || a instanceof Float) {
      return Double.compare(number(a), number(b));
    }
    return Integer.signum(((Comparable<Object>) a).compareTo(b));
  }

  private static double number(Object value) {
    double number = ((Number) value).doubleValue();
    return number == 0 ? 0.0 : number;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
