package io.ariadne.it.fuzz;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes queries whose answers say something about each other, so that no other engine need answer
 * them: all rows and those for which a condition is true, false and null; aggregates of all rows
 * and of those parts; a join either way round.
 */
final class LateralQueries {
  private static final int MOST_COLUMNS = 5;

  private final Chance chance;
  private final QueryGenerator generator;
  private final Expressions expressions;

  LateralQueries(Chance chance, List<FuzzTable> tables) {
    this.chance = chance;
    this.generator = new QueryGenerator(chance, tables, 2);
    this.expressions = new Expressions(chance);
  }

  /**
   * Queries that together give what one gives.
   *
   * @param whole the one
   * @param parts the others
   */
  record Division(String whole, List<String> parts) {}

  /** Divides rows by a condition, which is true, false or null for each. */
  Division rows() {
    Relation source = generator.relation();
    String all = "SELECT " + columns(source) + " FROM " + source.node().sql();
    return new Division(all, parts(source, all, ""));
  }

  /** Divides an aggregation by a condition, and aggregates what comes of the parts. */
  Division aggregates() {
    Relation source = generator.relation();
    String key = expressions.leaf(Kind.INT, source.columns()).sql();
    List<Kind> kinds = Kind.set("FLAT").stream().filter(kind -> !kind.isFloating()).toList();
    Kind kind = chance.pick(kinds);
    String items =
        "%s AS g, count(*) AS c, sum(%s) AS s, min(%s) AS x, max(%s) AS y, bit_xor(%s) AS z"
            .formatted(
                key + " + 0",
                value(Kind.INT, source),
                value(kind, source),
                value(kind, source),
                value(Kind.LONG, source));
    String all = "SELECT " + items + " FROM " + source.node().sql();
    String groups = " GROUP BY 1";
    String union =
        parts(source, all, groups).stream()
            .map(part -> "(" + part + ")")
            .collect(Collectors.joining(" UNION ALL "));
    return new Division(
        all + groups,
        List.of(
            "SELECT g, sum(c), sum(s), min(x), max(y), bit_xor(z) FROM ("
                + union
                + ") GROUP BY g"));
  }

  /** Joins two relations either way round. */
  Division join() {
    List<Relation> joins = generator.bothWays();
    String columns = columns(joins.get(0));
    List<String> queries =
        joins.stream().map(join -> "SELECT " + columns + " FROM " + join.node().sql()).toList();
    return new Division(queries.get(0), queries.subList(1, 2));
  }

  private String value(Kind kind, Relation source) {
    return expressions.of(kind, source.columns(), 1).sql();
  }

  private List<String> parts(Relation source, String all, String end) {
    String condition = expressions.condition(source.columns(), 2).sql();
    return Stream.of("%s", "NOT %s", "(%s) IS NULL")
        .map(form -> all + " WHERE " + form.formatted("(" + condition + ")") + end)
        .toList();
  }

  private String columns(Relation source) {
    List<Column> some = new ArrayList<>();
    for (int i = 0; i < MOST_COLUMNS; i++) {
      some.add(chance.pick(source.columns()));
    }
    return some.stream()
        .sorted(Comparator.comparing(Column::name))
        .map(Column::name)
        .collect(Collectors.joining(", "));
  }
}
