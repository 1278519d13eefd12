package io.ariadne.it.fuzz;

import io.ariadne.it.fault.InjectedFaults;
import io.ariadne.shuffle.AriadneShuffleManager;
import java.util.Map;
import java.util.TreeMap;

/** Draws random settings of a session and of an application. */
final class FuzzSettings {
  static final String ANSI = "spark.sql.ansi.enabled";
  static final String ZONE = "spark.sql.session.timeZone";

  /**
   * Moves a correlated scalar subquery below a limit, where it becomes a join below which Spark
   * 4.1.3 drops the sort: the rows of {@code ORDER BY x LIMIT n} are then any n.
   */
  private static final String SORTS_DROPPED =
      "org.apache.spark.sql.catalyst.optimizer.PushProjectionThroughLimitAndOffset";

  private static final String TABLES_OF_VALUES =
      "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation";

  private static final String DISABLED = "spark.ariadne.disable";
  private static final String BACKEND = "spark.ariadne.backend";

  private FuzzSettings() {}

  /** Returns rows of a batch for an application: of small tables there are several then. */
  static int batchRows(Chance chance) {
    return Integer.getInteger(InjectedFaults.BATCH_ROWS, chance.pick(64, 64, 128, 1024, 65_536));
  }

  /** Returns settings of a session, for one query. */
  static Map<String, String> ofSession(Chance chance) {
    Map<String, String> settings = new TreeMap<>();
    settings.put(ANSI, String.valueOf(chance.percent(30)));
    settings.put(
        ZONE, chance.pick("UTC", "UTC", "America/Los_Angeles", "Asia/Kolkata", "Europe/Paris"));
    settings.put("spark.sql.adaptive.enabled", String.valueOf(chance.percent(50)));
    settings.put("spark.sql.shuffle.partitions", String.valueOf(1 + chance.below(4)));
    settings.put("spark.sql.autoBroadcastJoinThreshold", chance.pick("-1", "10485760"));
    settings.put("spark.sql.join.preferSortMergeJoin", String.valueOf(chance.percent(60)));
    settings.put(DISABLED, disabled(chance));
    // Spark's side is to be fast: most of its time is that of compiling code it runs once.
    boolean isCompiled = chance.percent(3);
    settings.put("spark.sql.codegen.wholeStage", String.valueOf(isCompiled));
    settings.put("spark.sql.codegen.factoryMode", isCompiled ? "FALLBACK" : "NO_CODEGEN");
    if (chance.percent(20)) {
      settings.put("spark.sql.files.maxPartitionBytes", chance.pick("5000", "20000"));
    }
    if (chance.percent(25)) {
      settings.put("spark.sql.files.openCostInBytes", "0");
    }
    settings.put(
        "spark.sql.optimizer.excludedRules",
        chance.percent(30) ? SORTS_DROPPED + "," + TABLES_OF_VALUES : SORTS_DROPPED);
    if (chance.percent(10)) {
      settings.put("spark.sql.execution.useObjectHashAggregateExec", "false");
    }
    if (chance.percent(10)) {
      settings.put("spark.sql.caseSensitive", "true");
    }
    if (chance.percent(15)) {
      settings.put("spark.sql.legacy.timeParserPolicy", chance.pick("LEGACY", "CORRECTED"));
    }
    if (chance.percent(5)) {
      settings.put("spark.sql.legacy.allowNegativeScaleOfDecimal", "true");
    }
    settings.put("spark.ariadne.runtimeFilter.minSize", chance.pick("0", "0", "16m", "off"));
    return settings;
  }

  /** The cost rule is off more often than not, so that all that can be converted is. */
  private static String disabled(Chance chance) {
    String cost = chance.percent(70) ? "TransitionCost" : "";
    String part =
        chance.percent(60)
            ? "OnePartitionExec"
            : chance.pick("", "", "FileSourceScanExec", "ShuffleExchangeExec", "ExpressionBridge");
    return cost.isEmpty() || part.isEmpty() ? cost + part : cost + "," + part;
  }

  /** Returns settings of an application: back end, shuffle manager, and how much memory it has. */
  static Map<String, String> ofApplication(Chance chance) {
    Map<String, String> settings = new TreeMap<>();
    settings.put(
        BACKEND,
        System.getProperty("ariadne.fuzz.backend", chance.pick("cpu", "cpu", "simulated")));
    boolean keepsOutputs =
        Boolean.parseBoolean(
            System.getProperty("ariadne.fuzz.keptOutputs", String.valueOf(chance.percent(40))));
    settings.put(
        "spark.shuffle.manager", keepsOutputs ? AriadneShuffleManager.class.getName() : "sort");
    // Of queries that run once, what Spark keeps for its user interface costs a tenth of the time.
    settings.put("spark.sql.ui.explainMode", "simple");
    settings.put("spark.ui.liveUpdate.period", "-1");
    settings.put("spark.sql.ui.retainedExecutions", "5");
    settings.put("spark.ui.retainedJobs", "5");
    settings.put("spark.ui.retainedStages", "10");
    settings.put("spark.ui.retainedTasks", "20");
    settings.put(
        "spark.ariadne.memory.size",
        System.getProperty("ariadne.fuzz.memory", chance.pick("512m", "1g", "96m")));
    return settings;
  }
}
