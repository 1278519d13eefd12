package io.ariadne.it.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Makes a query that fails smaller while it still fails: leaves out clauses and elements of lists,
 * puts parts in the place of wholes, tables in the place of subqueries and constants in the place
 * of expressions, and leaves out settings. What the analyzer refuses does not fail in the same way.
 */
final class Shrinker {
  private static final Pattern ALIAS = Pattern.compile("AS (v\\d+)");

  private final BiPredicate<SqlNode, Map<String, String>> fails;
  private final List<FuzzTable> tables;
  private final long deadline;

  /**
   * Creates a shrinker.
   *
   * @param fails whether a query fails under settings, in the same way
   * @param tables what may stand in the place of subqueries
   * @param nanos how long it may take
   */
  Shrinker(BiPredicate<SqlNode, Map<String, String>> fails, List<FuzzTable> tables, long nanos) {
    this.fails = fails;
    this.tables = List.copyOf(tables);
    this.deadline = System.nanoTime() + nanos;
  }

  /** What is left of a failure. */
  record Shrunk(SqlNode node, Map<String, String> settings) {}

  /** Returns the smallest failure found. */
  Shrunk shrink(SqlNode node, Map<String, String> settings) {
    SqlNode smallest = node;
    Map<String, String> least = settings;
    for (boolean isSmaller = true; isSmaller && hasTime(); ) {
      SqlNode next = step(smallest, least);
      isSmaller = next != null;
      smallest = isSmaller ? next : smallest;
    }
    for (String key : settings.keySet()) {
      Map<String, String> fewer = new TreeMap<>(least);
      fewer.remove(key);
      if (hasTime() && fails.test(smallest, fewer)) {
        least = fewer;
      }
    }
    return new Shrunk(smallest, least);
  }

  private boolean hasTime() {
    return System.nanoTime() < deadline;
  }

  private SqlNode step(SqlNode node, Map<String, String> settings) {
    return smaller(node)
        .filter(other -> isSmaller(other, node))
        .takeWhile(other -> hasTime())
        .filter(other -> fails.test(other, settings))
        .findFirst()
        .orElse(null);
  }

  /** Whether a query has fewer pieces, or as many and reads fewer rows, or is shorter. */
  private boolean isSmaller(SqlNode one, SqlNode other) {
    int pieces = Integer.compare(one.size(), other.size());
    int rows = Long.compare(rowsOf(one), rowsOf(other));
    int length = Integer.compare(one.sql().length(), other.sql().length());
    return pieces < 0 || (pieces == 0 && (rows < 0 || (rows == 0 && length < 0)));
  }

  private long rowsOf(SqlNode node) {
    return Stream.concat(Stream.of(node), node.below())
        .filter(each -> each.part() == Part.SOURCE && each.children().isEmpty())
        .mapToLong(each -> rowsOf(each.text()))
        .sum();
  }

  private long rowsOf(String source) {
    return tables.stream()
        .filter(table -> source.startsWith(table.name() + " "))
        .mapToLong(FuzzTable::rowCount)
        .sum();
  }

  /** Returns what may stand in the place of a piece, then of its children. */
  private Stream<SqlNode> smaller(SqlNode node) {
    Stream<SqlNode> within =
        IntStream.range(0, node.children().size())
            .boxed()
            .flatMap(i -> smaller(node.children().get(i)).map(child -> node.with(i, child)));
    return Stream.concat(instead(node), within);
  }

  private Stream<SqlNode> instead(SqlNode node) {
    return switch (node.part()) {
      case CLAUSE -> Stream.of(SqlNode.text(""));
      case LIST -> withoutOne(node);
      case QUERY -> node.below().filter(other -> other.part() == Part.QUERY);
      case SOURCE -> sources(node);
      case EXPRESSION -> expressions(node);
      case TEXT -> Stream.empty();
    };
  }

  private static Stream<SqlNode> withoutOne(SqlNode list) {
    int count = list.children().size();
    return count == 1
        ? Stream.empty()
        : IntStream.range(0, count)
            .mapToObj(
                i -> {
                  List<SqlNode> others = new ArrayList<>(list.children());
                  others.remove(i);
                  return list.with(others);
                });
  }

  private Stream<SqlNode> sources(SqlNode node) {
    Stream<SqlNode> parts = node.below().filter(other -> other.part() == Part.SOURCE);
    Matcher alias = ALIAS.matcher(node.text());
    return !alias.find()
        ? parts
        : Stream.concat(
            tables.stream()
                .map(table -> SqlNode.of(Part.SOURCE, table.name() + " AS " + alias.group(1))),
            parts);
  }

  private static Stream<SqlNode> expressions(SqlNode node) {
    Stream<SqlNode> parts =
        node.below()
            .filter(other -> other.part() == Part.EXPRESSION && other.kind() == node.kind());
    return node.children().isEmpty()
        ? Stream.empty()
        : Stream.concat(
            parts, Stream.of(Literals.first(node.kind()), Literals.nullOf(node.kind())));
  }
}
