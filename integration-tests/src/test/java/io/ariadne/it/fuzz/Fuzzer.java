package io.ariadne.it.fuzz;

import io.ariadne.it.fault.InjectedFaults;
import io.ariadne.it.sql.TestingSessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.types.DataTypes;

/**
 * An application in which random queries are compared with Spark until the time is over. Everything
 * follows from the seed: tables, queries and settings; a query is replayed by seed and index.
 */
final class Fuzzer implements AutoCloseable {
  private static final long SHRINKING_NANOS =
      TimeUnit.SECONDS.toNanos(Long.getLong("ariadne.fuzz.shrinkSeconds", 30));
  private static final long SLOW_MILLIS = 8000;

  /** How long a query that has begun may still take, shrinking included. */
  private static final long LAST_QUERY_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final long seed;
  private final FuzzTables tables;
  private final SparkSession session;
  private final FuzzStatistics statistics = new FuzzStatistics();
  private final AtomicLong next = new AtomicLong();
  private final List<String> failures = new ArrayList<>();

  /**
   * Starts the application and writes the tables.
   *
   * @param seed of the run
   * @param folder for the tables' files
   * @param settings of the application, beside those that are drawn
   */
  Fuzzer(long seed, Path folder, Map<String, String> settings) {
    this(seed, folder, settings, FuzzSettings.batchRows(Chance.of(seed, -2)));
  }

  /** Creates the same with batches of so many rows at most. */
  Fuzzer(long seed, Path folder, Map<String, String> settings, int batchRows) {
    this.seed = seed;
    Map<String, String> all = new TreeMap<>(FuzzSettings.ofApplication(Chance.of(seed, -1)));
    all.put("spark.master", "local[2]");
    all.putAll(settings);
    System.out.println(
        "fuzz: -Dariadne.fuzz.queries.seed=" + seed + ", batches of " + batchRows + " " + all);
    this.session = started(all, batchRows);
    session.sparkContext().setLogLevel("OFF");
    this.tables = new FuzzTables(folder, seed);
    tables.write(session);
  }

  /** Starts an application; its runtime takes the rows of batches from a system property. */
  private static SparkSession started(Map<String, String> settings, int batchRows) {
    String before = System.setProperty(InjectedFaults.BATCH_ROWS, String.valueOf(batchRows));
    try {
      return TestingSessions.start(settings);
    } finally {
      if (before == null) {
        System.clearProperty(InjectedFaults.BATCH_ROWS);
      } else {
        System.setProperty(InjectedFaults.BATCH_ROWS, before);
      }
    }
  }

  FuzzStatistics statistics() {
    return statistics;
  }

  FuzzTables tables() {
    return tables;
  }

  synchronized List<String> failures() {
    return List.copyOf(failures);
  }

  /** Returns a session with the tables and functions, for the use of one thread. */
  SparkSession newSession() {
    SparkSession own = session.newSession();
    tables.register(own);
    UDF1<String, String> text = value -> value == null ? "none" : value + value.length();
    UDF1<Integer, Integer> number = value -> value == null ? null : value ^ 5;
    UDF2<String, Integer, Integer> length =
        (value, more) -> value == null || more == null ? null : value.length() - more;
    own.udf().register("udf_text", text, DataTypes.StringType);
    own.udf().register("udf_number", number, DataTypes.IntegerType);
    own.udf().register("udf_length", length, DataTypes.IntegerType);
    return own;
  }

  /**
   * Compares queries.
   *
   * @param nanos for so long
   * @param mostQueries or so many
   * @param mostFailures or until so many differ
   * @param threads so many at once
   */
  void run(long nanos, long mostQueries, int mostFailures, int threads) {
    long deadline = System.nanoTime() + nanos;
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread thread =
          new Thread(
              () -> {
                PairRunner runner = new PairRunner(newSession());
                while (System.nanoTime() < deadline && failures().size() < mostFailures) {
                  long index = next.getAndIncrement();
                  if (index >= mostQueries) {
                    break;
                  }
                  check(runner, index);
                }
              },
              "fuzz-" + i);
      thread.setUncaughtExceptionHandler(
          (any, e) -> {
            e.printStackTrace();
            fail("a thread ended by " + e);
          });
      thread.start();
      running.add(thread);
    }
    for (Thread thread : running) {
      awaitEnd(thread, deadline);
    }
  }

  /** Waits until a thread ends, which has a query in hand when the time is over. */
  private void awaitEnd(Thread thread, long deadline) {
    try {
      long left = Math.max(0, deadline - System.nanoTime());
      TimeUnit.NANOSECONDS.timedJoin(thread, left + LAST_QUERY_NANOS);
      if (thread.isAlive()) {
        fail(
            "a query hangs:\n"
                + Stream.of(thread.getStackTrace())
                    .map(frame -> "    at " + frame)
                    .collect(Collectors.joining("\n")));
        session.sparkContext().cancelAllJobs();
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private synchronized void fail(String text) {
    failures.add(text);
    System.out.println(text);
  }

  /** Compares one query; a difference is made smaller and told. */
  Verdict check(PairRunner runner, long index) {
    FuzzQuery query = FuzzQuery.of(seed, index, tables.all());
    long begin = System.nanoTime();
    Verdict verdict = runner.run(query.sql(), query.settings(), query.isInLittleMemory());
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    statistics.add(verdict);
    if (millis > SLOW_MILLIS) {
      System.out.println("slow: " + millis + " ms: " + index + ": " + query.sql());
    }
    if (verdict.isDifferent()) {
      fail(describe(runner, query, verdict));
    }
    return verdict;
  }

  private String describe(PairRunner runner, FuzzQuery query, Verdict first) {
    boolean isScarce = query.isInLittleMemory();
    Shrinker shrinker =
        new Shrinker(
            (node, settings) ->
                runner.run(node.sql(), settings, isScarce).manner().equals(first.manner()),
            tables.all(),
            SHRINKING_NANOS);
    Shrinker.Shrunk shrunk = shrinker.shrink(query.node(), query.settings());
    Verdict verdict = runner.run(shrunk.node().sql(), shrunk.settings(), isScarce);
    Verdict shown = verdict.isDifferent() ? verdict : first;
    return """
        === -Dariadne.fuzz.queries.seed=%d -Dariadne.fuzz.index=%d%s%s
        %s
        with %s
        %s
        %s
        query: %s
        """
        .formatted(
            seed,
            query.index(),
            isScarce ? " in little memory" : "",
            verdict.isDifferent() ? "" : " (not every time)",
            shrunk.node().sql(),
            shrunk.settings(),
            shown.detail(),
            shown.ariadne().plan(),
            query.sql());
  }

  @Override
  public void close() {
    TestingSessions.stop(session);
  }
}
