package io.ariadne.benchmark.engine;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** An engine that answers SQL over tables of Parquet files. One thread of a worker JVM uses it. */
public interface QueryEngine extends AutoCloseable {
  /**
   * Prefix of a query whose rows are computed in order and counted, not collected. For results that
   * are too large to collect.
   */
  String DRAIN = "/* drain */ ";

  /**
   * Prefix of a query whose rows are written to a sink that discards them, Spark's {@code noop}
   * format; the engine may write in parallel. Engines without such a sink treat it as {@link
   * #DRAIN}.
   */
  String WRITE = "/* write */ ";

  /**
   * Prefix of a query during which an executor is killed: when half of the time has passed that the
   * latest run of the query without this prefix took. Only for Spark with executors of its own.
   */
  String LOSE = "/* lose an executor */ ";

  /**
   * Prefix of a query whose rows are written to Parquet files without compression, one file for
   * each of its partitions, in a folder that does not exist. Engines of Spark's dialect only.
   *
   * @param folder address of the folder
   */
  static String parquet(String folder) {
    return PARQUET + folder + PARQUET_END;
  }

  /** What {@link #parquet} starts with. */
  String PARQUET = "/* parquet ";

  /** What {@link #parquet} ends with. */
  String PARQUET_END = " */ ";

  /**
   * Prefix of an aggregation whose input is read in rounds, with a result after each; the rows are
   * those of the last one. Only for Ariadne.
   *
   * @param count the most rounds
   */
  static String rounds(int count) {
    return ROUNDS + count + ROUNDS_END;
  }

  /** What {@link #rounds} starts with. */
  String ROUNDS = "/* rounds ";

  /** What {@link #rounds} ends with. */
  String ROUNDS_END = " */ ";

  /**
   * Where the operators of a query ran.
   *
   * @param accelerated operators that ran on Ariadne
   * @param operators all operators of the executed plan; 0 when the engine does not report them
   */
  record Placement(int accelerated, int operators) {}

  /**
   * An engine's explanation of a query, before it runs.
   *
   * @param text lines for people to read
   * @param operators all operators of the plan
   * @param accelerated those that run on Ariadne
   * @param transitions places where rows become columns or columns rows
   * @param fallbacks {@code operator: reason} of each operator that stays with Spark
   */
  record Explanation(
      String text, int operators, int accelerated, int transitions, List<String> fallbacks) {}

  /**
   * Explains a query without running it. A statement that is not a query is run, and its
   * explanation is empty.
   */
  default Explanation explain(String sql) {
    throw new UnsupportedOperationException("only Ariadne explains its plans");
  }

  /** Waits until the engine has all its processes. Called before each {@link #run}; not timed. */
  default void prepare() throws InterruptedException {}

  /**
   * Runs a query to its last row. The benchmarks time this call.
   *
   * @param sql the query
   * @return the rows as Java values; with the prefix {@link #DRAIN} one row with the number of
   *     rows, with the prefix {@link #WRITE} or {@link #parquet} one row with 0
   * @throws IllegalStateException when with the prefix {@link #LOSE} no executor was killed
   */
  List<Object[]> run(String sql) throws Exception;

  /** Returns where the operators of the last query ran. */
  default Placement lastPlacement() {
    return new Placement(0, 0);
  }

  /**
   * Returns what the scans of the last query have counted, added up, by the name of the counter;
   * times are in nanoseconds. Empty when the engine does not report it.
   */
  default Map<String, Long> lastScan() {
    return Map.of();
  }

  /**
   * Returns what was measured of each round of the last query, if it had the prefix {@link
   * #rounds}: {@code seconds}, {@code share}, {@code groups} and {@code divergence}.
   */
  default List<Map<String, Object>> lastRounds() {
    return List.of();
  }

  /** Returns the engine's software for the report: name to version. */
  Map<String, String> versions();

  /** Returns the executed plan of the last query as text. */
  String lastPlan();

  /**
   * Returns what Spark's tasks have counted in the shuffles of the last query, added up, by the
   * name of the counter. Empty when the engine does not report it.
   *
   * @throws TimeoutException when the reports of tasks do not arrive
   */
  default Map<String, Long> lastShuffle() throws TimeoutException {
    return Map.of();
  }

  /** Returns what the engine holds now. */
  default EngineState state() {
    return EngineState.UNKNOWN;
  }

  /** Forgets the last query, and returns what the engine holds then. */
  default EngineState idleState() {
    return state();
  }

  /** Stops the engine. */
  @Override
  void close();
}
