package io.ariadne.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Gauge;
import io.ariadne.backend.simulated.SimulatedBackend;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.rules.ExecutedPlan;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A device that is lost in the middle of a query: Spark's retries run on the host's kernels. */
class TestLostGpu {
  private static final String QUERY =
      "SELECT id % 7 AS k, sum(id * 3), count(*) FROM range(0, 100000, 1, 4) WHERE id % 3 < 2"
          + " GROUP BY 1 ORDER BY 1";

  private SparkSession spark;

  private void start(String master) {
    spark =
        TestingSessions.builder()
            .master(master)
            .config("spark.ariadne.backend", "simulated")
            .config("spark.ariadne.gpu.onFatalError", "exit")
            .getOrCreate();
  }

  @AfterEach
  void stop() {
    ExecutorRuntime runtime = ProcessRuntime.get();
    assertEquals(0, runtime.openFragmentCount());
    assertEquals(0, runtime.memoryUsage().deviceBytes());
    spark.stop();
  }

  private static SimulatedBackend device() {
    return (SimulatedBackend) ProcessRuntime.get().backend();
  }

  private long gauge(String name) {
    Gauge<?> gauge =
        SparkEnv.get()
            .metricsSystem()
            .getSourcesByName("plugin." + spark.conf().get("spark.plugins"))
            .apply(0)
            .metricRegistry()
            .getGauges()
            .get(name);
    return (Long) gauge.getValue();
  }

  private List<Row> assertRunsOnAriadne() {
    Dataset<Row> query = spark.sql(QUERY);
    List<Row> rows = query.collectAsList();
    ExecutedPlan plan = ExecutedPlan.of(query.queryExecution().executedPlan());
    assertEquals(2, plan.named("AriadneHashAggregate").size());
    return rows;
  }

  /** Each task may fail three times: the query does not fail. */
  @Test
  void querySurvivesByRetries() {
    start("local[2, 4]");
    List<Row> expected = assertRunsOnAriadne();
    device().loseAfter(3);
    assertEquals(expected, assertRunsOnAriadne());
    assertTrue(ProcessRuntime.get().lostDevice().isPresent());
    assertEquals("cpu", ProcessRuntime.get().backend().name());
    assertEquals(1, gauge("gpu.lost"));
    assertEquals(0, gauge("memory.device.limit"));
  }

  /** Without retries this query fails, and says why; the next one runs. */
  @Test
  void nextQueryRuns() {
    start("local[2]");
    List<Row> expected = assertRunsOnAriadne();
    assertEquals(0, gauge("gpu.lost"));
    device().loseAfter(3);
    Exception failed = assertThrows(Exception.class, this::assertRunsOnAriadne);
    String cause = ProcessRuntime.get().lostDevice().orElseThrow();
    assertTrue(messages(failed).contains(cause), () -> messages(failed));
    assertEquals(expected, assertRunsOnAriadne());
  }

  private static String messages(Throwable failure) {
    StringBuilder text = new StringBuilder();
    for (Throwable each = failure; each != null; each = each.getCause()) {
      text.append(each.getMessage()).append('\n');
    }
    return text.toString();
  }
}
