package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.rules.ExecutedPlan;
import io.ariadne.rules.exec.AriadneHashJoinExec;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests columnar broadcasts with several readers: Ariadne's joins, Spark's joins and partition
 * pruning of one query, and all tasks of a process. Includes broadcasts that are too large to
 * share.
 */
class SharedBroadcastIT extends AbstractJoinIT {
  private static final Coverage BROADCAST = BroadcastIT.BROADCAST;

  /** No kernel computes it, and no side is filtered for its sake. */
  private static final String WITHOUT_KERNEL =
      " and coalesce(soundex(string(a.id)), '') <= coalesce(soundex(string(b.id)), '')";

  private static final int LONG_ROWS = 20_000;
  private static final int LONG_BYTES = 2_000;

  @BeforeAll
  void writeMore() {
    writeView(
        "parts",
        session.range(0, 3000).selectExpr("id", "cast(id % 11 as int) p").write().partitionBy("p"));
    writeView(
        "texts",
        session
            .range(0, LONG_ROWS, 1, 3)
            .selectExpr("id", "concat(repeat(string(id %% 10), %d), id) s".formatted(LONG_BYTES))
            .write());
  }

  private static Map<String, String> settings(String adaptive, String generated) {
    return with(
        BroadcastIT.ours(adaptive), "spark.sql.codegen.wholeStage", String.valueOf(generated));
  }

  /** Of joins by one int, one long, a string and several keys; either join may be planned first. */
  @ParameterizedTest
  @CsvSource({"true,true", "false,false"})
  void joinsThatShareMatchSpark(String adaptive, String generated) {
    int next = 0;
    for (String on :
        List.of("a.i1 = b.i1", "a.l1 = b.l1", "a.c1 = b.c1", "a.g = b.g and a.z1 = b.z1")) {
      String ours =
          "select /*+ broadcast(b) */ a.id x, b.id y from l a join"
              + " (select id, g, z1, i1, l1, c1 from r where i2 < 90) b on "
              + on;
      String sparks = ours + WITHOUT_KERNEL;
      String sql =
          switch (next++ % 3) {
            case 0 -> ours + " union all " + sparks;
            case 1 -> sparks + " union all " + ours;
            default ->
                "select x, y, (select sum(x) + sum(y) from (%s)) from (%s)".formatted(ours, sparks);
          };
      checkShared(sql, settings(adaptive, generated), BROADCAST);
    }
  }

  /**
   * Partitions of files are chosen by the same rows. Without adaptive execution Spark plans that
   * broadcast first, as its own, and all joins read it.
   */
  @ParameterizedTest
  @CsvSource({"true,AriadneBroadcastExchange", "false,AriadneBroadcast"})
  void joinsThatShareWithPruningMatchSpark(String adaptive, String node) {
    String ours =
        "select /*+ broadcast(b) */ a.id x, b.id y from parts a join"
            + " (select id, g from r where id < 9) b on a.p = b.g";
    String sparks = ours + WITHOUT_KERNEL;
    for (String sql : List.of(ours + " union all " + sparks, sparks + " union all " + ours)) {
      Outcome outcome = checkShared(sql, settings(adaptive, "true"), Coverage.of(node));
      assertTrue(outcome.plan().toString().contains("dynamicpruning"), outcome.plan()::toString);
    }
  }

  /** What is broadcast comes of one partition; alone it would come of an exchange (SPARK-34637). */
  @Test
  void pruningByGroupsOfOnePartition() {
    Outcome outcome =
        differential.outcome(
            "with v as (select p from parts where id < 40 group by p)"
                + " select v1.p, v2.p q from v v1 join v v2 on v1.p = v2.p",
            Map.of(
                "spark.sql.adaptive.enabled", "true",
                "spark.ariadne.disable", "TransitionCost",
                "spark.sql.optimizer.dynamicPartitionPruning.reuseBroadcastOnly", "true"));
    String plan = outcome.plan().toString();
    assertTrue(plan.contains("AriadneOnePartition"), plan);
    assertTrue(plan.contains("SubqueryBroadcast dynamicpruning"), plan);
    assertEquals(1, PlanNodes.of(outcome.plan(), BroadcastExchangeExec.class).size(), plan);
  }

  private Outcome checkShared(String sql, Map<String, String> settings, Coverage coverage) {
    Outcome outcome = differential.outcome(sql, settings);
    VacuityGate.require(coverage, sql, outcome);
    assertTrue(joins(outcome), outcome.plan()::toString);
    assertFalse(
        PlanNodes.of(outcome.plan(), BroadcastHashJoinExec.class).isEmpty(),
        outcome.plan()::toString);
    assertFalse(
        PlanNodes.of(outcome.plan(), ReusedExchangeExec.class).isEmpty(), outcome.plan()::toString);
    assertEquals(
        1,
        PlanNodes.of(outcome.plan(), BroadcastExchangeExec.class).size(),
        outcome.plan()::toString);
    return outcome;
  }

  /** What makes a table counts the rows it reads of the broadcast: once, however many tasks. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void tableIsMadeOnce(String adaptive) {
    BroadcastIT.ours(adaptive).forEach(session.conf()::set);
    // Without injected faults, which make memory scarce: memory pressure releases unused hash
    // tables.
    Outcome outcome =
        Outcome.of(
            session,
            "select /*+ broadcast(b), broadcast(c) */ count(*), sum(b.id), sum(c.id) from"
                + " range(0, 6000, 1, 16) a join r b on a.id % 200 = b.id join r c"
                + " on a.id % 150 = c.id");
    BroadcastIT.ours(adaptive).keySet().forEach(session.conf()::unset);
    assertNull(outcome.error());
    ExecutedPlan plan = ExecutedPlan.of(outcome.plan());
    List<ExecutedPlan.Node> tables = plan.named("AriadneBroadcast");
    assertEquals(2, tables.size(), outcome.plan()::toString);
    assertEquals(
        150,
        tables.stream().mapToLong(node -> node.metrics().get("numOutputRows")).sum(),
        outcome.plan()::toString);
  }

  /**
   * Few rows may have more characters than a process should keep. What they were read with does not
   * count, though it lies in the same heaps.
   */
  @Test
  void broadcastsOfLongStringsMatchSpark() {
    String sql =
        "select /*+ broadcast(b) */ count(*), max(b.s), sum(length(b.s)) from single a join"
            + " (select id, s from texts where s like '%s') b on a.id = b.id";
    Outcome all = differential.outcome(sql.formatted("%"), BroadcastIT.ours("true"));
    VacuityGate.require(BROADCAST, "all", all);
    assertFalse(joins(all), all.plan()::toString);
    Outcome few = differential.outcome(sql.formatted("%07"), BroadcastIT.ours("true"));
    VacuityGate.require(BROADCAST, "few", few);
    assertEquals(
        1, PlanNodes.of(few.plan(), AriadneHashJoinExec.class).size(), few.plan()::toString);
  }
}
