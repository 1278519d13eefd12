package io.ariadne.it.fuzz;

import java.util.ArrayList;
import java.util.List;

/** Makes what FROM clauses have: tables, subqueries, values, ranges, samples and joins. */
final class Sources {
  /** More pairs of rows than this are not made without keys. */
  private static final long MOST_PAIRS = 3000;

  private static final int MOST_JOINED_ROWS = 90;

  /** Tables with fewer rows have none, one, or nothing but nulls. */
  private static final int FEW_ROWS = 31;

  /** Kinds of which two columns have many values in common. */
  private static final List<Kind> NARROW =
      List.of(Kind.BYTE, Kind.SHORT, Kind.INT, Kind.LONG, Kind.STRING, Kind.BOOLEAN);

  private static final List<String> JOINS =
      List.of(
          "JOIN",
          "JOIN",
          "LEFT JOIN",
          "LEFT JOIN",
          "RIGHT JOIN",
          "FULL JOIN",
          "LEFT SEMI JOIN",
          "LEFT ANTI JOIN",
          "CROSS JOIN");

  private final QueryGenerator queries;
  private final Chance chance;
  private final Expressions expressions;

  Sources(QueryGenerator queries, Chance chance, Expressions expressions) {
    this.queries = queries;
    this.chance = chance;
    this.expressions = expressions;
  }

  /**
   * Makes a relation.
   *
   * @param depth of queries within queries, at most
   */
  Relation any(int depth) {
    return chance.percent(depth > 0 ? 35 : 15) ? join(depth) : single(depth, Integer.MAX_VALUE);
  }

  /** Makes a relation that is no join, with few rows. */
  Relation single(int depth, int mostRows) {
    int roll = chance.below(100);
    if (depth > 0 && roll < 30) {
      return subquery(depth - 1);
    }
    if (roll < 34) {
      return values();
    }
    if (roll < 37) {
      return range();
    }
    return table(mostRows, roll);
  }

  private Relation table(int mostRows, int roll) {
    // Of tables with hardly a value little is left that could differ.
    int leastRows = chance.percent(85) ? FEW_ROWS : 0;
    FuzzTable table =
        chance.pick(
            queries.tables().stream()
                .filter(t -> t.rowCount() <= mostRows && t.rowCount() >= leastRows)
                .toList());
    String alias = queries.newAlias();
    List<Column> columns = table.columns(alias);
    if (roll < 40 && mostRows > MOST_JOINED_ROWS) {
      String sample =
          table.name()
              + " TABLESAMPLE (%d PERCENT) REPEATABLE (%d) AS "
                  .formatted(20 + chance.below(70), chance.below(9));
      return relation(sample + alias, columns, alias, table.rowCount());
    }
    if (roll < 45 && mostRows > MOST_JOINED_ROWS) {
      return exploded(table, columns, alias);
    }
    return relation(table.name() + " AS " + alias, columns, alias, table.rowCount());
  }

  private Relation relation(String sql, List<Column> columns, String alias, long rowCount) {
    return new Relation(
        SqlNode.of(Part.SOURCE, sql), columns, List.of(alias), List.of(alias + ".id"), rowCount);
  }

  private Relation exploded(FuzzTable table, List<Column> columns, String alias) {
    String view = queries.newAlias();
    List<Column> all = new ArrayList<>(columns);
    all.add(new Column(view + ".i9", Kind.INT));
    SqlNode list = expressions.of(Kind.INTS, columns, 1);
    String outer = chance.percent(40) ? "OUTER " : "";
    SqlNode node =
        SqlNode.of(
            Part.SOURCE,
            table.name()
                + " AS "
                + alias
                + " LATERAL VIEW "
                + outer
                + "explode({}) "
                + view
                + " AS i9",
            list);
    return new Relation(
        node, all, List.of(alias), List.of(alias + ".id", view + ".i9"), 3L * table.rowCount());
  }

  private Relation subquery(int depth) {
    Query query = queries.query(depth);
    String alias = queries.newAlias();
    return named(SqlNode.of(Part.SOURCE, "({}) AS " + alias, query.node()), query, alias);
  }

  /** Makes a relation of a query's columns. */
  static Relation named(SqlNode node, Query query, String alias) {
    List<Column> columns =
        query.columns().stream()
            .map(column -> new Column(alias + "." + column.name(), column.kind()))
            .toList();
    return new Relation(node, columns, List.of(alias), Relation.orderOf(columns), query.rowCount());
  }

  private Relation values() {
    String alias = queries.newAlias();
    List<Kind> kinds =
        List.of(chance.pick(Kind.INT, Kind.LONG, Kind.DATE), Kind.STRING, Kind.DOUBLE);
    int count = 1 + chance.below(4);
    List<SqlNode> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<SqlNode> row = new ArrayList<>();
      kinds.forEach(kind -> row.add(Literals.of(kind, chance)));
      rows.add(SqlNode.of(Part.TEXT, "({}, {}, {})", row.toArray(SqlNode[]::new)));
    }
    List<String> names = kinds.stream().map(kind -> kind.prefix() + "1").toList();
    List<Column> columns =
        kinds.stream().map(kind -> new Column(alias + "." + kind.prefix() + "1", kind)).toList();
    SqlNode node =
        SqlNode.of(
            Part.SOURCE,
            "(VALUES {}) AS " + alias + "(" + String.join(", ", names) + ")",
            SqlNode.list(", ", rows));
    return new Relation(node, columns, List.of(alias), Relation.orderOf(columns), count);
  }

  private Relation range() {
    String alias = queries.newAlias();
    int end = chance.below(60);
    String sql =
        "(SELECT id AS l1, CAST(id AS int) AS i1 FROM range(%d, %d, %d, %d)) AS %s"
            .formatted(chance.below(9) - 9, end, 1 + chance.below(3), 1 + chance.below(3), alias);
    List<Column> columns =
        List.of(new Column(alias + ".l1", Kind.LONG), new Column(alias + ".i1", Kind.INT));
    return new Relation(
        SqlNode.of(Part.SOURCE, sql), columns, List.of(alias), List.of(alias + ".l1"), end + 9);
  }

  private Relation join(int depth) {
    Relation left = depth > 0 && chance.percent(25) ? join(0) : single(depth - 1, MOST_JOINED_ROWS);
    return joined(left, single(depth - 1, MOST_JOINED_ROWS));
  }

  /** Makes a join of two relations; the left one alone where there were too many rows. */
  Relation joined(Relation left, Relation right) {
    String kind = chance.pick(JOINS);
    List<SqlNode> conjuncts = kind.startsWith("CROSS") ? List.of() : conjuncts(left, right);
    if (conjuncts.isEmpty() && left.rowCount() * right.rowCount() > MOST_PAIRS) {
      return left;
    }
    return joined(left, right, kind, conjuncts);
  }

  private static Relation joined(
      Relation left, Relation right, String kind, List<SqlNode> conjuncts) {
    SqlNode node =
        conjuncts.isEmpty()
            ? SqlNode.of(Part.SOURCE, "{} CROSS JOIN {}", left.node(), right.node())
            : SqlNode.of(
                Part.SOURCE,
                "{} " + kind + " {} ON {}",
                left.node(),
                right.node(),
                SqlNode.list(" AND ", conjuncts));
    boolean isHalf = kind.startsWith("LEFT SEMI") || kind.startsWith("LEFT ANTI");
    List<Column> columns = new ArrayList<>(left.columns());
    List<String> order = left.order();
    if (!isHalf) {
      columns.addAll(right.columns());
      order = Relation.joined(left.order(), right.order());
    }
    return new Relation(
        node,
        columns,
        Relation.joined(left.aliases(), right.aliases()),
        order,
        isHalf ? left.rowCount() : estimate(left, right, conjuncts.isEmpty()));
  }

  /** Makes a join, and that of the same sides the other way round. */
  List<Relation> bothWays() {
    Relation left = single(1, MOST_JOINED_ROWS);
    Relation right = single(1, MOST_JOINED_ROWS);
    List<SqlNode> conjuncts = conjuncts(left, right);
    if (conjuncts.isEmpty()) {
      conjuncts = List.of(SqlNode.leaf(Kind.BOOLEAN, "(1 = 2)"));
    }
    String kind = chance.pick("", "LEFT ", "RIGHT ", "FULL ");
    String other = kind.equals("LEFT ") ? "RIGHT " : kind.equals("RIGHT ") ? "LEFT " : kind;
    return List.of(
        joined(left, right, kind + "JOIN", conjuncts),
        joined(right, left, other + "JOIN", conjuncts));
  }

  private static long estimate(Relation left, Relation right, boolean isProduct) {
    long product = left.rowCount() * right.rowCount();
    return isProduct ? product : Math.max(product / 6, left.rowCount() + right.rowCount());
  }

  private List<SqlNode> conjuncts(Relation left, Relation right) {
    List<Kind> shared = new ArrayList<>();
    for (Column column : left.columns()) {
      if (column.kind().isOrdered()
          && right.columns().stream().anyMatch(other -> other.kind() == column.kind())) {
        shared.add(column.kind());
      }
    }
    List<SqlNode> conjuncts = new ArrayList<>();
    boolean isSmall = left.rowCount() * right.rowCount() <= MOST_PAIRS;
    int keys = shared.isEmpty() || (isSmall && chance.percent(25)) ? 0 : 1 + chance.below(2);
    for (int i = 0; i < keys; i++) {
      conjuncts.add(equality(keyKind(shared), left, right));
    }
    if (keys == 0 && !isSmall) {
      return List.of();
    }
    if (keys == 0 || chance.percent(25)) {
      List<Column> both = new ArrayList<>(left.columns());
      both.addAll(right.columns());
      conjuncts.add(expressions.condition(both, 1));
    }
    return conjuncts;
  }

  /** Most joins should find rows. */
  private Kind keyKind(List<Kind> shared) {
    List<Kind> narrow = shared.stream().filter(NARROW::contains).toList();
    return chance.pick(!narrow.isEmpty() && chance.percent(70) ? narrow : shared);
  }

  private SqlNode equality(Kind kind, Relation left, Relation right) {
    SqlNode one = side(kind, left);
    SqlNode other = side(kind, right);
    String operator = chance.percent(12) ? "<=>" : "=";
    return SqlNode.expression(Kind.BOOLEAN, "({} " + operator + " {})", List.of(one, other));
  }

  private SqlNode side(Kind kind, Relation relation) {
    if (chance.percent(15)) {
      return expressions.of(kind, relation.columns(), 1);
    }
    return chance
        .pick(relation.columns().stream().filter(column -> column.kind() == kind).toList())
        .reference();
  }
}
