package io.ariadne.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Gauge;
import io.ariadne.event.EventKind;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.rules.ExecutedPlan;
import io.ariadne.shuffle.AriadneShuffleManager;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkEnv;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Starting and stopping, with good settings and bad ones. */
class TestPluginLifecycle {
  /** What a failed test leaves running would fail those after it. */
  @AfterEach
  void stopWhatIsLeft() {
    SparkSession left = SparkSession.getDefaultSession().getOrElse(() -> null);
    if (left != null) {
      left.stop();
    }
  }

  @Test
  void runtimeLivesAsLongAsTheContext() {
    for (int i = 0; i < 3; i++) {
      SparkSession spark = TestingSessions.builder().getOrCreate();
      assertTrue(ProcessRuntime.isStarted());
      assertTrue(spark.conf().get("spark.sql.extensions").contains("AriadneExtensions"));
      assertEquals(5, spark.sql("SELECT id FROM range(5)").count());
      spark.stop();
      assertFalse(ProcessRuntime.isStarted());
    }
    assertTrue(
        Thread.getAllStackTraces().keySet().stream()
            .noneMatch(thread -> thread.getName().startsWith("ariadne")));
  }

  /** Spark's sinks get the bytes of each tier. */
  @Test
  void memoryIsAmongSparksMetrics() {
    SparkSession spark = TestingSessions.builder().getOrCreate();
    var sources =
        SparkEnv.get()
            .metricsSystem()
            .getSourcesByName("plugin." + spark.conf().get("spark.plugins"));
    assertEquals(1, sources.size());
    @SuppressWarnings("rawtypes")
    Map<String, Gauge> gauges = sources.apply(0).metricRegistry().getGauges();
    ExecutorRuntime runtime = ProcessRuntime.get();
    assertEquals(runtime.pool().limitInBytes(), gauges.get("memory.host.limit").getValue());
    assertEquals(0L, gauges.get("memory.disk.bytes").getValue());
    assertEquals(0L, gauges.get("memory.host.mapOutputs").getValue());
    assertEquals(10, gauges.keySet().stream().filter(name -> name.startsWith("memory.")).count());
    long before = (Long) gauges.get("events.task.count").getValue();
    assertEquals(3, spark.sql("SELECT id % 3, count(*) FROM range(10) GROUP BY 1").count());
    assertTrue((Long) gauges.get("events.task.count").getValue() > before);
    assertTrue((Long) gauges.get("events.task.nanos").getValue() > 0);
    assertEquals(0L, gauges.get("gpu.lost").getValue());
    assertEquals(11 + 3 * EventKind.values().length, gauges.size());
    spark.stop();
  }

  @Test
  void mapOutputsStayInMemoryWhereSparkAllowsThePluginToSetTheManager() {
    SparkSession spark = TestingSessions.withDefaultManager().getOrCreate();
    Class<?> expected =
        BuildInfo.createsShuffleManagerAfterPlugins()
            ? AriadneShuffleManager.class
            : SortShuffleManager.class;
    assertEquals(expected, SparkEnv.get().shuffleManager().getClass());
    spark.stop();
  }

  @Test
  void badSettingKeepsTheApplicationFromStarting() {
    Exception e =
        assertThrows(
            Exception.class,
            () ->
                TestingSessions.builder().config("spark.ariadne.backend", "quantum").getOrCreate());
    assertEquals(
        "spark.ariadne.backend=quantum is not valid; valid values: auto, cpu, cuda, simulated",
        e.getMessage());
    assertFalse(ProcessRuntime.isStarted());
  }

  @Test
  void executorThatCannotStartFailsWhenRequired() {
    assertThrows(
        Exception.class,
        () -> TestingSessions.builder().config("spark.ariadne.backend", "cuda").getOrCreate());
    assertFalse(ProcessRuntime.isStarted());
  }

  @Test
  void queriesStayWithSparkWhenNotRequiredAndNotReady() {
    SparkSession spark =
        TestingSessions.builder()
            .config("spark.ariadne.backend", "cuda")
            .config("spark.ariadne.required", "false")
            .getOrCreate();
    assertFalse(ProcessRuntime.isStarted());
    Dataset<Row> query = spark.sql("SELECT id % 3, count(*) FROM range(10) GROUP BY 1");
    assertEquals(3, query.collectAsList().size());
    assertEquals(List.of(), ExecutedPlan.of(query.queryExecution().executedPlan()).nodes());
    spark.stop();
  }

  @Test
  void queriesRunOnAriadneWhenNotRequiredAndReady() {
    SparkSession spark =
        TestingSessions.builder().config("spark.ariadne.required", "false").getOrCreate();
    Dataset<Row> query =
        spark.newSession().sql("SELECT id % 3, count(*) FROM range(10) GROUP BY 1");
    assertEquals(3, query.collectAsList().size());
    assertEquals(
        2,
        ExecutedPlan.of(query.queryExecution().executedPlan())
            .named("AriadneHashAggregate")
            .size());
    spark.stop();
  }

  @Test
  void userExtensionsAreKept() {
    SparkSession spark =
        TestingSessions.builder()
            .config("spark.sql.extensions", UserExtensions.class.getName())
            .getOrCreate();
    assertTrue(UserExtensions.applied);
    assertTrue(spark.conf().get("spark.sql.extensions").startsWith("io.ariadne.plugin.User"));
    spark.stop();
  }
}
