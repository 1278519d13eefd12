package io.ariadne.benchmark;

import java.util.List;
import java.util.Map;

/**
 * Something that answers SQL over tables of Parquet files; lives in a worker JVM, used by one
 * thread.
 */
interface QueryEngine extends AutoCloseable {
  /**
   * How a query begins of which only the number of rows is kept: every row is made, in order, and
   * dropped. For results that are too large to be collected.
   */
  String DRAIN = "/* drain */ ";

  /**
   * How a query begins whose rows are written, in parallel where the engine likes, to a table that
   * drops them: Spark's {@code noop} format. For engines without one as {@link #DRAIN}.
   */
  String WRITE = "/* write */ ";

  /**
   * Where the operators of a query ran.
   *
   * @param accelerated operators that ran on Ariadne
   * @param operators all operators of the executed plan, 0 when the engine does not tell
   */
  record Placement(int accelerated, int operators) {}

  /**
   * What an engine says of a query before it runs.
   *
   * @param text for people, in lines
   * @param operators all operators of the plan
   * @param accelerated those that run on Ariadne
   * @param transitions places where rows become columns or columns rows
   * @param fallbacks {@code operator: reason} of those that do not run on Ariadne
   */
  record Explanation(
      String text, int operators, int accelerated, int transitions, List<String> fallbacks) {}

  /** Explains a query without running it; what is no query is run and explained as nothing. */
  default Explanation explain(String sql) {
    throw new UnsupportedOperationException("only Ariadne explains its plans");
  }

  /**
   * Runs a query to its last row. This is what is timed.
   *
   * @param sql the query
   * @return the rows as Java values; one row with their number when it begins with {@link #DRAIN},
   *     with nothing when it begins with {@link #WRITE}
   */
  List<Object[]> run(String sql) throws Exception;

  /** Returns where the operators of the last query ran. */
  default Placement lastPlacement() {
    return new Placement(0, 0);
  }

  /** Returns what the engine is, for the report: name to version. */
  Map<String, String> versions();

  /** Returns the executed plan of the last query, for people. */
  String lastPlan();

  /**
   * Returns bytes that the engine still holds between queries, 0 when it does not tell. There is no
   * last query any more then.
   */
  default long liveBytes() {
    return 0;
  }

  /** Returns how many map outputs the engine keeps in memory, 0 when it does not tell. */
  default int mapOutputs() {
    return 0;
  }

  /** Returns the most bytes the engine has held since its start, 0 when it does not tell. */
  default long peakBytes() {
    return 0;
  }

  /** Returns why the engine has lost its GPU and works without it; null while it has not. */
  default String lostDevice() {
    return null;
  }

  /** Stops the engine. */
  @Override
  void close();
}
