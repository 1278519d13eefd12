package io.ariadne.it.fuzz;

import java.util.ArrayList;
import java.util.List;

/**
 * What a FROM clause has.
 *
 * @param node of {@link Part#SOURCE}
 * @param columns what may be read of it, qualified
 * @param aliases of tables and subqueries in it
 * @param order columns that tell all its rows apart that differ; null when they cannot be sorted
 * @param rowCount about how many rows it has at most
 */
record Relation(
    SqlNode node, List<Column> columns, List<String> aliases, List<String> order, long rowCount) {
  Relation {
    columns = List.copyOf(columns);
    aliases = List.copyOf(aliases);
    order = order == null ? null : List.copyOf(order);
  }

  static List<String> joined(List<String> left, List<String> right) {
    if (left == null || right == null) {
      return null;
    }
    List<String> both = new ArrayList<>(left);
    both.addAll(right);
    return both;
  }

  /**
   * Returns an order by which only equal rows are equal: zeros of both signs differ as text.
   *
   * @return null when there is a column without an order
   */
  static List<String> orderOf(List<Column> columns) {
    List<String> order = new ArrayList<>();
    for (Column column : columns) {
      if (!column.kind().isOrdered()) {
        return null;
      }
      order.add(
          column.kind().isFloating() ? "CAST(" + column.name() + " AS string)" : column.name());
    }
    return order;
  }
}
