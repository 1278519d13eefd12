package io.ariadne.it.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Makes expressions of a kind, out of the table of functions. */
final class Expressions {
  private static final Map<Kind, List<Signature>> FUNCTIONS = Signature.table("functions.txt");
  private static final Map<Kind, List<Signature>> AGGREGATES = Signature.table("aggregates.txt");

  /** How many signatures are looked at for one with columns for its arguments. */
  private static final int TRIES = 4;

  private final Chance chance;
  private Function<Kind, SqlNode> subqueries = any -> null;

  Expressions(Chance chance) {
    this.chance = chance;
  }

  /**
   * Sets what makes a scalar subquery of a kind, or null where there may be none; expressions have
   * one in the place of a column now and then.
   */
  void useSubqueries(Function<Kind, SqlNode> maker) {
    subqueries = maker;
  }

  /**
   * Makes an expression.
   *
   * @param kind of its value
   * @param columns what it may read
   * @param depth of calls within calls, at most
   */
  SqlNode of(Kind kind, List<Column> columns, int depth) {
    if (depth <= 0 || chance.percent(15)) {
      return leaf(kind, columns);
    }
    return call(fitting(FUNCTIONS.get(kind), columns), columns, depth);
  }

  /** Makes a condition, which reads columns if there are any. */
  SqlNode condition(List<Column> columns, int depth) {
    return call(fitting(FUNCTIONS.get(Kind.BOOLEAN), columns), columns, depth);
  }

  /** Makes a call of an aggregate; null if none gives the kind. */
  SqlNode aggregate(Kind kind, List<Column> columns, int depth) {
    List<Signature> signatures = AGGREGATES.get(kind);
    if (signatures == null) {
      return null;
    }
    SqlNode call = call(fitting(signatures, columns), columns, depth);
    if (!chance.percent(12) || call.text().contains("(collect") || !isPlain(call)) {
      return call;
    }
    SqlNode filter =
        SqlNode.of(Part.CLAUSE, " FILTER (WHERE {})", condition(columns, Math.min(1, depth)));
    return SqlNode.expression(kind, "{}{}", List.of(call, filter));
  }

  /** Whether a call is nothing but an aggregate's, so that it may have a FILTER clause. */
  private static boolean isPlain(SqlNode call) {
    return call.text().matches("(count|sum|avg|min|max|bit_\\w+|bool_\\w+)\\(.*\\)");
  }

  /** Picks a signature of which more arguments may be columns than of some others. */
  private Signature fitting(List<Signature> signatures, List<Column> columns) {
    Signature best = chance.pick(signatures);
    for (int i = 0; i < TRIES && missing(best, columns) > 0; i++) {
      Signature other = chance.pick(signatures);
      best = missing(other, columns) < missing(best, columns) ? other : best;
    }
    return best;
  }

  /** Returns how many arguments are of kinds that no column has. */
  private static long missing(Signature signature, List<Column> columns) {
    return signature.arguments().stream()
        .filter(argument -> Character.isUpperCase(argument.charAt(0)))
        .filter(argument -> columns.stream().noneMatch(c -> c.kind().name().equals(argument)))
        .count();
  }

  /** Returns a column of the kind, or a constant where there is none. */
  SqlNode leaf(Kind kind, List<Column> columns) {
    SqlNode subquery = chance.percent(1) ? subqueries.apply(kind) : null;
    if (subquery != null) {
      return subquery;
    }
    List<Column> fitting = columns.stream().filter(each -> each.kind() == kind).toList();
    return fitting.isEmpty() || chance.percent(12)
        ? Literals.of(kind, chance)
        : chance.pick(fitting).reference();
  }

  private SqlNode call(Signature signature, List<Column> columns, int depth) {
    List<SqlNode> arguments = new ArrayList<>();
    for (String argument : signature.arguments()) {
      arguments.add(argument(argument, columns, depth));
    }
    return SqlNode.expression(signature.kind(), inParentheses(signature.text()), arguments);
  }

  private SqlNode argument(String name, List<Column> columns, int depth) {
    if (name.startsWith("#")) {
      return Literals.of(Kind.valueOf(name.substring(1)), chance);
    }
    return Character.isUpperCase(name.charAt(0))
        ? of(Kind.valueOf(name), columns, depth - 1)
        : Literals.named(name, chance);
  }

  /** Puts operators into parentheses, so that they may stand anywhere. */
  private static String inParentheses(String text) {
    boolean isCall = text.matches("[a-z_0-9]+\\(.*\\)") || text.startsWith("CASE");
    return isCall && !text.contains(") ") ? text : "(" + text + ")";
  }
}
