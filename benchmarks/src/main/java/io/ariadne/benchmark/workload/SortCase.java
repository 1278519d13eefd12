package io.ariadne.benchmark.workload;

import io.ariadne.benchmark.engine.QueryEngine;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The cases of the sort benchmark. */
public enum SortCase implements TableCase {
  /** All columns by a date and two numbers that are unique together. */
  DATES("lineitem", "*", "l_shipdate, l_orderkey, l_linenumber", Use.DRAINED),

  /** The same, written to a sink that discards the rows. */
  WRITTEN("lineitem", "*", "l_shipdate, l_orderkey, l_linenumber", Use.WRITTEN),

  /** All columns by a string that is nearly unique. */
  COMMENTS("lineitem", "*", "l_comment desc", Use.DRAINED),

  /** Few columns by a string with the same prefix in all rows. */
  NAMES("customer", "c_name, c_phone, c_acctbal", "c_name desc", Use.DRAINED),

  /** Two columns by a number. */
  NARROW("lineitem", "l_extendedprice, l_orderkey", "l_extendedprice", Use.DRAINED),

  /** The first rows of all columns. */
  TOP("lineitem", "*", "l_shipdate desc, l_orderkey, l_linenumber", Use.TOP);

  private static final int TOP_ROWS = 100;

  /** Name on the command line. */
  final String name = name().toLowerCase(Locale.ROOT);

  private final String table;
  private final String columns;
  private final String order;
  private final Use use;

  SortCase(String table, String columns, String order, Use use) {
    this.table = table;
    this.columns = columns;
    this.order = order;
    this.use = use;
  }

  @Override
  public String table() {
    return table;
  }

  @Override
  public BenchmarkQuery query() {
    String sql = "select %s from %s order by %s".formatted(columns, table, order);
    return new BenchmarkQuery(
        name,
        switch (use) {
          case DRAINED -> QueryEngine.DRAIN + sql;
          case WRITTEN -> QueryEngine.WRITE + sql;
          case TOP -> sql + " limit " + TOP_ROWS;
        });
  }

  /** What the engine does with the rows. */
  private enum Use {
    /** Computed in order and counted. */
    DRAINED,
    /** Written to a sink that discards them. */
    WRITTEN,
    /** The first ones are collected. */
    TOP
  }

  /** Returns the case of a name on the command line. */
  public static SortCase parse(String name) {
    return Arrays.stream(values())
        .filter(c -> c.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(invalid(name)));
  }

  private static String invalid(String name) {
    String valid = Arrays.stream(values()).map(c -> c.name).collect(Collectors.joining(", "));
    return "'" + name + "' is not a case of the sort benchmark; valid cases are " + valid;
  }
}
