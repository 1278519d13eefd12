package io.ariadne.benchmark.workload;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The cases of the aggregate benchmark: group-bys under a second aggregation, so that every engine
 * computes all groups and returns one row.
 */
public enum AggregateCase implements TableCase {
  /** A number as key, about four adjacent rows per group: 15 million groups at SF10. */
  ORDERKEY("lineitem", "l_orderkey", "l_quantity"),

  /** 28 groups, two short strings as key. */
  STRINGS("lineitem", "l_shipmode, l_shipinstruct", "l_quantity"),

  /** Two numbers as key, about seven scattered rows per group: 8 million groups at SF10. */
  SUPPLIES("lineitem", "l_partkey, l_suppkey", "l_quantity"),

  /** A long and a short string as key: more than half as many groups as rows. */
  COMMENTS("lineitem", "substring(l_comment, 1, 16), l_shipmode", "l_quantity"),

  /** Two strings as key, one row per group: partial aggregation does not pay. */
  CUSTOMERS("customer", "c_name, c_phone", "c_acctbal"),

  /** Lists of about four adjacent values per group. */
  LISTS(
      "lineitem",
      "l_orderkey",
      "collect_list(l_partkey) s, count(*) n",
      "count(*), sum(size(s)), max(n)"),

  /** The smallest and the largest string of about four adjacent rows per group. */
  EXTREMES(
      "lineitem", "l_orderkey", "min(l_shipmode) s, max(l_comment) t", "count(*), min(s), max(t)"),

  /** The smallest and the largest string of few groups. */
  LARGE_EXTREMES(
      "lineitem",
      "l_returnflag, l_linestatus",
      "min(l_shipmode) s, max(l_comment) t",
      "count(*), min(s), max(t)");

  /** Name on the command line. */
  final String name = name().toLowerCase(Locale.ROOT);

  private final String table;
  private final String keys;
  private final String aggregates;
  private final String results;

  AggregateCase(String table, String keys, String value) {
    this(
        table,
        keys,
        "sum(%s) s, count(*) n".formatted(value),
        "count(*), sum(s), min(s), max(s), max(n)");
  }

  AggregateCase(String table, String keys, String aggregates, String results) {
    this.table = table;
    this.keys = keys;
    this.aggregates = aggregates;
    this.results = results;
  }

  @Override
  public String table() {
    return table;
  }

  @Override
  public BenchmarkQuery query() {
    String groups = "select %s from %s group by %s".formatted(aggregates, table, keys);
    return new BenchmarkQuery(name, "select " + results + " from (" + groups + ") g");
  }

  /** Returns the case of a name on the command line. */
  public static AggregateCase parse(String name) {
    return Arrays.stream(values())
        .filter(c -> c.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(invalid(name)));
  }

  private static String invalid(String name) {
    String valid = Arrays.stream(values()).map(c -> c.name).collect(Collectors.joining(", "));
    return "'" + name + "' is not a case of the aggregate benchmark; valid cases are " + valid;
  }
}
