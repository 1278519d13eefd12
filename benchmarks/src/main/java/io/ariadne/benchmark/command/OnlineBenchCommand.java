package io.ariadne.benchmark.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.ariadne.benchmark.engine.EngineProcess;
import io.ariadne.benchmark.engine.QueryEngine;
import io.ariadne.benchmark.report.Report;
import io.ariadne.benchmark.report.RoundsReport;
import io.ariadne.benchmark.table.LogLines;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ariadne bench online}: measures partial results of an aggregation. */
@Command(
    name = "online",
    description =
        "Counts the lines of a log by URL, as a whole and in rounds: how soon the first result is"
            + " there, how long all rounds take, and how far each result is from the last one.")
final class OnlineBenchCommand implements Callable<Integer> {
  private static final String ENGINE = "ariadne";

  private static final String QUERY =
      "select substring_index(substring_index(line, ' ', 7), ' ', -1) url, count(*) hits from "
          + LogLines.TABLE
          + " group by 1";

  @Mixin private CommonOptions options;

  @Option(
      names = "--megabytes",
      description = "bytes of the log's lines, in millions (default: ${DEFAULT-VALUE})")
  private long megabytes = 1000;

  @Option(names = "--urls", description = "number of URLs (default: ${DEFAULT-VALUE})")
  private int urls = 10_000;

  @Option(
      names = "--input-rounds",
      description = "rounds in which the input is read (default: ${DEFAULT-VALUE})")
  private int inputRounds = 20;

  @Option(names = "--rounds", description = "timed runs (default: ${DEFAULT-VALUE})")
  private int rounds = 5;

  @Option(names = "--warmups", description = "runs before them (default: ${DEFAULT-VALUE})")
  private int warmUps = 3;

  @Option(
      names = "--query-seconds",
      description = "how long one run may take before its engine is killed (default: 3600)")
  private int querySeconds = 3600;

  @Option(names = "--json", description = "file for the results")
  private Path json;

  // The launcher script uses this option to choose the class path.
  @Option(names = "--spark", description = "the Spark line: 3.5 or 4.1 (default)")
  private String sparkLine = "4.1";

  @Override
  public Integer call() throws IOException {
    LogLines log = new LogLines(megabytes, urls, inputRounds * options.cores);
    log.generate(options.folders());
    RoundsReport report = new RoundsReport();
    try (EngineProcess engine =
        EngineProcess.start(
            options.settings(ENGINE),
            CommonOptions.extraClassPaths().getOrDefault(ENGINE, List.of()),
            Map.of(LogLines.TABLE, log.folder(options.folders())),
            options.newWorkFolder())) {
      for (int i = 0; i < warmUps + rounds; i++) {
        JsonNode plain = run(engine, "plain", QUERY);
        JsonNode online = run(engine, "online", QueryEngine.rounds(inputRounds) + QUERY);
        if (i >= warmUps) {
          report.add(plain, online);
        }
      }
      if (json != null) {
        Report.writeJson(json, engine.versions(), command(), report.runs());
      }
    }
    System.out.print(report.text());
    return 0;
  }

  private JsonNode run(EngineProcess engine, String name, String sql) throws IOException {
    return engine.run(name, sql, Duration.ofSeconds(querySeconds));
  }

  /** Returns the command line that repeats this run. */
  private String command() {
    String pool = options.poolMegabytes == 0 ? "" : " --pool " + options.poolMegabytes;
    String executors = options.executors == 0 ? "" : " --executors " + options.executors;
    return "bin/ariadne bench online --megabytes %d --urls %d --input-rounds %d --rounds %d"
            .formatted(megabytes, urls, inputRounds, rounds)
        + " --warmups %d --spark %s --cores %d --memory %d%s%s"
            .formatted(warmUps, sparkLine, options.cores, options.memoryMegabytes, pool, executors);
  }
}
