package io.ariadne.it.fuzz;

import java.util.List;

/**
 * Makes window functions. Those that tell rows of equal keys apart are ordered by all that tells
 * rows apart; the others have frames that end with all rows of equal keys.
 */
final class Windows {
  private record Function(Kind kind, String text, Kind argument) {}

  private static final List<Function> BY_ROW =
      List.of(
          new Function(Kind.INT, "row_number()", null),
          new Function(Kind.INT, "ntile(3)", null),
          new Function(Kind.INT, "lag({}, 1)", Kind.INT),
          new Function(Kind.STRING, "lead({}, 2, 'none')", Kind.STRING),
          new Function(Kind.DATE, "first_value({})", Kind.DATE),
          new Function(Kind.STRING, "last_value({})", Kind.STRING),
          new Function(Kind.LONG, "nth_value({}, 2)", Kind.LONG));

  private static final List<Function> BY_KEY =
      List.of(
          new Function(Kind.INT, "rank()", null),
          new Function(Kind.INT, "dense_rank()", null),
          new Function(Kind.DOUBLE, "percent_rank()", null),
          new Function(Kind.DOUBLE, "cume_dist()", null));

  private static final List<Function> AGGREGATES =
      List.of(
          new Function(Kind.LONG, "count({})", Kind.INT),
          new Function(Kind.LONG, "sum({})", Kind.INT),
          new Function(Kind.DOUBLE, "avg({})", Kind.SHORT),
          new Function(Kind.DATE, "max({})", Kind.DATE),
          new Function(Kind.STRING, "min({})", Kind.STRING));

  private static final List<String> FRAMES =
      List.of(
          " ROWS BETWEEN 2 PRECEDING AND CURRENT ROW",
          " ROWS BETWEEN CURRENT ROW AND 3 FOLLOWING",
          " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING",
          " ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING");

  private final Chance chance;
  private final Expressions expressions;

  Windows(Chance chance, Expressions expressions) {
    this.chance = chance;
    this.expressions = expressions;
  }

  /** Makes a value that a window over a relation's rows gives. */
  SqlNode of(Relation source, int depth) {
    boolean isTotal = source.order() != null && chance.percent(60);
    Function function =
        chance.percent(45)
            ? chance.pick(AGGREGATES)
            : isTotal ? chance.pick(BY_ROW) : chance.pick(BY_KEY);
    boolean isAggregate = AGGREGATES.contains(function);
    Kind key = chance.pick(Kind.INT, Kind.STRING, Kind.BOOLEAN, Kind.DATE, Kind.LONG);
    String order =
        isTotal
            ? String.join(", ", source.order())
            : expressions.leaf(key, source.columns()).sql() + chance.pick("", " DESC NULLS LAST");
    String frame = isAggregate && isTotal && chance.percent(70) ? chance.pick(FRAMES) : "";
    SqlNode partition =
        chance.percent(60)
            ? SqlNode.of(
                Part.CLAUSE,
                "PARTITION BY {} ",
                expressions.leaf(
                    chance.pick(Kind.INT, Kind.BOOLEAN, Kind.STRING), source.columns()))
            : SqlNode.text("");
    String over = " OVER ({}ORDER BY " + order + frame + ")";
    return function.argument() == null
        ? SqlNode.expression(
            function.kind(), "(" + function.text() + over + ")", List.of(partition))
        : SqlNode.expression(
            function.kind(),
            "(" + function.text() + over + ")",
            List.of(
                expressions.of(function.argument(), source.columns(), Math.min(1, depth)),
                partition));
  }
}
