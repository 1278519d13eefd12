package io.ariadne.it.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * Runs queries with the plugin off and on in whatever cluster it was submitted to, and prints one
 * line per query: {@code CHECK name equal|different operators=N joins=N loops=N}, joins of
 * Ariadne's and nested loops of Spark's in the final plan. Sees Ariadne only through settings and
 * plans, as a user does.
 */
public final class ClusterApplication {
  private static final int ROWS = 20_000;
  private static final List<List<String>> QUERIES =
      List.of(
          List.of(
              "q6-like",
              "select sum(price * discount) as revenue from t where day >= date '1994-01-01'"
                  + " and day < date '1995-01-01' and discount between 0.05 and 0.07"
                  + " and quantity < 24"),
          List.of(
              "q1-like",
              "select flag, status, sum(quantity), sum(price), sum(price * (1 - discount)),"
                  + " avg(quantity), avg(discount), count(*) from t"
                  + " where day <= date '1998-09-02' group by flag, status"),
          List.of(
              "exchange-and-sort",
              "select key % 100 as k, count(*), min(price), max(price) from t group by key % 100"
                  + " order by k"),
          List.of(
              "broadcast-join",
              "select /*+ broadcast(b) */ a.flag, count(*), sum(b.price) from t a"
                  + " join (select key * 3 as k, price from t where key % 7 = 1) b on a.key = b.k"
                  + " group by a.flag"),
          List.of(
              "broadcast-loop",
              "select /*+ broadcast(b) */ a.flag, count(*), sum(b.price) from t a"
                  + " join (select key * 900 as k, price from t where key % 900 = 1) b"
                  + " on a.key > b.k group by a.flag"),
          List.of(
              "full-broadcast-loop",
              "select /*+ broadcast(b) */ a.flag, count(*), count(a.key), sum(b.price) from t a"
                  + " full join (select key * 900 + 19000 as k, price from t where key % 900 = 1) b"
                  + " on a.key > b.k group by a.flag"));

  /** How many of these, the last ones, are read by joins of Spark's as well. */
  private static final int BROADCASTS = 3;

  /** The same broadcasts, read by joins of Spark's. */
  private static final String WITHOUT_JOINS = "BroadcastHashJoinExec,BroadcastNestedLoopJoinExec";

  private ClusterApplication() {}

  /**
   * Runs the application.
   *
   * @param args a folder for data
   */
  public static void main(String[] args) throws Exception {
    try (SparkSession session = SparkSession.builder().appName("cluster-check").getOrCreate()) {
      writeTable(session, args[0]);
      for (List<String> query : QUERIES) {
        check(session, query.get(0), query.get(1));
      }
      session.conf().set("spark.ariadne.disable", WITHOUT_JOINS);
      for (List<String> join : QUERIES.subList(QUERIES.size() - BROADCASTS, QUERIES.size())) {
        check(session, "spark-" + join.get(0), join.get(1));
      }
      System.out.println("APPLICATION FINISHED");
    }
  }

  /** Writes a table of 20,000 rows in four files, known as {@code t}. */
  static void writeTable(SparkSession session, String folder) {
    session
        .range(0, ROWS, 1, 4)
        .selectExpr(
            "id as key",
            "date_add(date '1992-01-02', cast(id * 7 % 2500 as int)) as day",
            "cast(id * 37 % 10000000 / 100 as decimal(12,2)) as price",
            "cast(id % 11 / 100 as decimal(12,2)) as discount",
            "cast(id * 13 % 50 as decimal(12,2)) as quantity",
            "case when id % 97 = 0 then null when id % 3 = 0 then 'A' else 'NR' end as flag",
            "case when id % 2 = 0 then 'O' else 'F' end as status")
        .write()
        .mode(SaveMode.Overwrite)
        .parquet(folder);
    session.read().parquet(folder).createOrReplaceTempView("t");
  }

  /** Runs a query with the plugin off and on, and prints what came of it. */
  static void check(SparkSession session, String name, String sql) {
    check(session, name, sql, () -> {});
  }

  /**
   * Runs a query with the plugin off and on.
   *
   * @param beforeOurs runs between the two
   */
  static void check(SparkSession session, String name, String sql, Runnable beforeOurs) {
    session.conf().set("spark.ariadne.enabled", "false");
    List<String> expected = rows(session, sql, new ArrayList<>());
    session.conf().set("spark.ariadne.enabled", "true");
    beforeOurs.run();
    List<String> plans = new ArrayList<>();
    List<String> actual = rows(session, sql, plans);
    String plan = plans.get(0).split("== Initial Plan ==")[0];
    String outcome = expected.equals(actual) ? "equal" : "different";
    // Whole: printf writes piece by piece, and the log, which goes to the same file, between them.
    System.out.println(
        String.format(
            "CHECK %s %s operators=%d joins=%d loops=%d",
            name,
            outcome,
            count(plan, "Ariadne"),
            count(plan, "AriadneHashJoin"),
            count(plan, "BroadcastNestedLoopJoin")));
    if (!expected.equals(actual)) {
      System.out.println("EXPECTED " + expected + "\nACTUAL " + actual);
    }
  }

  private static long count(String plan, String name) {
    return plan.lines().filter(line -> line.contains(name)).count();
  }

  private static List<String> rows(SparkSession session, String sql, List<String> plans) {
    var dataset = session.sql(sql);
    Row[] rows = (Row[]) dataset.collect();
    plans.add(dataset.queryExecution().executedPlan().toString());
    return Arrays.stream(rows).map(Row::toString).sorted().collect(Collectors.toList());
  }
}
