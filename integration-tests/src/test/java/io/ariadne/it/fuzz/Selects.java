package io.ariadne.it.fuzz;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Makes SELECTs: projections, aggregations, distinct rows and windows, limited or not. */
final class Selects {
  private static final int MOST_ITEMS = 5;

  private static final List<String> GROUPINGS =
      List.of("ROLLUP(%s)", "CUBE(%s)", "GROUPING SETS((%s), ())");

  private static final List<String> HINTS =
      List.of("BROADCAST", "MERGE", "SHUFFLE_HASH", "SHUFFLE_REPLICATE_NL");

  private final QueryGenerator queries;
  private final Chance chance;
  private final Expressions expressions;
  private final Sources sources;
  private final Subqueries subqueries;
  private final Windows windows;

  Selects(QueryGenerator queries, Chance chance) {
    this.queries = queries;
    this.chance = chance;
    this.expressions = new Expressions(chance);
    this.sources = new Sources(queries, chance, expressions);
    this.subqueries = new Subqueries(queries, chance, expressions, sources);
    this.windows = new Windows(chance, expressions);
    expressions.useSubqueries(subqueries::anywhere);
  }

  Sources sources() {
    return sources;
  }

  /**
   * Makes a SELECT.
   *
   * @param levels of queries within it, at most
   * @param kinds of its columns; null for any
   */
  Query any(int levels, List<Kind> kinds) {
    return over(sources.any(Math.max(0, levels)), levels, kinds);
  }

  /** Makes a SELECT from a relation. */
  Query over(Relation source, int levels, List<Kind> kinds) {
    int roll = chance.below(100);
    if (roll < 38) {
      return aggregation(source, levels, kinds);
    }
    List<SqlNode> values = new ArrayList<>();
    for (Kind kind : kinds == null ? someKinds(source) : kinds) {
      values.add(value(kind, source, levels));
    }
    boolean hasWindow = roll < 46 && kinds == null;
    if (hasWindow) {
      values.add(windows.of(source, queries.depth()));
    }
    List<Column> columns = new ArrayList<>();
    SqlNode items = items(values, columns);
    boolean isDistinct = roll >= 90 && columns.stream().allMatch(c -> c.kind().isOrdered());
    SqlNode node =
        SqlNode.of(
            Part.QUERY,
            "SELECT {}{}{} FROM {}{}{}",
            hint(source),
            isDistinct ? SqlNode.of(Part.CLAUSE, "DISTINCT ") : SqlNode.text(""),
            items,
            source.node(),
            where(source, levels),
            end(columns));
    return new Query(node, columns, source.rowCount());
  }

  private Query aggregation(Relation source, int levels, List<Kind> kinds) {
    List<Kind> all = kinds == null ? someKinds(source) : kinds;
    int keyCount = chance.percent(25) ? 0 : Math.min(all.size(), 1 + chance.below(3));
    List<SqlNode> values = new ArrayList<>();
    for (int i = 0; i < keyCount && all.get(i).isOrdered(); i++) {
      values.add(key(all.get(i), source));
    }
    int keys = values.size();
    for (Kind kind : all.subList(keys, all.size())) {
      values.add(aggregate(kind, source));
    }
    boolean hasSets = keys > 0 && chance.percent(15);
    if (kinds == null && (values.size() == keys || chance.percent(20))) {
      values.add(aggregate(chance.pick(Kind.LONG, Kind.LONG, Kind.DOUBLE, Kind.INT), source));
    }
    if (hasSets && kinds == null && chance.percent(50)) {
      values.add(SqlNode.leaf(Kind.LONG, "grouping_id()"));
    }
    List<Column> columns = new ArrayList<>();
    SqlNode items = items(values, columns);
    SqlNode node =
        SqlNode.of(
            Part.QUERY,
            "SELECT {}{} FROM {}{}{}{}{}",
            hint(source),
            items,
            source.node(),
            where(source, levels),
            grouping(keys, hasSets),
            having(source, keys),
            end(columns));
    return new Query(node, columns, keys == 0 ? 1 : source.rowCount());
  }

  /** Keys are columns more often than other values are. */
  private SqlNode key(Kind kind, Relation source) {
    return chance.percent(70)
        ? expressions.leaf(kind, source.columns())
        : expressions.of(kind, source.columns(), queries.depth());
  }

  private SqlNode aggregate(Kind kind, Relation source) {
    int depth = Math.min(2, queries.depth());
    SqlNode call = expressions.aggregate(kind, source.columns(), depth);
    if (call == null) {
      SqlNode count = expressions.aggregate(Kind.LONG, source.columns(), depth);
      return SqlNode.expression(
          kind,
          "if(({} > 1), {}, {})",
          List.of(count, Literals.of(kind, chance), Literals.nullOf(kind)));
    }
    return call;
  }

  private static SqlNode grouping(int keys, boolean hasSets) {
    return SqlNode.text(keys == 0 ? "" : groups(keys, hasSets));
  }

  private static String groups(int keys, boolean hasSets) {
    List<String> ordinals = new ArrayList<>();
    for (int i = 1; i <= keys; i++) {
      ordinals.add(String.valueOf(i));
    }
    String list = String.join(", ", ordinals);
    return " GROUP BY " + (hasSets ? GROUPINGS.get(keys % GROUPINGS.size()).formatted(list) : list);
  }

  private SqlNode having(Relation source, int keys) {
    if (!chance.percent(keys == 0 ? 5 : 18)) {
      return SqlNode.text("");
    }
    Kind kind = chance.pick(Kind.LONG, Kind.INT, Kind.DOUBLE, Kind.STRING, Kind.DECIMAL);
    SqlNode condition =
        SqlNode.expression(
            Kind.BOOLEAN,
            "({} " + chance.pick(">", "<=", "<>") + " {})",
            List.of(aggregate(kind, source), Literals.of(kind, chance)));
    return SqlNode.of(Part.CLAUSE, " HAVING {}", condition);
  }

  private SqlNode value(Kind kind, Relation source, int levels) {
    return levels > 0 && chance.percent(7)
        ? subqueries.scalar(kind, source.columns())
        : expressions.of(kind, source.columns(), queries.depth());
  }

  private List<Kind> someKinds(Relation source) {
    int count = 1 + chance.below(MOST_ITEMS);
    List<Kind> kinds = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      kinds.add(
          chance.percent(60) ? chance.pick(source.columns()).kind() : chance.pick(Kind.values()));
    }
    return kinds;
  }

  /** Names values as tables name their columns. */
  private static SqlNode items(List<SqlNode> values, List<Column> columns) {
    Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    List<SqlNode> items = new ArrayList<>();
    for (SqlNode value : values) {
      String name = value.kind().prefix() + counts.merge(value.kind(), 1, Integer::sum);
      columns.add(new Column(name, value.kind()));
      items.add(SqlNode.of(Part.TEXT, "{} AS " + name, value));
    }
    return SqlNode.list(", ", items);
  }

  private SqlNode where(Relation source, int levels) {
    if (chance.percent(50)) {
      return SqlNode.text("");
    }
    List<SqlNode> conjuncts = new ArrayList<>();
    for (int i = chance.pick(1, 1, 1, 2, 3); i > 0; i--) {
      conjuncts.add(
          levels > 0 && chance.percent(22)
              ? subqueries.condition(source.columns())
              : expressions.condition(source.columns(), queries.depth()));
    }
    return SqlNode.of(Part.CLAUSE, " WHERE {}", SqlNode.list(" AND ", conjuncts));
  }

  private SqlNode hint(Relation source) {
    if (source.aliases().size() > 1 && chance.percent(40)) {
      String hint = chance.pick(HINTS) + "(" + chance.pick(source.aliases()) + ")";
      return SqlNode.of(Part.CLAUSE, "/*+ " + hint + " */ ");
    }
    if (chance.percent(6)) {
      return SqlNode.of(
          Part.CLAUSE,
          "/*+ "
              + chance.pick("REPARTITION(3)", "COALESCE(1)", "REPARTITION(2)", "REBALANCE")
              + " */ ");
    }
    return SqlNode.text("");
  }

  /** An order alone, or an order that tells all rows apart and a limit. */
  private SqlNode end(List<Column> columns) {
    List<String> order = Relation.orderOf(columns);
    if (order == null || !chance.percent(16)) {
      return SqlNode.text("");
    }
    Column column = chance.pick(columns);
    SqlNode first =
        chance.percent(30)
            ? expressions.of(column.kind(), columns, queries.depth())
            : column.reference();
    String sql =
        " ORDER BY {}"
            + chance.pick("", " DESC", " ASC NULLS LAST", " DESC NULLS FIRST")
            + ", "
            + String.join(", ", order);
    String limit =
        switch (chance.below(5)) {
          case 0 -> "";
          case 1 -> " LIMIT " + chance.below(3);
          case 2 -> " LIMIT " + (5 + chance.below(40)) + " OFFSET " + chance.below(12);
          case 3 -> " OFFSET " + chance.below(12);
          default -> " LIMIT " + (1 + chance.below(60));
        };
    return SqlNode.of(Part.CLAUSE, sql + limit, first);
  }
}
