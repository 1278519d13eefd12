package io.ariadne.it.cluster;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A random query over a table that its rows' numbers determine, of one row for its answer, or in an
 * order. Seed and index determine it.
 *
 * @param index its number
 * @param sql the query
 * @param reference a query of the same answer, the same text for all queries of that answer
 * @param isOrdered whether it returns {@code k, id, h} in the order of the first two
 * @param settings of its session
 */
record SoakQuery(
    int index, String sql, String reference, boolean isOrdered, Map<String, String> settings) {
  /** Rows of the table in files. */
  static final int TABLE_ROWS = 900_000;

  /** The table in files, a global view. */
  static final String TABLE = "global_temp.soak";

  private static final long SCRAMBLE = 0x9E3779B97F4A7C15L;
  private static final int[] ROWS = {0, 1, 999, 20_000, 100_000, 300_000, TABLE_ROWS};
  private static final int MOST_ORDERED_ROWS = 20_000;

  /** The first queries run at the same time, and have more rows than fit in memory. */
  private static final int LARGE = 3;

  /** Bytes of a split of the table, about, at which there are four. */
  private static final int LARGEST_SPLIT = 12 << 20;

  /** Of all rows, those with one key where keys are skewed: six in ten. */
  private static final String SKEWED = "case when id % 10 < 6 then 7 else id * 7919 % 100003 end";

  private static final String EVEN = "case when id % 97 = 0 then null else id * 7919 % 50021 end";

  /** The columns of the narrowest rows, then of rows with strings, then of the widest. */
  private static final String[] COLUMNS = {"id, k, v", "id, k, v, s, t", "id, k, v, s, t, d, e, b"};

  /** What is done with the rows; {@code SRC} has the columns {@code COLS}. */
  private enum Kind {
    AGGREGATE(
        "k, c, a, m, x",
        "select k, count(*) c, sum(v) a, min(id) m, max(LAST) x from SRC group by k"),
    HASH("COLS", "select /*+ repartition(PARTS, k) */ * from SRC"),
    RANGE("COLS", "select /*+ repartition_by_range(PARTS, k, id) */ * from SRC"),
    ROUND_ROBIN("COLS", "select /*+ repartition(PARTS) */ * from SRC"),
    JOIN(
        "COLS, c, x",
        "select a.*, c, x from SRC a join (select k as bk, count(*) c, max(v) x from SRC group by"
            + " k) b on a.k = b.bk"),
    DISTINCT(
        "g, a, c, m",
        "select id % 11 g, count(distinct k) a, count(distinct LAST) c, sum(v) m from SRC"
            + " group by id % 11"),
    CHAIN(
        "g, a, c, m",
        "select k % 50 g, count(*) a, sum(c) c, max(x) m from (select k, count(*) c, max(LAST) x"
            + " from (select /*+ repartition(PARTS) */ * from SRC) group by k) group by k % 50"),
    ORDER("", "select k, id, xxhash64(COLS) h from SRC order by k, id");

    private final String columns;
    private final String sql;

    Kind(String columns, String sql) {
      this.columns = columns;
      this.sql = sql;
    }

    private String checked() {
      String hash = "xxhash64(" + columns + ")";
      return this == ORDER
          ? sql
          : "select count(*), sum(pmod(HASH, 1000000007)), min(HASH), max(HASH) from ("
                  .replace("HASH", hash)
              + sql
              + ")";
    }
  }

  /** Makes a query. */
  static SoakQuery of(long seed, int index) {
    Random random = new Random((seed * 31 + index) * SCRAMBLE);
    random.nextInt(); // the first numbers of similar seeds are similar
    Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
    int rows = ROWS[random.nextInt(ROWS.length)];
    if (kind == Kind.ORDER) {
      rows = Math.min(rows, MOST_ORDERED_ROWS);
    }
    int width = random.nextInt(COLUMNS.length);
    if (index < LARGE) {
      kind = Kind.HASH;
      rows = TABLE_ROWS;
      width = COLUMNS.length - 1;
    }
    boolean isSkewed = random.nextInt(3) == 0;
    int maps = 4 + random.nextInt(37);
    int partitions = 1 + random.nextInt(random.nextBoolean() ? 12 : 300);
    boolean isOfFiles = random.nextBoolean();
    String key = isSkewed ? SKEWED : EVEN;
    String range = "range(0, " + rows + ", 1, " + maps + ")";
    String source = isOfFiles ? TABLE + " where id < " + rows : range;
    Map<String, String> settings = settings(random, partitions);
    settings.put("spark.sql.files.maxPartitionBytes", String.valueOf(LARGEST_SPLIT * 4 / maps));
    String plain = "range(0, " + rows + ", 1, 8)";
    return new SoakQuery(
        index,
        sql(kind, width, rowsOf(source, key, isOfFiles), partitions),
        sql(kind, width, rowsOf(plain, key, false), 8),
        kind == Kind.ORDER,
        settings);
  }

  private static Map<String, String> settings(Random random, int partitions) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("spark.sql.shuffle.partitions", String.valueOf(partitions));
    settings.put("spark.sql.adaptive.enabled", String.valueOf(random.nextInt(3) > 0));
    settings.put(
        "spark.sql.adaptive.coalescePartitions.enabled", String.valueOf(random.nextBoolean()));
    settings.put("spark.sql.join.preferSortMergeJoin", String.valueOf(random.nextBoolean()));
    settings.put("spark.ariadne.runtimeFilter.minSize", random.nextBoolean() ? "0" : "off");
    return settings;
  }

  private static String sql(Kind kind, int width, String source, int partitions) {
    return kind.checked()
        .replace("COLS", COLUMNS[width])
        .replace("LAST", width == 0 ? "v" : "s")
        .replace("PARTS", String.valueOf(partitions))
        .replace("SRC", source);
  }

  /** Returns a subquery of all columns. Numbers follow from the row's, as do those in files. */
  private static String rowsOf(String source, String key, boolean isOfFiles) {
    String columns = isOfFiles ? "v, s, t, d, e, b" : columnsByNumber();
    return "(select id, " + key + " k, " + columns + " from " + source + ")";
  }

  /** Returns the columns of the table without number and key, computed from the number. */
  static String columnsByNumber() {
    return "cast(id % 1009 as int) v,"
        + " concat('row-', id % 97) s,"
        + " case when id % 5 = 0 then null else"
        + " concat(id * 7919, '-', repeat('ab', cast(id % 100 as int))) end t,"
        + " case when id % 7 = 0 then null else cast(id as double) / 3 end d,"
        + " cast(id * 37 % 10000000 / 100 as decimal(12,2)) e,"
        + " id % 3 = 0 b";
  }

  @Override
  public String toString() {
    return "query " + index + " " + settings + ": " + sql;
  }
}
