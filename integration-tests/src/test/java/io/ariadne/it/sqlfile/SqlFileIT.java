package io.ariadne.it.sqlfile;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.ariadne.it.sql.Coverage;
import io.ariadne.it.sql.Differential;
import io.ariadne.it.sql.TestingSessions;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every file of SQL: {@link io.ariadne.it.sqlfile}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqlFileIT {
  private static final String ENABLED = "spark.ariadne.enabled";

  @TempDir static Path folder;

  private SparkSession session;
  private Differential differential;

  private static Path root() throws URISyntaxException {
    return Path.of(SqlFileIT.class.getResource("/sql-tests").toURI());
  }

  static List<String> files() throws IOException, URISyntaxException {
    Path root = root();
    try (Stream<Path> files = Files.walk(root)) {
      List<String> names =
          files
              .filter(file -> file.toString().endsWith(".sql"))
              .map(file -> root.relativize(file).toString())
              .sorted()
              .toList();
      assertFalse(names.isEmpty(), () -> "no files in " + root);
      return names;
    }
  }

  @BeforeAll
  void start() {
    session =
        TestingSessions.start(
            Map.of(
                "spark.sql.warehouse.dir",
                folder.resolve("warehouse").toUri().toString(),
                "spark.ariadne.disable",
                "OnePartitionExec"));
    differential = new Differential(session);
  }

  @AfterEach
  void dropTables() {
    for (Row table : session.sql("show tables").collectAsList()) {
      String kind = table.getBoolean(table.fieldIndex("isTemporary")) ? "view " : "table ";
      session.sql("drop " + kind + table.getString(table.fieldIndex("tableName")));
    }
    TestingSessions.assertNothingIsLive();
  }

  @AfterAll
  void stop() {
    TestingSessions.stop(session);
  }

  @ParameterizedTest
  @MethodSource("files")
  void queriesOfAFileMatchSpark(String name) throws IOException, URISyntaxException {
    SqlFile file = SqlFile.read(root().resolve(name));
    assertFalse(file.queries().isEmpty(), name + " has no queries");
    session.conf().set(ENABLED, "false");
    try {
      file.preparations().forEach(session::sql);
    } finally {
      session.conf().unset(ENABLED);
    }
    for (Map<String, String> settings : file.combinations()) {
      for (SqlFile.Query query : file.queries()) {
        check(query, settings);
      }
    }
  }

  private void check(SqlFile.Query query, Map<String, String> settings) {
    if (query.nodes().isEmpty()) {
      differential.checkHarmless(query.sql(), settings);
    } else {
      Coverage claim = Coverage.of(query.nodes().toArray(String[]::new));
      differential.check(
          query.sql(), settings, claim.bridged(query.bridged().toArray(String[]::new)));
    }
  }
}
