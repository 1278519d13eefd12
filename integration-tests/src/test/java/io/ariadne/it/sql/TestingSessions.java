package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.MemoryUsage;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.it.fault.ForeignSettings;
import io.ariadne.it.fault.InjectedFaults;
import io.ariadne.it.files.LocalFiles;
import io.ariadne.shuffle.catalog.MapOutputs;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.spark.sql.SparkSession;

/** Sessions with the plugin, as a user starts them, with planning errors rethrown. */
public final class TestingSessions {
  /** How often Spark tries a task: more often than a run has faults. */
  private static final int ATTEMPTS = 4;

  static {
    LocalFiles.install(LocalFileSystem.class.getName());
  }

  private TestingSessions() {}

  /** Returns whether the build is of Spark 3.5, whose errors and clean-up differ from Spark 4's. */
  public static boolean isSpark35() {
    return System.getProperty("ariadne.it.spark.line").equals("3.5");
  }

  public static SparkSession start(Map<String, String> settings) {
    SparkSession.Builder builder =
        SparkSession.builder()
            .appName("ariadne-integration-tests")
            .master(InjectedFaults.isOn() ? "local[2," + ATTEMPTS + "]" : "local[2]")
            .config("spark.plugins", "io.ariadne.AriadnePlugin")
            .config("spark.ariadne.test.rethrowPlanningErrors", "true")
            .config("spark.ariadne.test.runtimeAdjustment", InjectedFaults.class.getName())
            .config("spark.shuffle.manager", "sort") // subclasses set Ariadne's
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "3")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.datetime.java8API.enabled", "true")
            .config("spark.sql.parquet.datetimeRebaseModeInWrite", "CORRECTED")
            .config("spark.sql.parquet.int96RebaseModeInWrite", "CORRECTED");
    settings.forEach(builder::config);
    SparkSession session = builder.getOrCreate();
    session.sparkContext().setLogLevel("WARN");
    InjectedFaults.watch(session.sparkContext());
    ForeignSettings.watch();
    return session;
  }

  /** Asserts that no query left memory behind, and stops the session. */
  public static void stop(SparkSession session) {
    if (session == null) {
      return;
    }
    try {
      assertNothingIsLive();
      InjectedFaults.requireNoneFailed();
      ForeignSettings.requireNone();
    } finally {
      session.stop();
      System.out.println(InjectedFaults.summary());
    }
    InjectedFaults.requireSurvival();
    assertFalse(ProcessRuntime.isStarted(), "the runtime outlived its SparkContext");
  }

  /**
   * Asserts zero bytes of any tier and no fragment; tasks cut short get a moment to end. Tables
   * that are kept for tasks to come are given back first.
   */
  public static void assertNothingIsLive() {
    ExecutorRuntime runtime = ProcessRuntime.get();
    awaitNoMapOutputs(runtime);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while ((liveBytes(runtime) > 0 || runtime.openFragmentCount() > 0)
        && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      runtime.tables().reclaim();
    }
    assertEquals(0, runtime.pool().allocatedBytes(), () -> runtime.pool().leakReport());
    assertEquals(0, runtime.openFragmentCount(), runtime::diagnosis);
    assertEquals(0, liveBytes(runtime), () -> runtime.memoryUsage().toString());
  }

  /** Spark unregisters shuffles that the garbage collector has found unreachable. */
  private static void awaitNoMapOutputs(ExecutorRuntime runtime) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (MapOutputs.of(runtime).count() > 0 && System.nanoTime() < deadline) {
      System.gc();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
    assertEquals(0, MapOutputs.of(runtime).count(), "map outputs remain without a reference");
  }

  private static long liveBytes(ExecutorRuntime runtime) {
    MemoryUsage live = runtime.memoryUsage();
    return live.hostBytes() + live.deviceBytes() + live.hostedBytes() + live.diskBytes();
  }
}
