package io.ariadne.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.executor.ProcessRuntime;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** Starting and stopping, with good settings and bad ones. */
class TestPluginLifecycle {
  @Test
  void testRuntimeLivesAsLongAsTheContext() {
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

  @Test
  void testBadSettingKeepsTheApplicationFromStarting() {
    Exception e =
        assertThrows(
            Exception.class,
            () ->
                TestingSessions.builder().config("spark.ariadne.backend", "quantum").getOrCreate());
    assertEquals(
        "spark.ariadne.backend=quantum is not valid; valid values: auto, cpu, cuda",
        e.getMessage());
    assertFalse(ProcessRuntime.isStarted());
  }

  @Test
  void testUserExtensionsAreKept() {
    SparkSession spark =
        TestingSessions.builder()
            .config("spark.sql.extensions", UserExtensions.class.getName())
            .getOrCreate();
    assertTrue(UserExtensions.applied);
    assertTrue(spark.conf().get("spark.sql.extensions").startsWith("io.ariadne.plugin.User"));
    spark.stop();
  }
}
