package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.PartialResults;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.AriadneShuffleManager;
import io.ariadne.shuffle.catalog.MapOutputs;
import java.io.Serial;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Tests rounds that fail, are cancelled, or lose what earlier rounds have kept. */
class PartialResultsFailureIT extends AbstractDifferentialIT {
  private static final String SQL =
      "select id % 50000 k, count(*), sum(id), max(id) from range(0, 1000000, 1, 24) group by 1";

  private static final MapFunction<Row, Long> FAILS =
      row -> {
        throw new IllegalStateException("in the last stage");
      };

  private static final MapFunction<Row, Long> WAITS = row -> parked(1);

  private static final ClassTag<Row> TAG = ClassTag$.MODULE$.apply(Row.class);

  /** Counted down when a task of a slow query runs. Tasks run in this process. */
  private static volatile CountDownLatch isRunning = new CountDownLatch(1);

  /** Counted down when {@link Held} waits for the other one. */
  private static volatile CountDownLatch isHeld = new CountDownLatch(1);

  private static volatile CountDownLatch mayGoOn = new CountDownLatch(0);

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

  /**
   * Exchanges above the aggregation have written their rows when the last stage fails: Ariadne's,
   * Spark's, and one that all rounds read.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from grouped order by k",
        "select k, c, sum(k) over (partition by c) from grouped",
        "select /*+ repartition(3) */ array(k) a, c from grouped",
        "select /*+ merge(b) */ k, c, i1 from grouped join edge b on k = g",
        "select k, c from grouped where c > (select count(distinct g) - 9000 from edge) order by c"
      })
  void shufflesAboveTheAggregationAreGone(String sql) {
    session
        .sql("select id % 50 k, count(*) c from range(0, 2000, 1, 4) group by 1")
        .createOrReplaceTempView("grouped");
    int first = session.sparkContext().newShuffleId();
    Dataset<Long> failing = session.sql(sql).map(FAILS, Encoders.LONG());
    try (PartialResults results = PartialResults.of(failing, 2)) {
      Exception failure = assertThrows(Exception.class, results::next);
      assertTrue(failure.getMessage().contains("in the last stage"), failure::getMessage);
      assertNoShuffles(first, 2);
    }
    first = session.sparkContext().newShuffleId();
    try (PartialResults results = PartialResults.of(session.sql(sql), 2)) {
      results.forEachRemaining(round -> assertFalse(round.rows().isEmpty()));
      assertNoShuffles(first, 3);
    }
  }

  @Test
  void cancelInTheLastStageFreesAllShuffles() throws InterruptedException {
    isRunning = new CountDownLatch(1);
    int first = session.sparkContext().newShuffleId();
    Dataset<Long> query = session.sql(SQL + " order by k").map(WAITS, Encoders.LONG());
    PartialResults results = PartialResults.of(query, 2);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread reader = reader(results, failure, isRunning);
    results.close();
    assertCancelled(reader, failure);
    assertNoShuffles(first, 2);
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
    isRunning = new CountDownLatch(1);
    PartialResults results = PartialResults.of(slow(), 2);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread reader = reader(results, failure, isRunning);
    results.close();
    assertCancelled(reader, failure);
  }

  /** Nothing runs that Spark could cancel when the round is closed. */
  @Test
  void closingCancelsAJobThatBeginsLater() throws InterruptedException {
    Dataset<Row> query =
        slow().union(session.createDataFrame(new Held(session.sparkContext()), slow().schema()));
    PartialResults results = PartialResults.of(query, 2);
    isHeld = new CountDownLatch(1);
    mayGoOn = new CountDownLatch(1);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread reader = reader(results, failure, isHeld);
    Thread closer = new Thread(results::close);
    closer.start();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!isWaiting(closer) || results.hasNext()) {
      assertTrue(System.nanoTime() < deadline, "close does not wait for the round");
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    mayGoOn.countDown();
    assertCancelled(reader, failure);
    closer.join(TimeUnit.SECONDS.toMillis(30));
    assertFalse(closer.isAlive());
  }

  private static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }

  @Test
  void interruptCancelsARound() throws InterruptedException {
    isRunning = new CountDownLatch(1);
    try (PartialResults results = PartialResults.of(slow(), 2)) {
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread reader = reader(results, failure, isRunning);
      reader.interrupt();
      reader.join(TimeUnit.SECONDS.toMillis(30));
      assertTrue(failure.get() instanceof InterruptedException, () -> "" + failure.get());
      assertFalse(results.hasNext());
    }
  }

  /** Starts a round on a thread of its own; returns when it has come to a place. */
  private static Thread reader(
      PartialResults results, AtomicReference<Throwable> failure, CountDownLatch place)
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
    assertTrue(place.await(30, TimeUnit.SECONDS), () -> "not begun: " + failure.get());
    return reader;
  }

  private static void assertCancelled(Thread reader, AtomicReference<Throwable> failure)
      throws InterruptedException {
    reader.join(TimeUnit.SECONDS.toMillis(30));
    assertTrue(
        failure.get() != null && failure.get().getMessage().contains("cancelled"),
        () -> String.valueOf(failure.get()));
  }

  private Dataset<Row> slow() {
    return session
        .range(0, 400, 1, 4)
        .map((MapFunction<Long, Long>) id -> parked(id % 7), Encoders.LONG())
        .groupBy("value")
        .count();
  }

  private static long parked(long result) {
    isRunning.countDown();
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
    return result;
  }

  private static void assertNoOutputs() {
    assertEquals(0, MapOutputs.of(ProcessRuntime.get()).count());
  }

  /**
   * Asserts that a query has had shuffles, and Spark knows none of them any more.
   *
   * @param first a number before that of its first one
   * @param fewest how many it has had at least
   */
  private void assertNoShuffles(int first, int fewest) {
    int end = session.sparkContext().newShuffleId();
    assertTrue(end - first > fewest, () -> "shuffles: " + (end - first - 1));
    var tracker = (MapOutputTrackerMaster) session.sparkContext().env().mapOutputTracker();
    List<Integer> left =
        IntStream.range(first, end).filter(tracker::containsShuffle).boxed().toList();
    assertEquals(List.of(), left, "shuffles are left");
  }

  /** No rows, of an RDD that waits on the driver when it is asked for its partitions. */
  private static final class Held extends RDD<Row> {
    @Serial private static final long serialVersionUID = 1;

    Held(SparkContext context) {
      super(context.emptyRDD(TAG), TAG);
    }

    @Override
    public Partition[] getPartitions() {
      isHeld.countDown();
      try {
        assertTrue(mayGoOn.await(60, TimeUnit.SECONDS), "held for too long");
      } catch (InterruptedException e) {
        throw new IllegalStateException("interrupted", e);
      }
      return firstParent(TAG).partitions();
    }

    @Override
    public Iterator<Row> compute(Partition split, TaskContext context) {
      return firstParent(TAG).iterator(split, context);
    }
  }
}
