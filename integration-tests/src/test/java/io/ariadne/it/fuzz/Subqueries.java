package io.ariadne.it.fuzz;

import java.util.ArrayList;
import java.util.List;

/** Makes scalar subqueries, and conditions of IN, NOT IN, EXISTS and NOT EXISTS. */
final class Subqueries {
  private static final int MOST_ROWS = 90;

  private final QueryGenerator queries;
  private final Chance chance;
  private final Expressions expressions;
  private final Sources sources;
  private boolean isWithin;

  Subqueries(QueryGenerator queries, Chance chance, Expressions expressions, Sources sources) {
    this.queries = queries;
    this.chance = chance;
    this.expressions = expressions;
    this.sources = sources;
  }

  /** Makes a subquery of one row that may stand anywhere; null within another one. */
  SqlNode anywhere(Kind kind) {
    if (isWithin) {
      return null;
    }
    isWithin = true;
    try {
      return uncorrelated(kind);
    } finally {
      isWithin = false;
    }
  }

  private SqlNode uncorrelated(Kind kind) {
    Relation source = sources.single(0, MOST_ROWS);
    SqlNode value = expressions.aggregate(kind, source.columns(), 1);
    return value == null ? null : subquery(value, source, null);
  }

  /**
   * Makes a value that a subquery of one row gives, of the outer row's group or of all rows.
   *
   * @param outer columns of the query around it
   */
  SqlNode scalar(Kind kind, List<Column> outer) {
    Relation source = sources.single(0, MOST_ROWS);
    SqlNode value = expressions.aggregate(kind, source.columns(), 1);
    if (value == null) {
      return expressions.of(kind, outer, 1);
    }
    return subquery(value, source, chance.percent(40) ? link(source, outer) : null);
  }

  private SqlNode subquery(SqlNode value, Relation source, SqlNode link) {
    SqlNode query =
        SqlNode.of(Part.TEXT, "SELECT {} FROM {}{}", value, source.node(), where(source, link));
    return SqlNode.expression(value.kind(), "({})", List.of(query));
  }

  /** Makes a condition on the rows of a query. */
  SqlNode condition(List<Column> outer) {
    SqlNode one = chance.percent(50) ? in(outer) : exists(outer);
    if (chance.percent(35)) {
      SqlNode other = expressions.condition(outer, 1);
      String text = chance.pick("({} OR {})", "(({}) IS NULL OR {})", "({} <=> {})");
      return SqlNode.expression(Kind.BOOLEAN, text, List.of(one, other));
    }
    return one;
  }

  private SqlNode in(List<Column> outer) {
    Relation source = sources.single(0, MOST_ROWS);
    Kind kind = chance.pick(source.columns()).kind();
    if (!kind.isOrdered()) {
      kind = Kind.INT;
    }
    SqlNode query =
        SqlNode.of(
            Part.TEXT,
            "SELECT {} FROM {}{}",
            expressions.of(kind, source.columns(), chance.below(2)),
            source.node(),
            where(source, chance.percent(25) ? link(source, outer) : null));
    String operator = chance.percent(40) ? " NOT IN " : " IN ";
    return SqlNode.expression(
        Kind.BOOLEAN,
        "({}" + operator + "({}))",
        List.of(expressions.of(kind, outer, chance.below(2)), query));
  }

  private SqlNode exists(List<Column> outer) {
    Relation source = sources.single(0, MOST_ROWS);
    SqlNode link = chance.percent(80) ? link(source, outer) : null;
    SqlNode query = SqlNode.of(Part.TEXT, "SELECT 1 FROM {}{}", source.node(), where(source, link));
    String operator = chance.percent(40) ? "(NOT EXISTS ({}))" : "(EXISTS ({}))";
    return SqlNode.expression(Kind.BOOLEAN, operator, List.of(query));
  }

  /** Makes an equality of an inner and an outer column; null where no kinds are the same. */
  private SqlNode link(Relation source, List<Column> outer) {
    List<Column> inner =
        source.columns().stream()
            .filter(column -> column.kind().isOrdered())
            .filter(column -> outer.stream().anyMatch(other -> other.kind() == column.kind()))
            .toList();
    if (inner.isEmpty()) {
      return null;
    }
    Column one = chance.pick(inner);
    Column other =
        chance.pick(outer.stream().filter(column -> column.kind() == one.kind()).toList());
    return SqlNode.expression(
        Kind.BOOLEAN, "({} = {})", List.of(one.reference(), other.reference()));
  }

  private SqlNode where(Relation source, SqlNode link) {
    List<SqlNode> conjuncts = new ArrayList<>();
    if (link != null) {
      conjuncts.add(link);
    }
    if (chance.percent(40)) {
      conjuncts.add(expressions.condition(source.columns(), Math.min(1, queries.depth())));
    }
    return conjuncts.isEmpty()
        ? SqlNode.text("")
        : SqlNode.of(Part.CLAUSE, " WHERE {}", SqlNode.list(" AND ", conjuncts));
  }
}
