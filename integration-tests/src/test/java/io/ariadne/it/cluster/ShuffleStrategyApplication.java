package io.ariadne.it.cluster;

import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AQEShuffleReadExec;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;

/**
 * Runs shuffles whose map tasks take a while, so that their outputs are copied while other map
 * tasks run. Prints what {@link ClusterApplication} prints, {@code EXCHANGE} and the text of each
 * exchange, {@code EXCHANGES name {metric=N, ...}}, and {@code READ name} with what is special of a
 * read: {@code skewed} for parts of a partition, {@code local} for map outputs read where they are.
 */
public final class ShuffleStrategyApplication {
  /** Number of queries. */
  static final int CHECKS = 6;

  /** Rows of the table that all queries read. */
  static final int ROWS = 900_000;

  private static final int MAX_FIELDS = 100;

  /** What seven of ten rows of a table have, and one of another table. */
  private static final int HOT_KEY = 7 * 7919;

  private static final Map<String, String> DIVIDING =
      Map.of(
          "spark.sql.adaptive.skewJoin.skewedPartitionFactor", "1.5",
          "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes", "64KB",
          "spark.sql.adaptive.advisoryPartitionSizeInBytes", "64KB",
          "spark.sql.adaptive.coalescePartitions.enabled", "false");

  private static final Map<String, String> READING_LOCALLY =
      Map.of(
          "spark.sql.adaptive.autoBroadcastJoinThreshold", "10MB",
          "spark.sql.adaptive.coalescePartitions.enabled", "false");

  private ShuffleStrategyApplication() {}

  /**
   * Runs the application.
   *
   * @param args a folder for data
   */
  public static void main(String[] args) throws Exception {
    Map<String, String> queries = new TreeMap<>();
    queries.put(
        "aggregation",
        "select k, count(*), max(s), max(d) from wide group by k order by k limit 2000");
    queries.put(
        "range",
        "select sum(hash(id, k, s, d)) from"
            + " (select /*+ repartition_by_range(23, k, id) */ * from wide)");
    queries.put(
        "join",
        "select count(*), sum(a.id), sum(length(b.s)) from wide a join wide b on a.k = b.k");
    queries.put(
        "filtered",
        "select count(*), sum(a.id), sum(length(b.s)) from"
            + " (select * from few where id % 3 > 0) a join wide b on a.k = b.k");
    try (SparkSession session = SparkSession.builder().appName("strategies").getOrCreate()) {
      writeTable(session, args[0]);
      queries.forEach((name, sql) -> check(session, name, sql, Map.of()));
      check(
          session,
          "divided",
          "select /*+ merge(b) */ count(*), sum(a.id), sum(length(b.s)), min(a.s) from hot a"
              + " join few b on a.k = b.k",
          DIVIDING);
      check(
          session,
          "local",
          "select count(*), sum(a.id), sum(length(a.s)) from wide a"
              + " join (select k from few where id < 9000) b on a.k = b.k",
          READING_LOCALLY);
      System.out.println("APPLICATION FINISHED");
    }
  }

  private static void check(
      SparkSession session, String name, String sql, Map<String, String> settings) {
    settings.forEach((key, value) -> session.conf().set(key, value));
    ClusterApplication.check(session, name, sql);
    printMetrics(session, name, sql);
    settings.keySet().forEach(key -> session.conf().unset(key));
  }

  private static void writeTable(SparkSession session, String folder) {
    session
        .range(0, ROWS, 1, 12)
        .selectExpr(
            "id",
            "id * 7919 % 100003 as k",
            "concat('row-', id % 977) as s",
            "case when id % 5 = 0 then null else cast(id as double) / 3 end as d")
        .write()
        .mode(SaveMode.Overwrite)
        .parquet(folder);
    session.read().parquet(folder).createOrReplaceTempView("wide");
    session
        .sql("select id, if(id % 10 < 7, " + HOT_KEY + ", k) as k, s from wide")
        .createOrReplaceTempView("hot");
    String few = folder + "-few";
    session.sql("select * from wide where id % 90 = 7").write().parquet(few);
    session.read().parquet(few).createOrReplaceTempView("few");
  }

  /** Prints a query's exchanges as the SQL tab does, and their metrics, summed by name. */
  private static void printMetrics(SparkSession session, String name, String sql) {
    var dataset = session.sql(sql);
    dataset.collect();
    Map<String, Long> sums = new TreeMap<>();
    addExchanges(name, dataset.queryExecution().executedPlan(), sums);
    System.out.println("EXCHANGES " + name + " " + sums);
  }

  private static void addExchanges(String name, SparkPlan plan, Map<String, Long> sums) {
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      addExchanges(name, adaptive.executedPlan(), sums);
    } else if (plan instanceof QueryStageExec stage) {
      addExchanges(name, stage.plan(), sums);
    } else if (plan instanceof AQEShuffleReadExec read) {
      String special = read.hasSkewedPartition() ? "skewed" : read.isLocalRead() ? "local" : "none";
      System.out.println("READ " + name + " " + special);
    }
    if (plan.nodeName().equals("AriadneShuffleExchange")) {
      System.out.println("EXCHANGE " + plan.simpleString(MAX_FIELDS));
      for (var metrics = plan.metrics().iterator(); metrics.hasNext(); ) {
        var metric = metrics.next();
        sums.merge(metric._1(), metric._2().value(), Long::sum);
      }
    }
    for (var children = plan.children().iterator(); children.hasNext(); ) {
      addExchanges(name, children.next(), sums);
    }
  }
}
