package io.ariadne.it.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.it.sql.Differential;
import io.ariadne.it.sql.Differential.Errors;
import io.ariadne.it.sql.Outcome;
import io.ariadne.it.sql.TestingSessions;
import io.ariadne.rules.ExecutedPlan;
import io.ariadne.rules.PlanExplanation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.spark.SparkException;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A session with the plugin on two cores and a folder for files. The seed is printed; {@code
 * -Dariadne.test.seed=N} replays it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractScanIT {
  static final String SCAN = "AriadneScan";
  static final Map<String, String> PLAIN = Map.of();
  private static final Pattern IDENTITY = Pattern.compile("@[0-9a-f]+");

  @TempDir static Path folder;

  SparkSession session;
  Differential differential;
  Random random;

  @BeforeAll
  void start() {
    long seed = Long.getLong("ariadne.test.seed", new Random().nextLong());
    System.out.println(getClass().getSimpleName() + ": -Dariadne.test.seed=" + seed);
    random = new Random(seed);
    session = TestingSessions.start(settings());
    boolean namesFiles = !session.version().startsWith("3.");
    differential = new Differential(session, namesFiles ? Errors.SAME_OF_ONE_FILE : Errors.ANY);
  }

  /** Returns settings of the session beyond the usual ones. */
  Map<String, String> settings() {
    return Map.of("spark.sql.warehouse.dir", folder.resolve("warehouse").toUri().toString());
  }

  @AfterEach
  void assertNothingIsLive() {
    TestingSessions.assertNothingIsLive();
  }

  @AfterAll
  void stop() {
    TestingSessions.stop(session);
  }

  /** Returns the address of a file or folder of this test. */
  String address(String name) {
    return folder.resolve(name).toUri().toString();
  }

  /** Writes a table as one Parquet file into a folder of this name. */
  void write(Dataset<Row> table, String name, Map<String, String> options) {
    table.coalesce(1).write().options(options).mode(SaveMode.Overwrite).parquet(address(name));
  }

  /** Registers the files of a folder as a view of the same name. */
  void view(String name) {
    session.read().parquet(address(name)).createOrReplaceTempView(name);
  }

  /** Registers the files of a folder as a view of the same name and the given columns. */
  void view(String name, StructType schema) {
    session.read().schema(schema).parquet(address(name)).createOrReplaceTempView(name);
  }

  /** Registers the files of a folder as a view of the same name and the given columns. */
  void view(String name, String schema) {
    session.read().schema(schema).parquet(address(name)).createOrReplaceTempView(name);
  }

  /** Compares a query with Spark; counts only if Ariadne's reader read files. */
  void check(String sql) {
    check(sql, PLAIN);
  }

  /** Compares a query with Spark; counts only if Ariadne's reader read files. */
  void check(String sql, Map<String, String> settings) {
    checked(sql, settings);
  }

  /** Compares a query as {@link #check} does and returns what Ariadne made of it. */
  Outcome checked(String sql, Map<String, String> settings) {
    Outcome outcome = differential.outcome(sql, settings);
    requireScan(sql, outcome);
    return outcome;
  }

  /**
   * Compares a query that fails as {@link #check} does, and besides the classes of all causes,
   * their conditions, parameters and messages.
   */
  void checkFails(String sql, Map<String, String> settings) {
    checked(sql, settings);
    settings.forEach(session.conf()::set);
    session.conf().set("spark.ariadne.enabled", "false");
    List<String> expected = causes(sql);
    session.conf().set("spark.ariadne.enabled", "true");
    List<String> causes = causes(sql);
    session.conf().unset("spark.ariadne.enabled");
    settings.keySet().forEach(session.conf()::unset);
    assertEquals(expected, causes, sql);
  }

  // Spark 4 calls it getCondition, Spark 3.5 knows only this name.
  @SuppressWarnings("deprecation")
  private List<String> causes(String sql) {
    Throwable failure = Outcome.of(session, sql).failure();
    assertNotNull(failure, () -> "rows: " + sql);
    List<String> causes = new ArrayList<>();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      boolean isFailedJob = cause instanceof SparkException job && job.getErrorClass() == null;
      if (!isFailedJob) {
        causes.add(describe(cause));
      }
    }
    return causes;
  }

  // Spark 4 calls it getCondition, Spark 3.5 knows only this name.
  @SuppressWarnings("deprecation")
  private static String describe(Throwable cause) {
    String spark =
        cause instanceof SparkThrowable thrown && thrown.getErrorClass() != null
            ? " [" + thrown.getErrorClass() + "] " + new TreeMap<>(thrown.getMessageParameters())
            : "";
    String message = IDENTITY.matcher(String.valueOf(cause.getMessage())).replaceAll("@");
    return cause.getClass().getName() + spark + ": " + message;
  }

  /**
   * Compares a query with Spark reading row by row through parquet-mr: its vectorised reader has
   * failed, or given other strings than parquet-mr, on version 2 files with pages of few rows.
   */
  void checkAgainstRowReader(String sql) {
    Outcome expected = withRowReader(sql);
    Outcome outcome = Outcome.of(session, sql);
    assertTrue(expected.sameAs(outcome), () -> sql + "\nSpark: " + expected + "\n" + outcome);
    requireScan(sql, outcome);
  }

  private Outcome withRowReader(String sql) {
    session.conf().set("spark.ariadne.enabled", "false");
    session.conf().set("spark.sql.parquet.enableVectorizedReader", "false");
    try {
      return Outcome.of(session, sql);
    } finally {
      session.conf().unset("spark.ariadne.enabled");
      session.conf().unset("spark.sql.parquet.enableVectorizedReader");
    }
  }

  static void requireScan(String sql, Outcome outcome) {
    List<ExecutedPlan.Node> scans = ExecutedPlan.of(outcome.plan()).named(SCAN);
    boolean isProof =
        outcome.error() != null
            ? !scans.isEmpty()
            : scans.stream().anyMatch(scan -> scan.metrics().get("footerNanos") > 0);
    assertTrue(isProof, () -> "Ariadne read no file\nin " + sql + "\n" + outcome.plan());
  }

  /** Compares a query with Spark that must stay with Spark's reader, and why. */
  void checkFallback(String sql, Map<String, String> settings, String reason) {
    differential.checkHarmless(sql, settings);
    session.conf().set("spark.ariadne.enabled", "false");
    SparkPlan plan;
    try {
      plan = session.sql(sql).queryExecution().executedPlan();
    } finally {
      session.conf().unset("spark.ariadne.enabled");
    }
    String explanation = PlanExplanation.explain(plan, Set.of());
    assertTrue(explanation.contains(reason), () -> sql + "\nlacks: " + reason + "\n" + explanation);
    assertEquals(Set.of(), names(Outcome.of(session, sql)), () -> sql + " has a scan of Ariadne's");
  }

  private static Set<String> names(Outcome outcome) {
    return ExecutedPlan.of(outcome.plan()).named(SCAN).isEmpty() ? Set.of() : Set.of(SCAN);
  }

  /** Runs a query on Ariadne and returns the sums of the metrics of its scans. */
  Map<String, Long> scanMetrics(String sql) {
    return scanMetrics(Outcome.of(session, sql));
  }

  /** Returns the sums of the metrics of the scans of a query that ran on Ariadne. */
  static Map<String, Long> scanMetrics(Outcome outcome) {
    Map<String, Long> sums = new LinkedHashMap<>();
    for (ExecutedPlan.Node node : ExecutedPlan.of(outcome.plan()).named(SCAN)) {
      node.metrics().forEach((name, value) -> sums.merge(name, value, Long::sum));
    }
    return sums;
  }
}
