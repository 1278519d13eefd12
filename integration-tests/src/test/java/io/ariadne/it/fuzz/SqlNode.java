package io.ariadne.it.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A piece of SQL as a tree: what the generators make, and what the shrinker makes smaller.
 *
 * @param part what the piece is
 * @param kind of an expression's value; null for other parts
 * @param text with <code>{}</code> in the place of each child; of a list what stands between them;
 *     without children it is SQL as it is
 * @param children pieces of the piece
 */
record SqlNode(Part part, Kind kind, String text, List<SqlNode> children) {
  private static final String PLACE = "{}";

  SqlNode {
    children = List.copyOf(children);
  }

  static SqlNode text(String sql) {
    return new SqlNode(Part.TEXT, null, sql, List.of());
  }

  static SqlNode of(Part part, String text, SqlNode... children) {
    return new SqlNode(part, null, text, List.of(children));
  }

  static SqlNode list(String separator, List<SqlNode> children) {
    return new SqlNode(Part.LIST, null, separator, children);
  }

  static SqlNode expression(Kind kind, String text, List<SqlNode> children) {
    return new SqlNode(Part.EXPRESSION, kind, text, children);
  }

  static SqlNode leaf(Kind kind, String sql) {
    return new SqlNode(Part.EXPRESSION, kind, sql, List.of());
  }

  /** Returns the same with other children. */
  SqlNode with(List<SqlNode> others) {
    return new SqlNode(part, kind, text, others);
  }

  /** Returns the same with another child in a place. */
  SqlNode with(int place, SqlNode child) {
    List<SqlNode> others = new ArrayList<>(children);
    others.set(place, child);
    return with(others);
  }

  /** Returns how many pieces there are. */
  int size() {
    return 1 + children.stream().mapToInt(SqlNode::size).sum();
  }

  /** Returns the pieces below this one, those nearest first within a branch. */
  Stream<SqlNode> below() {
    return children.stream().flatMap(child -> Stream.concat(Stream.of(child), child.below()));
  }

  /** Returns the SQL. */
  String sql() {
    if (part == Part.LIST) {
      return children.stream().map(SqlNode::sql).collect(Collectors.joining(text));
    }
    if (children.isEmpty()) {
      return text;
    }
    StringBuilder sql = new StringBuilder();
    int from = 0;
    for (SqlNode child : children) {
      int place = text.indexOf(PLACE, from);
      sql.append(text, from, place).append(child.sql());
      from = place + PLACE.length();
    }
    return sql.append(text, from, text.length()).toString();
  }
}
