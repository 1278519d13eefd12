package io.ariadne.it.sql;

import io.ariadne.benchmark.table.TableGenerator;
import io.ariadne.benchmark.workload.TpchQueries;
import io.ariadne.testing.InEveryBuild;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The queries of TPC-H that read one table, in every mode, and many of them at once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@InEveryBuild
class TpchSmokeIT {
  private static final double SCALE = 0.01;
  private static final Coverage QUERY_6 =
      Coverage.of(Coverage.FILTER, Coverage.AGGREGATE)
          .kernels("GreaterThanOrEqual", "LessThanOrEqual", "LessThan", "Multiply")
          .aggregates("sum");
  private static final Coverage QUERY_1 =
      Coverage.of(Coverage.FILTER, Coverage.AGGREGATE)
          .kernels("LessThanOrEqual", "Multiply", "Add", "Subtract")
          .aggregates("sum", "avg", "count");

  @TempDir static Path folder;

  private SparkSession session;
  private Differential differential;

  @BeforeAll
  void start() throws IOException {
    session = TestingSessions.start(Map.of());
    differential = new Differential(session);
    new TableGenerator(session, SCALE, folder).generateTpch();
    try (var tables = Files.list(folder)) {
      for (Path table : tables.toList()) {
        session
            .read()
            .parquet(table.toUri().toString())
            .createOrReplaceTempView(table.getFileName().toString());
      }
    }
  }

  @AfterEach
  void assertNothingIsLive() {
    TestingSessions.assertNothingIsLive();
  }

  @AfterAll
  void stop() {
    TestingSessions.stop(session);
  }

  @ParameterizedTest
  @CsvSource({"false,true", "true,true", "false,false", "true,false"})
  void query6MatchesSpark(String ansi, String adaptive) {
    differential.check(
        TpchQueries.text(6, SCALE),
        Map.of("spark.sql.ansi.enabled", ansi, "spark.sql.adaptive.enabled", adaptive),
        QUERY_6);
  }

  @ParameterizedTest
  @CsvSource({"false,true", "true,true", "false,false", "true,false"})
  void query1MatchesSpark(String ansi, String adaptive) {
    differential.check(
        TpchQueries.text(1, SCALE),
        Map.of("spark.sql.ansi.enabled", ansi, "spark.sql.adaptive.enabled", adaptive),
        QUERY_1);
  }

  @Test
  void manyQueriesAtOnceMatchSpark() {
    IntStream.range(0, 8)
        .parallel()
        .forEach(
            i -> {
              SparkSession own = session.newSession();
              own.read()
                  .parquet(folder.resolve("lineitem").toUri().toString())
                  .createOrReplaceTempView("lineitem");
              new Differential(own)
                  .check(
                      TpchQueries.text(i % 2 == 0 ? 6 : 1, SCALE),
                      Map.of(),
                      i % 2 == 0 ? QUERY_6 : QUERY_1);
            });
  }
}
