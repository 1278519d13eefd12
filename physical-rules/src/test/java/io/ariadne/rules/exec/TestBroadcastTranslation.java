package io.ariadne.rules.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.rules.ExplainMode;
import io.ariadne.rules.RulesConfig;
import io.ariadne.rules.TestingSession;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Which broadcasts become columns, by what their rows are looked up by, in ANSI mode. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TestBroadcastTranslation {
  private SparkSession session;

  @BeforeAll
  void start() {
    session =
        TestingSession.start(
            () -> new RulesConfig(false, ExplainMode.NONE, Set.of(), OptionalLong.empty(), false));
    session.conf().set("spark.sql.adaptive.enabled", "false");
    session.conf().set("spark.sql.ansi.enabled", "true");
    session
        .sql(
            "select int(id) i, int(id) j, smallint(id) h, id l, string(id) s,"
                + " decimal(id) d, date'2020-01-01' + int(id) t, double(id) f from range(3)")
        .createOrReplaceTempView("rows");
  }

  @AfterAll
  void stop() {
    session.stop();
  }

  @Test
  void convertsKeysThatCannotRaise() {
    for (String on :
        List.of(
            "a.i = b.i",
            "a.i = b.i and a.j = b.j", // Spark packs them into a long
            "a.h = b.h and a.i = b.i",
            "a.l = b.l and a.s = b.s",
            "a.d = b.d",
            "a.t = b.t",
            "a.f = b.f",
            "a.s = upper(b.s)",
            "a.i < b.i")) {
      assertEquals(List.of(), reasons(on), on);
    }
  }

  @Test
  void refusesKeysThatMayRaise() {
    for (String key : List.of("cast(b.s as int)", "b.i + 1", "b.i div b.j")) {
      List<String> reasons = reasons("a.i = " + key);
      assertEquals(1, reasons.size(), key);
      assertTrue(reasons.get(0).endsWith(": it may raise"), reasons::toString);
    }
  }

  private List<String> reasons(String on) {
    SparkPlan plan =
        session
            .sql("select /*+ broadcast(b) */ a.i from rows a join rows b on " + on)
            .queryExecution()
            .executedPlan();
    return BroadcastTranslation.tryConvert(broadcast(plan)).reasons();
  }

  private static BroadcastExchangeExec broadcast(SparkPlan plan) {
    if (plan instanceof BroadcastExchangeExec exchange) {
      return exchange;
    }
    return ScalaCollections.<SparkPlan>list(plan.children()).stream()
        .map(TestBroadcastTranslation::broadcast)
        .filter(found -> found != null)
        .findFirst()
        .orElse(null);
  }
}
