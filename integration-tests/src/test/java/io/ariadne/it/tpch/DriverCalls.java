package io.ariadne.it.tpch;

import io.ariadne.backend.cuda.FakeDriver;
import io.ariadne.backend.cuda.FakeDriver.Usage;
import io.ariadne.benchmark.workload.TpchQueries;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.it.sql.Outcome;
import io.ariadne.it.sql.TestingSessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.SparkSession;

/**
 * Counts what queries of TPC-H ask a CUDA driver for: runs them on the back end {@code cuda} over
 * the fake driver, and holds their answers to Spark's. It needs a process of its own, as JCuda
 * takes the first driver that it finds.
 */
public final class DriverCalls {
  private static final String SCALE = "0.01";

  private static final String ENABLED = "spark.ariadne.enabled";
  private static final long DEVICE_BYTES = 2L << 30;
  private static final long SEED = 1;

  /** The tables that each query reads, one of them twice. */
  private static final Map<Integer, List<String>> TABLES =
      new TreeMap<>(
          Map.of(
              1, List.of("lineitem"),
              3, List.of("customer", "orders", "lineitem"),
              6, List.of("lineitem"),
              18, List.of("customer", "orders", "lineitem", "lineitem")));

  private DriverCalls() {}

  /**
   * Counts.
   *
   * @param arguments the file to write, in the columns of {@link Figures}, and the scale factor if
   *     it is not 0.01
   */
  public static void main(String[] arguments) throws Exception {
    double scale = Double.parseDouble(arguments.length > 1 ? arguments[1] : SCALE);
    FakeDriver.start(DEVICE_BYTES, SEED);
    SparkSession session =
        TestingSessions.start(
            Map.of(
                "spark.ariadne.backend",
                "cuda",
                "spark.ariadne.memory.size",
                "1g",
                ENABLED,
                "false"));
    List<String> lines = new ArrayList<>(List.of(Figures.HEADER));
    try {
      TpchTables.register(session, scale);
      for (int query : TABLES.keySet()) {
        lines.add(count(session, query, scale).line());
      }
    } finally {
      TestingSessions.stop(session);
    }
    Files.write(Path.of(arguments[0]), lines);
  }

  private static Figures count(SparkSession session, int query, double scale) {
    String sql = TpchQueries.text(query, scale);
    List<String> expected = rows(session, sql, false);
    requireEqual(query, expected, rows(session, sql, true)); // loads kernels
    // Tables of broadcasts are kept for a while after a query: by the clock.
    ProcessRuntime.get().tables().reclaim();
    Usage before = FakeDriver.usage();
    List<String> actual = rows(session, sql, true);
    ProcessRuntime.get().tables().reclaim();
    Usage usage = FakeDriver.usage().minus(before);
    requireEqual(query, expected, actual);
    long rows = TABLES.get(query).stream().mapToLong(table -> session.table(table).count()).sum();
    return Figures.of(query, rows, usage);
  }

  private static List<String> rows(SparkSession session, String sql, boolean isOnAriadne) {
    session.conf().set(ENABLED, String.valueOf(isOnAriadne));
    try {
      Outcome outcome = Outcome.of(session, sql);
      if (outcome.error() != null) {
        throw new IllegalStateException(outcome.error(), outcome.failure());
      }
      return outcome.rows();
    } finally {
      session.conf().set(ENABLED, "false");
    }
  }

  private static void requireEqual(int query, List<String> expected, List<String> actual) {
    if (!expected.equals(actual)) {
      throw new IllegalStateException(
          "query " + query + ": Spark has " + expected + ", Ariadne " + actual);
    }
  }

  /**
   * What one query asked for.
   *
   * @param query its number
   * @param rows that it reads of tables
   * @param calls and bytes, in the order of the header
   */
  record Figures(int query, long rows, List<Long> calls) {
    static final String HEADER =
        "query\trows\tlaunches\tallocations\tfrees\twaits\tpageableCopies\tpageableBytes"
            + "\tpinnedCopies\tpinnedBytes";

    static Figures of(int query, long rows, Usage usage) {
      return new Figures(
          query,
          rows,
          List.of(
              usage.launches(),
              usage.allocations(),
              usage.frees(),
              usage.waits(),
              usage.pageableCopies(),
              usage.pageableBytes(),
              usage.pinnedCopies(),
              usage.pinnedBytes()));
    }

    static Figures parse(String line) {
      List<Long> fields = List.of(line.split("\t")).stream().map(Long::valueOf).toList();
      return new Figures(
          Math.toIntExact(fields.get(0)), fields.get(1), fields.subList(2, fields.size()));
    }

    String line() {
      StringBuilder line = new StringBuilder().append(query).append('\t').append(rows);
      calls.forEach(each -> line.append('\t').append(each));
      return line.toString();
    }
  }
}
