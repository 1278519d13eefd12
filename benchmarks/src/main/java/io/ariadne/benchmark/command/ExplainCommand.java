package io.ariadne.benchmark.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.ariadne.benchmark.engine.EngineProcess;
import io.ariadne.benchmark.engine.EngineSettings;
import io.ariadne.benchmark.workload.TpcdsWorkload;
import io.ariadne.benchmark.workload.TpchWorkload;
import io.ariadne.benchmark.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code ariadne explain}: shows which operators of a query run on Ariadne, and why the others do
 * not.
 */
@Command(
    name = "explain",
    description = {
      "Shows which operators of a query run on Ariadne, without running it.",
      "",
      "* marks an operator on Ariadne, ! a reason why an operator is not, @ an expression that"
          + " Spark's own code computes inside Ariadne's pipeline.",
      ""
    })
final class ExplainCommand implements Callable<Integer> {
  @Mixin private CommonOptions options;

  @Parameters(
      paramLabel = "FILE.sql",
      description =
          "queries; a semicolon at the end of a line ends a query, unless the line has a comment")
  private Path file;

  @Option(
      names = "--tables",
      description =
          "tables that queries may name: tpch (default) or tpcds, generated if they are missing, or"
              + " none")
  private String tables = "tpch";

  @Option(
      names = "--scale",
      description = "scale factor of generated tables (default: ${DEFAULT-VALUE})")
  private double scale = 0.01;

  @Option(
      names = "--table",
      paramLabel = "NAME=FOLDER",
      description = "one more table of Parquet files; may be given several times")
  private Map<String, Path> more = Map.of();

  // The launcher script uses this option to choose the class path.
  @Option(names = "--spark", description = "the Spark line: 3.5 or 4.1 (default)")
  private String sparkLine = "4.1";

  @Override
  public Integer call() throws IOException {
    List<String> statements = statements(Files.readString(file));
    EngineSettings settings = options.settings("ariadne");
    List<String> classPath = CommonOptions.extraClassPaths().getOrDefault("ariadne", List.of());
    Map<String, Path> known = knownTables();
    boolean understood = true;
    try (EngineProcess engine =
        EngineProcess.start(settings, classPath, known, options.newWorkFolder())) {
      System.out.println("Spark " + sparkLine + ", " + file);
      for (String statement : statements) {
        JsonNode reply = engine.explain(statement);
        understood &= !reply.has("error");
        System.out.println(
            reply.has("error")
                ? file + ": " + reply.get("error").asText()
                : reply.get("text").asText());
      }
    }
    return understood ? 0 : 1;
  }

  private Map<String, Path> knownTables() throws IOException {
    Map<String, Path> known = new LinkedHashMap<>();
    Workload workload =
        switch (tables) {
          case "tpch" -> new TpchWorkload(scale, List.of());
          case "tpcds" -> new TpcdsWorkload(scale, List.of());
          case "none" -> null;
          default ->
              throw new IllegalArgumentException(
                  "'" + tables + "' is not a set of tables; give tpch, tpcds or none");
        };
    if (workload != null) {
      workload.generate(options.folders());
      known.putAll(workload.tables(options.folders()));
    }
    more.forEach((name, folder) -> known.put(name, folder.toAbsolutePath()));
    return known;
  }

  /**
   * Splits a file into statements.
   *
   * @throws IllegalArgumentException when there is none
   */
  static List<String> statements(String text) {
    List<String> statements = new ArrayList<>();
    StringBuilder statement = new StringBuilder();
    for (String line : text.lines().toList()) {
      boolean ends = line.stripTrailing().endsWith(";") && !line.contains("--");
      statement.append(ends ? line.substring(0, line.lastIndexOf(';')) : line).append('\n');
      if (ends) {
        statements.add(statement.toString().strip());
        statement.setLength(0);
      }
    }
    statements.add(statement.toString().strip());
    statements.removeIf(String::isEmpty);
    if (statements.isEmpty()) {
      throw new IllegalArgumentException("there is no query in the file");
    }
    return statements;
  }
}
