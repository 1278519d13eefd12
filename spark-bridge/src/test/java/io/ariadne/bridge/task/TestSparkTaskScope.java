package io.ariadne.bridge.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.bridge.TestingSession;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.internal.SQLConf;
import org.junit.jupiter.api.Test;

/**
 * Tests that other threads have a task's surroundings while they are in its scope, and not
 * afterwards.
 */
class TestSparkTaskScope {
  @Test
  void threadsInScopeSeeTheTaskAndItsSettings() {
    SparkSession spark = TestingSession.start();
    try {
      spark.conf().set("spark.sql.session.timeZone", "Asia/Kolkata");
      List<String> seen =
          spark.range(0, 1, 1, 1).toJavaRDD().mapPartitions(rows -> observe().iterator()).collect();
      // Settings reach tasks of SQL executions only; an RDD job sets the local property itself.
      assertEquals(List.of("null", "0 same", "0 same", "null", "refused"), seen);
      JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
      context.setLocalProperty("spark.sql.session.timeZone", "Asia/Kolkata");
      List<String> zones =
          context.parallelize(List.of(1), 1).map(one -> timeZoneOnAnotherThread()).collect();
      assertEquals(List.of("Asia/Kolkata"), zones);
    } finally {
      spark.stop();
    }
  }

  @Test
  void failsOutsideATask() {
    assertThrows(IllegalStateException.class, SparkTaskScope::current);
  }

  private static List<String> observe() throws Exception {
    SparkTaskScope scope = SparkTaskScope.current();
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    TaskContext task = TaskContext.get();
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      String before = thread.submit(() -> String.valueOf(TaskContext.get())).get();
      String inside =
          thread
              .submit(
                  () -> {
                    scope.enter();
                    boolean same =
                        TaskContext.get() == task
                            && Thread.currentThread().getContextClassLoader() == loader;
                    String text = TaskContext.getPartitionId() + (same ? " same" : " other");
                    scope.exit();
                    return text;
                  })
              .get();
      String nested =
          thread
              .submit(
                  () -> {
                    scope.enter();
                    scope.enter();
                    scope.exit();
                    String text =
                        TaskContext.getPartitionId()
                            + (TaskContext.get() == task ? " same" : " other");
                    scope.exit();
                    return text;
                  })
              .get();
      String after = thread.submit(() -> String.valueOf(TaskContext.get())).get();
      String unpaired =
          thread
              .submit(
                  () ->
                      assertThrows(IllegalStateException.class, scope::exit) == null
                          ? "accepted"
                          : "refused")
              .get();
      return Stream.of(before, inside, nested, after, unpaired).toList();
    } finally {
      thread.shutdown();
    }
  }

  private static String timeZoneOnAnotherThread() throws Exception {
    SparkTaskScope scope = SparkTaskScope.current();
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      return thread
          .submit(
              () -> {
                scope.enter();
                try {
                  return SQLConf.get().sessionLocalTimeZone();
                } finally {
                  scope.exit();
                }
              })
          .get();
    } finally {
      thread.shutdown();
    }
  }
}
