package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.ariadne.executor.ProcessRuntime;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** Tests that Spark contexts that start and stop in one JVM leave nothing behind. */
class RestartIT {
  private static final int CONTEXTS = 20;

  @Test
  void twentyContextsLeaveNoThreadAndNoByte() {
    for (int i = 0; i < CONTEXTS; i++) {
      SparkSession session = TestingSessions.start(Map.of());
      long sum =
          session
              .sql("select sum(id * 2) from range(0, 100000, 1, 3) where id % 3 = 0")
              .first()
              .getLong(0);
      assertEquals(expectedSum(), sum);
      TestingSessions.stop(session);
      assertFalse(ProcessRuntime.isStarted());
      assertEquals(List.of(), ariadneThreads(), "after context " + i);
    }
  }

  private static long expectedSum() {
    return LongStream.range(0, 100_000).filter(id -> id % 3 == 0).map(id -> id * 2).sum();
  }

  private static List<String> ariadneThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(name -> name.toLowerCase(java.util.Locale.ROOT).contains("ariadne"))
        .toList();
  }
}
