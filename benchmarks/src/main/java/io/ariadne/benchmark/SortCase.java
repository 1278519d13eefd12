package io.ariadne.benchmark;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The cases of the sort benchmark. All rows are made and dropped, but for those of a top. */
enum SortCase implements TableCase {
  /** All columns by a date and two numbers that are unique together. */
  DATES("lineitem", "*", "l_shipdate, l_orderkey, l_linenumber", false),

  /** All columns by a string that is nearly unique. */
  COMMENTS("lineitem", "*", "l_comment desc", false),

  /** Few columns by a string that begins the same in all rows. */
  NAMES("customer", "c_name, c_phone, c_acctbal", "c_name desc", false),

  /** Two columns by a number. */
  NARROW("lineitem", "l_extendedprice, l_orderkey", "l_extendedprice", false),

  /** The first rows of all columns. */
  TOP("lineitem", "*", "l_shipdate desc, l_orderkey, l_linenumber", true);

  private static final int TOP_ROWS = 100;

  /** What the command line calls it. */
  final String name = name().toLowerCase(Locale.ROOT);

  private final String table;
  private final String columns;
  private final String order;
  private final boolean isTop;

  SortCase(String table, String columns, String order, boolean isTop) {
    this.table = table;
    this.columns = columns;
    this.order = order;
    this.isTop = isTop;
  }

  @Override
  public String table() {
    return table;
  }

  @Override
  public BenchmarkQuery query() {
    String sql = "select %s from %s order by %s".formatted(columns, table, order);
    return new BenchmarkQuery(name, isTop ? sql + " limit " + TOP_ROWS : QueryEngine.DRAIN + sql);
  }

  /** Returns the case of a name on the command line. */
  static SortCase parse(String name) {
    return Arrays.stream(values())
        .filter(c -> c.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(invalid(name)));
  }

  private static String invalid(String name) {
    String valid = Arrays.stream(values()).map(c -> c.name).collect(Collectors.joining(", "));
    return "'" + name + "' is no case of the sort benchmark: valid are " + valid;
  }
}
