package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.bridge.node.AriadneShuffleExchangeExec;
import io.ariadne.rules.exec.AriadneHashJoinExec;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AQEShuffleReadExec;
import org.apache.spark.sql.execution.adaptive.ShuffleQueryStageExec;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests adaptive execution over columnar exchanges: it divides large partitions, coalesces small
 * ones, reads map outputs locally, and broadcasts inputs that turn out small, all by the sizes that
 * exchanges report.
 */
class AdaptiveExchangeIT extends AbstractDifferentialIT {
  private static final int TEXT_ROWS = 24_000;

  /** More than exchanges write as codes. */
  private static final int TEXTS = 1500;

  private static final int TEXT_BYTES = 200;

  /** Most rows of {@code hot} have one key; {@code even} has each key as often as any other. */
  @BeforeAll
  void writeTables() {
    write("hot", 30_000, "id", "if(id % 10 > 0, 7, id) k", "id % 5 v");
    write("even", 90_000, "id", "id % 45000 k", "id % 7 v");
    write(
        "texts",
        TEXT_ROWS,
        "id",
        "id * 7 k",
        "concat(lpad(string(id %% %d), 9, '0'), repeat('x', %d)) s"
            .formatted(TEXTS, TEXT_BYTES - 9));
  }

  private void write(String name, long rows, String... columns) {
    writeView(
        name, session.range(0, rows, 1, 4).selectExpr(columns).write().mode(SaveMode.Overwrite));
  }

  /** Adaptive execution, with nothing broadcast but by measured sizes. */
  private static Map<String, String> adaptive(String broadcastThreshold) {
    Map<String, String> settings = new LinkedHashMap<>(LEGACY);
    settings.put("spark.sql.adaptive.enabled", "true");
    settings.put("spark.sql.autoBroadcastJoinThreshold", "-1");
    settings.put("spark.sql.adaptive.autoBroadcastJoinThreshold", broadcastThreshold);
    return settings;
  }

  private static Map<String, String> skewed() {
    Map<String, String> settings = adaptive("-1");
    settings.put("spark.sql.adaptive.skewJoin.skewedPartitionFactor", "1.5");
    settings.put("spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes", "8KB");
    settings.put("spark.sql.adaptive.advisoryPartitionSizeInBytes", "4KB");
    settings.put("spark.sql.adaptive.coalescePartitions.enabled", "false");
    settings.put("spark.sql.shuffle.partitions", "6");
    settings.put("spark.sql.files.minPartitionNum", "4");
    return settings;
  }

  /**
   * Each part of a divided partition is joined with all of the other side's; the smaller side is
   * kept, which is the divided one here.
   */
  @ParameterizedTest
  @CsvSource({
    "inner,hot,even,BuildLeft",
    "left,hot,even,BuildLeft",
    "left semi,hot,even,BuildLeft",
    "left anti,hot,even,BuildLeft",
    "inner,even,hot,BuildRight",
    "right,even,hot,BuildRight",
  })
  void dividedSideIsKept(String kind, String left, String right, String kept) {
    checkSkewed("merge(r)", kind, left, right, "l.k = r.k and l.v < r.v", kept);
  }

  /** The other side is kept by every task that reads a part of the divided one. */
  @ParameterizedTest
  @CsvSource({"inner", "left", "left semi", "left anti"})
  void dividedSideStreams(String kind) {
    checkSkewed("shuffle_hash(r)", kind, "hot", "even", "l.k = r.k", "BuildRight");
    String some = "(select * from even where id % 16 = 7)";
    checkSkewed("merge(r)", kind, "hot", some, "l.k = r.k", "BuildRight");
  }

  private void checkSkewed(
      String hint, String kind, String left, String right, String on, String kept) {
    boolean isHalf = kind.startsWith("left ");
    String join =
        "select /*+ %s */ l.id x%s from %s l %s join %s r on %s"
            .formatted(hint, isHalf ? "" : ", r.id y", left, kind, right, on);
    String sums =
        isHalf ? "count(*), sum(x), max(x)" : "count(*), sum(x), sum(y), count(x), max(y)";
    Outcome outcome = differential.outcome("select %s from (%s)".formatted(sums, join), skewed());
    List<AriadneHashJoinExec> joins = PlanNodes.of(outcome.plan(), AriadneHashJoinExec.class);
    assertEquals(1, joins.size(), outcome.plan()::toString);
    assertTrue(joins.get(0).simpleString(100).contains(kept), outcome.plan()::toString);
    AQEShuffleReadExec read = reads(joins.get(0)).get(left.equals("hot") ? 0 : 1);
    assertTrue(read.hasSkewedPartition(), outcome.plan()::toString);
    assertTrue(read.metrics().apply("numSkewedSplits").value() > 1, outcome.plan()::toString);
    assertTrue(read.partitionSpecs().size() > 6, outcome.plan()::toString);
  }

  /** Small partitions are read by one task. */
  @Test
  void coalescedPartitionsMatchSpark() {
    Map<String, String> settings = with(adaptive("-1"), "spark.sql.shuffle.partitions", "8");
    for (String sql :
        List.of(
            "select g, count(*), sum(i1) from edge group by g",
            "select /*+ merge(b) */ a.id, b.id, b.c2 from edge a join single b on a.l1 = b.l1",
            "select id, c1 from edge order by c1, id")) {
      Outcome outcome = differential.outcome(sql, settings);
      List<AQEShuffleReadExec> reads = reads(outcome.plan());
      assertTrue(!reads.isEmpty(), outcome.plan()::toString);
      for (AQEShuffleReadExec read : reads) {
        assertTrue(read.hasCoalescedPartition(), outcome.plan()::toString);
        assertTrue(read.partitionSpecs().size() < 8, outcome.plan()::toString);
      }
    }
  }

  /**
   * The exchange of the side that streams is needless once the other one is broadcast: map outputs
   * are read where they are, some partitions of one by a task, or all of several.
   */
  @ParameterizedTest
  @CsvSource({"8", "2"})
  void localReads(String partitions) {
    Map<String, String> settings =
        with(adaptive("10MB"), "spark.sql.shuffle.partitions", partitions);
    settings.put("spark.sql.files.minPartitionNum", "6");
    settings.put("spark.sql.adaptive.coalescePartitions.enabled", "false");
    for (String kind : List.of("join", "left join", "left semi join", "left anti join")) {
      Outcome outcome =
          differential.outcome(
              "select a.id, a.c1, a.d1 from edge a %s (select * from single where id < 200) b"
                      .formatted(kind)
                  + " on a.l1 = b.l1",
              settings);
      List<AriadneHashJoinExec> joins = PlanNodes.of(outcome.plan(), AriadneHashJoinExec.class);
      assertEquals(1, joins.size(), outcome.plan()::toString);
      assertTrue(joins.get(0).isBroadcast(), outcome.plan()::toString);
      assertTrue(
          reads(joins.get(0)).stream().anyMatch(AQEShuffleReadExec::isLocalRead),
          outcome.plan()::toString);
    }
  }

  /** Strings that are codes of a dictionary count as Spark's rows, which have them all. */
  @Test
  void broadcastsByMeasuredSizesMatchSpark() {
    String sql =
        "select count(*), sum(a.id), max(b.s) from even a left join (select k, s from texts where"
            + " id >= 0) b on a.id = b.k";
    long sparks = dataSize(run(sql, adaptive("-1"), "false"));
    SparkPlan plan = run(sql, adaptive("-1"), "true");
    long ours = dataSize(plan);
    assertTrue(sparks > (long) TEXT_ROWS * TEXT_BYTES, () -> "Spark's rows have " + sparks);
    assertEquals(1.0, (double) ours / sparks, 0.1, () -> ours + " in the place of " + sparks);
    for (double ratio : new double[] {0.8, 1.25}) {
      Map<String, String> settings = adaptive(String.valueOf((long) (sparks * ratio)));
      boolean isBroadcast =
          !PlanNodes.of(run(sql, settings, "false"), BroadcastHashJoinExec.class).isEmpty();
      assertEquals(ratio > 1, isBroadcast, "Spark's own choice");
      Outcome outcome = differential.outcome(sql, settings);
      List<AriadneHashJoinExec> joins = PlanNodes.of(outcome.plan(), AriadneHashJoinExec.class);
      assertEquals(1, joins.size(), outcome.plan()::toString);
      assertEquals(isBroadcast, joins.get(0).isBroadcast(), outcome.plan()::toString);
    }
    checkMapSizes(largest(plan).mapStats().get().bytesByPartitionId());
  }

  /** Checks what map tasks have told of the exchange of texts, by which partitions are divided. */
  void checkMapSizes(long[] bytes) {
    // Of files, after compression: how well Spark compresses is not known here.
    assertTrue(Arrays.stream(bytes).allMatch(each -> each > 0), () -> Arrays.toString(bytes));
  }

  /** Returns bytes of the texts. */
  static long textBytes() {
    return (long) TEXT_ROWS * TEXT_BYTES;
  }

  private SparkPlan run(String sql, Map<String, String> settings, String enabled) {
    settings.forEach((key, value) -> session.conf().set(key, value));
    session.conf().set("spark.ariadne.enabled", enabled);
    try {
      return Outcome.of(session, sql).plan();
    } finally {
      session.conf().unset("spark.ariadne.enabled");
      settings.keySet().forEach(session.conf()::unset);
    }
  }

  /** Returns the figure of the exchange with the most bytes. */
  private static long dataSize(SparkPlan plan) {
    return bytes(largest(plan));
  }

  private static ShuffleQueryStageExec largest(SparkPlan plan) {
    return PlanNodes.of(plan, ShuffleQueryStageExec.class).stream()
        .max((a, b) -> Long.compare(bytes(a), bytes(b)))
        .orElseThrow();
  }

  private static long bytes(ShuffleQueryStageExec stage) {
    ShuffleExchangeLike shuffle = stage.shuffle();
    return shuffle.runtimeStatistics().sizeInBytes().longValue();
  }

  /** Returns what reads exchanges of ours, those on the left first. */
  private static List<AQEShuffleReadExec> reads(SparkPlan plan) {
    return PlanNodes.of(plan, AQEShuffleReadExec.class).stream()
        .filter(
            read ->
                read.child() instanceof ShuffleQueryStageExec stage
                    && stage.shuffle() instanceof AriadneShuffleExchangeExec)
        .toList();
  }
}
