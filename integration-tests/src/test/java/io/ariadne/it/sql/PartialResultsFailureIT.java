package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.PartialResults;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.AriadneShuffleManager;
import io.ariadne.shuffle.catalog.MapOutputs;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/** Tests rounds that fail, are cancelled, or lose what earlier rounds have kept. */
class PartialResultsFailureIT extends AbstractDifferentialIT {
  private static final String SQL =
      "select id % 50000 k, count(*), sum(id), max(id) from range(0, 1000000, 1, 24) group by 1";

  /** Counted down when a task of a slow query runs. Tasks run in this process. */
  private static volatile CountDownLatch isRunning = new CountDownLatch(1);

  @Override
  Map<String, String> settings() {
    return with(super.settings(), "spark.shuffle.manager", AriadneShuffleManager.class.getName());
  }

  /** The shuffles before the lost ones have been removed: everything is read again. */
  @Test
  void lostGroupsAreComputedAgain() {
    List<String> expected = RowTexts.sorted(session.sql(SQL).collectAsList());
    try (PartialResults results = PartialResults.of(session.sql(SQL), 12)) {
      PartialResults.Round round = null;
      while (results.hasNext()) {
        round = results.next();
        if (round.number() == 1 || round.number() == 8) {
          InMemoryOutputs.forgetAll();
        }
      }
      assertEquals(expected, RowTexts.sorted(round.rows()));
    }
    // Spark takes this process for lost and does not tell it what is to be removed.
    InMemoryOutputs.forgetAll();
  }

  @Test
  void errorOfARoundIsSparks() {
    session.conf().set("spark.sql.ansi.enabled", "true");
    String sql = "select id % 7, sum(100 div (id - 700)) from range(0, 1000, 1, 10) group by 1";
    Exception expected = assertThrows(Exception.class, () -> session.sql(sql).collectAsList());
    assertNothingIsLive(); // what the map tasks that succeeded have left
    try (PartialResults results = PartialResults.of(session.sql(sql), 5)) {
      Exception actual = assertThrows(Exception.class, () -> results.forEachRemaining(round -> {}));
      assertEquals(expected.getClass(), actual.getClass());
      assertEquals(expected.getMessage(), actual.getMessage());
      assertFalse(results.hasNext());
      assertThrows(IllegalStateException.class, results::next);
      assertNoOutputs();
    } finally {
      session.conf().unset("spark.sql.ansi.enabled");
    }
  }

  @Test
  void closingEarlyFreesGroups() {
    PartialResults results = PartialResults.of(session.sql(SQL), 12);
    results.next();
    results.next();
    assertTrue(MapOutputs.of(ProcessRuntime.get()).count() > 0);
    results.close();
    assertFalse(results.hasNext());
    results.close();
    assertNoOutputs();
    PartialResults.of(session.sql(SQL), 12).close();
  }

  @Test
  void closingCancelsARound() throws InterruptedException {
    PartialResults results = PartialResults.of(slow(), 2);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread reader = reader(results, failure);
    results.close();
    reader.join(TimeUnit.SECONDS.toMillis(30));
    assertTrue(
        failure.get() != null && failure.get().getMessage().contains("cancelled"),
        () -> String.valueOf(failure.get()));
  }

  @Test
  void interruptCancelsARound() throws InterruptedException {
    try (PartialResults results = PartialResults.of(slow(), 2)) {
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread reader = reader(results, failure);
      reader.interrupt();
      reader.join(TimeUnit.SECONDS.toMillis(30));
      assertTrue(failure.get() instanceof InterruptedException, () -> "" + failure.get());
      assertFalse(results.hasNext());
    }
  }

  /** Starts a round on a thread of its own; returns when one of its tasks runs. */
  private static Thread reader(PartialResults results, AtomicReference<Throwable> failure)
      throws InterruptedException {
    Thread reader =
        new Thread(
            () -> {
              try {
                results.next();
              } catch (Throwable t) {
                failure.set(t);
              }
            });
    reader.start();
    assertTrue(isRunning.await(30, TimeUnit.SECONDS), "no task has begun");
    return reader;
  }

  private Dataset<Row> slow() {
    isRunning = new CountDownLatch(1);
    return session
        .range(0, 400, 1, 4)
        .map(
            (MapFunction<Long, Long>)
                id -> {
                  isRunning.countDown();
                  LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
                  return id % 7;
                },
            Encoders.LONG())
        .groupBy("value")
        .count();
  }

  private static void assertNoOutputs() {
    assertEquals(0, MapOutputs.of(ProcessRuntime.get()).count());
  }
}
