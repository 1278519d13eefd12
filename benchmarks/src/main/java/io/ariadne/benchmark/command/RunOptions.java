package io.ariadne.benchmark.command;

import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** Options of every comparison of engines. */
final class RunOptions {
  @Option(names = "--scale", description = "TPC-H scale factor (default: ${DEFAULT-VALUE})")
  double scale = 1;

  @Option(
      names = "--engines",
      split = ",",
      description =
          "comma-separated list of "
              + "spark, ariadne, ariadne-in-memory (with its shuffle manager), ariadne-cpu,"
              + " ariadne-cuda (on a GPU), ariadne-simulated (on a simulated device), comet, duckdb"
              + " (default: spark,ariadne)")
  List<String> engines = List.of("spark", "ariadne");

  @Option(names = "--rounds", description = "timed runs (default: ${DEFAULT-VALUE})")
  int rounds = 5;

  @Option(names = "--warmups", description = "runs before them (default: ${DEFAULT-VALUE})")
  int warmUps = 5;

  @Option(
      names = "--query-seconds",
      description =
          "how long one run of a query may take before its engine is killed and the query fails"
              + " (default: ${DEFAULT-VALUE})")
  int querySeconds = 3600;

  @Option(names = "--json", description = "file for the results")
  Path json;

  @Option(names = "--svg", description = "file for a chart")
  Path svg;

  // The launcher script uses this option to choose the class path. It is here so that the help
  // describes it
  // and reports record it.
  @Option(names = "--spark", description = "the Spark line: 3.5 or 4.1 (default)")
  String sparkLine = "4.1";

  /** Returns the engines and numbers of runs as options of a command line. */
  String comparison() {
    return "--engines %s --rounds %d --warmups %d"
        .formatted(String.join(",", engines), rounds, warmUps);
  }
}
