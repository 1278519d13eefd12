package io.ariadne.it.suites;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What a suite runs with. The cost rule is off, so that Ariadne takes over whatever it can of the
 * few rows that most tests have. Spark takes settings from system properties, so those of a suite
 * are set before it makes its session.
 *
 * @param isPluginOn false to see what Spark alone makes of the suite here
 * @param isSimulated whether kernels run on the simulated device instead of the host
 * @param isMemoryRefused whether there is little memory in its tests, and requests of it fail
 */
record SuiteSettings(boolean isPluginOn, boolean isSimulated, boolean isMemoryRefused) {
  /**
   * Seconds that Spark 4.1 waits at the end of a streaming query for a thread that may wait for the
   * lock that it holds itself.
   */
  private static final String STATE_STORES_END =
      "spark.sql.streaming.stateStore.maintenanceShutdownTimeout";

  private static final String SHUFFLE_MANAGER = "spark.shuffle.manager";

  private static final List<SuiteSettings> ROUNDS =
      List.of(
          new SuiteSettings(true, false, false),
          new SuiteSettings(true, true, true),
          new SuiteSettings(true, false, true),
          new SuiteSettings(true, true, false));

  private static final Pattern STREAMS = Pattern.compile("\\.streaming\\.|\\.v2\\.state\\.");

  /** Names of the properties that {@link #properties} may have. */
  private static final List<String> NAMES =
      List.of(
          "spark.plugins",
          "spark.extraListeners",
          "spark.ariadne.backend",
          "spark.ariadne.memory.size",
          "spark.ariadne.disable",
          SHUFFLE_MANAGER,
          STATE_STORES_END,
          "spark.ariadne.test.rethrowPlanningErrors",
          "spark.ariadne.test.runtimeAdjustment");

  /**
   * Returns the settings of a suite in a round: in each of four consecutive rounds others, and in
   * each round a quarter of the suites have each. Those of streams always have enough memory: their
   * tests wait for the next batch of a query that has failed.
   */
  static SuiteSettings of(String suite, long round) {
    SuiteSettings drawn =
        ROUNDS.get((int) Math.floorMod(suite.hashCode() + round, (long) ROUNDS.size()));
    return drawn.isMemoryRefused() && STREAMS.matcher(suite).find()
        ? new SuiteSettings(true, drawn.isSimulated(), false)
        : drawn;
  }

  /** Sets this JVM's system properties. */
  void apply() {
    NAMES.forEach(System::clearProperty);
    properties().forEach(System::setProperty);
  }

  private Map<String, String> properties() {
    Map<String, String> properties = new TreeMap<>();
    properties.put(STATE_STORES_END, "5");
    if (isPluginOn) {
      properties.put("spark.plugins", "io.ariadne.AriadnePlugin");
      properties.put("spark.extraListeners", PlanCounts.class.getName());
      properties.put("spark.ariadne.backend", isSimulated ? "simulated" : "cpu");
      properties.put("spark.ariadne.memory.size", "1g");
      properties.put("spark.ariadne.disable", "TransitionCost");
      // Map outputs of ended queries would take the little memory that tests may have.
      properties.put(SHUFFLE_MANAGER, "sort");
      properties.put("spark.ariadne.test.rethrowPlanningErrors", "true");
      properties.put("spark.ariadne.test.runtimeAdjustment", RefusedMemory.class.getName());
    }
    return properties;
  }

  @Override
  public String toString() {
    String device = isSimulated ? "simulated" : "host";
    return isPluginOn ? device + (isMemoryRefused ? ",refused" : "") : "off";
  }

  /** Reads what {@link #toString} gives: off, host, simulated, or one of these and ",refused". */
  static SuiteSettings parse(String text) {
    return new SuiteSettings(
        !text.equals("off"), text.startsWith("simulated"), text.endsWith("refused"));
  }
}
