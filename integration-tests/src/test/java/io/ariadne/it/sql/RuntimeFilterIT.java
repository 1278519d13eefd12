package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.ariadne.bridge.node.AriadneShuffleExchangeExec;
import io.ariadne.rules.exec.ExchangeShuffles;
import io.ariadne.rules.filter.FilterRoles;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares joins with runtime filters with Spark's, and checks that rows are dropped where they may
 * be. A filter may come too late in a run; then the query runs again.
 */
class RuntimeFilterIT extends AbstractDifferentialIT {
  private static final Coverage JOIN = Coverage.of("AriadneHashJoin");
  private static final int RUNS = 10;

  /** A column of each type with a value for each id, or null. */
  private static final String KEYS =
      keyTypes()
          .map(
              type -> {
                String of =
                    switch (type) {
                      case "timestamp", "timestamp_ntz" -> "timestamp_seconds(e.id * 9999 - 2e10)";
                      case "date" -> "date_add(date '1500-01-01', cast(e.id as int))";
                      case "binary" -> "cast(e.id as string)";
                      default -> "e.id";
                    };
                return ", if(e.id %% 6 = 5, null, cast(%s as %s)) %s"
                    .formatted(of, type, nameOf(type));
              })
          .collect(Collectors.joining());

  static Stream<String> keyTypes() {
    return Stream.of(
        "smallint",
        "int",
        "bigint",
        "decimal(9,2)",
        "decimal(18,4)",
        "decimal(38,10)",
        "string",
        "timestamp",
        "timestamp_ntz",
        "date",
        "binary");
  }

  private static String nameOf(String type) {
    return "k_" + type.replaceAll("[^a-z0-9_]", "_");
  }

  /** Table {@code wide} has each row of {@code edge} 30 times, in 16 files. */
  @BeforeAll
  void writeTables() {
    writeView(
        "wide",
        session
            .sql("select e.*, c.id copy" + KEYS + " from edge e cross join range(30) c")
            .repartition(16)
            .write());
    writeView(
        "keys",
        session
            .sql("select *, id % 10 part" + KEYS + " from edge e where id % 7 = 0")
            .repartition(2)
            .write());
  }

  private static Map<String, String> filtered() {
    Map<String, String> settings = new LinkedHashMap<>(LEGACY);
    settings.put("spark.sql.autoBroadcastJoinThreshold", "-1");
    settings.put("spark.ariadne.runtimeFilter.minSize", "0");
    settings.put("spark.sql.files.openCostInBytes", "134217728"); // a task for each file
    return settings;
  }

  private static final String FEW = "(select * from keys where part < 2)";

  /** The large side is left or right; rows may be dropped where the join loses them anyway. */
  @ParameterizedTest
  @CsvSource({
    "wide, inner, few, true",
    "few, inner, wide, true",
    "wide, left semi, few, true",
    "few, left semi, wide, true",
    "few, left anti, wide, true",
    "few, left, wide, true",
    "wide, right, few, true",
    "wide, left, few, false",
    "few, right, wide, false",
    "wide, left anti, few, false",
    "wide, full, few, false",
  })
  void joinKindsMatchSpark(String left, String kind, String right, boolean mayDrop) {
    for (String hint : List.of("merge(r)", "shuffle_hash(r)")) {
      if (kind.equals("full") || !hint.startsWith("shuffle_hash") || !kind.equals("right")) {
        checkDrops(counted(hint, left, kind, right, "l.l1 = r.l1"), mayDrop);
      }
    }
  }

  private static String counted(String hint, String left, String kind, String right, String on) {
    String columns = kind.matches("left (semi|anti)") ? "l.id a, 0 b" : "l.id a, r.id b";
    return ("select a, b, count(*) from (select /*+ %s */ %s from %s l %s join %s r on %s)"
            + " group by a, b")
        .formatted(hint, columns, left.replace("few", FEW), kind, right.replace("few", FEW), on);
  }

  @ParameterizedTest
  @MethodSource("keyTypes")
  void keysOfEveryTypeMatchSpark(String type) {
    String on = "l.%s = r.%s".formatted(nameOf(type), nameOf(type));
    checkDrops(counted("merge(r)", "few", "inner", "wide", on), true);
  }

  /** All rows may pass. */
  @ParameterizedTest
  @ValueSource(strings = {"b1", "z1", "i1", "n1", "h1", "a1", "t1", "u1", "c1", "x1", "g"})
  void edgeValuesMatchSpark(String key) {
    String on = "l.%s = r.%s".formatted(key, key);
    run(counted("merge(r)", "few", "inner", "wide", on), true);
  }

  /** Zeros of both signs are equal, and so are values of different bits that are no numbers. */
  @ParameterizedTest
  @ValueSource(strings = {"f1", "d1"})
  void floatingKeysAreNotFiltered(String key) {
    String on = "l.%s = r.%s".formatted(key, key);
    checkDrops(counted("merge(r)", "few", "inner", "wide", on), false);
  }

  @Test
  void severalKeysMatchSpark() {
    checkDrops(counted("merge(r)", "few", "inner", "wide", "l.id = r.id and l.c1 = r.c1"), true);
    checkDrops(counted("merge(r)", "few", "inner", "wide", "l.id = r.id and l.g <=> r.g"), false);
    checkDrops(counted("merge(r)", "few", "inner", "wide", "l.id = r.id and l.l1 < r.l2"), true);
  }

  /** The filter is made where the key is first read, before other joins. */
  @Test
  void filterPassesJoinsAndAggregations() {
    checkDrops(
        "select /*+ merge(a), merge(w), merge(o) */ count(*), sum(w.id) from "
            + FEW
            + " a join edge o on a.i1 + 1 = o.i1 join wide w on a.id = w.id",
        true);
    checkDrops(
        "select /*+ merge(w) */ count(*), sum(w.copy) from (select id, max(g) g from "
            + FEW
            + " group by id) a join wide w on a.id = w.id",
        true);
    checkDrops(
        "select w.g, count(*) from wide w where w.id in (select id from keys where part = 1)"
            + " and w.copy > 3 group by w.g",
        true);
  }

  /** Spark broadcasts a table first, and makes the stage of the smaller input after that. */
  @Test
  void filterIsMadeAboveBroadcasts() {
    checkDrops(
        "select /*+ broadcast(o), merge(w) */ count(*), sum(w.copy), sum(o.d) from "
            + FEW
            + " a join (select id, id % 3 d from edge where id % 2 = 0) o on a.id = o.id"
            + " join wide w on a.id = w.id",
        true);
  }

  /** Rows that no filter takes away, or that are not the same when a task is repeated. */
  @Test
  void unsuitableKeysMakeNoFilter() {
    checkDrops(counted("merge(r)", "keys", "inner", "wide", "l.id = r.id"), false);
    checkDrops(
        counted(
            "merge(r)",
            "(select * from keys where part < 2 limit 9)",
            "inner",
            "wide",
            "l.id = r.id"),
        false);
  }

  /** An exchange that Spark uses twice has the rows that both readers need. */
  @Test
  void sharedExchangesKeepAllRows() {
    String join = "select count(*) n, sum(w.copy) from %s k join wide w on k.id = w.id";
    String union =
        (join + " union all " + join).formatted(FEW, "(select * from keys where part = 5)");
    for (String size : List.of("0", "off")) {
      Outcome outcome =
          differential.outcome(
              union, with(filtered(), "spark.ariadne.runtimeFilter.minSize", size));
      List<ReusedExchangeExec> reused = PlanNodes.of(outcome.plan(), ReusedExchangeExec.class);
      assertEquals(1, reused.size(), outcome.plan()::toString);
      assertEquals(0, filters(outcome.plan()), outcome.plan()::toString);
    }
  }

  @Test
  void settingsTurnFiltersOff() {
    String sql = counted("merge(r)", "few", "inner", "wide", "l.id = r.id");
    for (Map<String, String> off :
        List.of(
            with(filtered(), "spark.ariadne.runtimeFilter.minSize", "off"),
            with(filtered(), "spark.ariadne.runtimeFilter.minSize", "1g"),
            with(filtered(), "spark.sql.adaptive.enabled", "false"))) {
      assertEquals(0, filters(differential.outcome(sql, off).plan()), off::toString);
    }
  }

  /** Checks a query with one exchange that tests a filter, or with none. */
  private void checkDrops(String sql, boolean mayDrop) {
    // Spark 3.5 submits stages in the order of the plan, so the filter may always come too late.
    boolean mustDrop = mayDrop && !TestingSessions.isSpark35();
    for (int run = 0; run < (mustDrop ? RUNS : 1); run++) {
      if (dropped(run(sql, mayDrop)) > 0) {
        return;
      }
    }
    assertFalse(mustDrop, () -> "no rows dropped in " + RUNS + " runs of " + sql);
  }

  private SparkPlan run(String sql, boolean isFiltered) {
    Outcome outcome = differential.outcome(sql, filtered());
    VacuityGate.require(JOIN, sql, outcome);
    assertEquals(isFiltered ? 1 : 0, filters(outcome.plan()), outcome.plan()::toString);
    return outcome.plan();
  }

  /** Returns how many exchanges test a filter that another one makes. */
  private static long filters(SparkPlan plan) {
    List<FilterRoles> roles =
        PlanNodes.of(plan, AriadneShuffleExchangeExec.class).stream()
            .map(node -> ((ExchangeShuffles) node.shuffles()).roles())
            .toList();
    Set<Long> made =
        roles.stream()
            .flatMap(each -> each.builds().stream())
            .map(FilterRoles.Build::id)
            .collect(Collectors.toSet());
    return roles.stream().filter(each -> made.contains(each.tested())).count();
  }

  private static long dropped(SparkPlan plan) {
    return PlanNodes.of(plan, AriadneShuffleExchangeExec.class).stream()
        .mapToLong(node -> node.longMetric("numFilteredRows").value())
        .sum();
  }
}
