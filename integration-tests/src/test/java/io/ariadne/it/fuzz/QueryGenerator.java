package io.ariadne.it.fuzz;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes a query: a SELECT, a set operation of two, or several with a common table.
 *
 * <p>Nothing in it is left open by Spark: rows are limited in an order that tells them apart, and
 * window functions that tell rows of equal keys apart have such an order, too.
 */
final class QueryGenerator {
  private static final List<String> OPERATORS =
      List.of(
          "UNION ALL",
          "UNION ALL",
          "UNION ALL",
          "UNION",
          "INTERSECT",
          "EXCEPT",
          "INTERSECT ALL",
          "EXCEPT ALL");

  private final Chance chance;
  private final List<FuzzTable> tables;
  private final int depth;
  private final Selects selects;
  private int aliases;

  /**
   * Creates a generator of one query.
   *
   * @param chance what draws
   * @param tables what it may read
   * @param depth of calls within calls, at most
   */
  QueryGenerator(Chance chance, List<FuzzTable> tables, int depth) {
    this.chance = chance;
    this.tables = List.copyOf(tables);
    this.depth = depth;
    this.selects = new Selects(this, chance);
  }

  List<FuzzTable> tables() {
    return tables;
  }

  /** Returns how deep calls may be within calls. */
  int depth() {
    return depth;
  }

  String newAlias() {
    return "v" + aliases++;
  }

  /** Makes a whole query. */
  SqlNode whole() {
    int levels = chance.pick(0, 1, 1, 1, 2);
    return chance.percent(8) ? withCommonTable(levels).node() : query(levels).node();
  }

  /**
   * Makes a query.
   *
   * @param levels of queries within it, at most
   */
  Query query(int levels) {
    return chance.percent(12) ? combined(levels) : selects.any(levels, null);
  }

  /** Makes what a FROM clause has, with queries within it. */
  Relation relation() {
    return selects.sources().any(1);
  }

  /** Makes a join of two relations, and that of the same the other way round. */
  List<Relation> bothWays() {
    return selects.sources().bothWays();
  }

  private Query combined(int levels) {
    String operator = chance.pick(OPERATORS);
    List<Kind> kinds = new ArrayList<>();
    int count = 1 + chance.below(4);
    List<Kind> ordered = Kind.set("ORDERED");
    for (int i = 0; i < count; i++) {
      kinds.add(chance.pick(ordered));
    }
    Query left = selects.any(levels - 1, kinds);
    List<SqlNode> sides = new ArrayList<>(List.of(left.node()));
    long rows = left.rowCount();
    int others = operator.equals("UNION ALL") && chance.percent(30) ? 2 : 1;
    for (int i = 0; i < others; i++) {
      Query right = selects.any(levels - 1, kinds);
      sides.add(right.node());
      rows += right.rowCount();
    }
    String text = String.join(" " + operator + " ", sides.stream().map(any -> "({})").toList());
    return new Query(new SqlNode(Part.QUERY, null, text, sides), left.columns(), rows);
  }

  private Query withCommonTable(int levels) {
    Query common = query(levels - 1);
    String name = newAlias();
    String one = newAlias();
    String other = newAlias();
    Relation left = Sources.named(SqlNode.of(Part.SOURCE, name + " AS " + one), common, one);
    Relation right = Sources.named(SqlNode.of(Part.SOURCE, name + " AS " + other), common, other);
    Query main =
        common.rowCount() < 90 && chance.percent(60)
            ? selects.over(selects.sources().joined(left, right), levels - 1, null)
            : selects.over(left, levels - 1, null);
    SqlNode node =
        SqlNode.of(Part.QUERY, "WITH " + name + " AS ({}) {}", common.node(), main.node());
    return new Query(node, main.columns(), main.rowCount());
  }
}
