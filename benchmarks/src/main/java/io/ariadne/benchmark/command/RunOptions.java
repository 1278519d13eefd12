package io.ariadne.benchmark.command;

import io.ariadne.benchmark.engine.EngineSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Mixin;
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
              + "spark, ariadne, ariadne-in-memory (with its shuffle manager; on Spark 4.1 the"
              + " same as ariadne), ariadne-files (with Spark's shuffle manager),"
              + " ariadne-no-filters (without runtime filters),"
              + " ariadne-block-transfer (with its shuffle manager and Spark's block transfer),"
              + " ariadne-simple, ariadne-merge, ariadne-push, ariadne-move (with its shuffle"
              + " manager and a strategy of shuffles), ariadne-cpu,"
              + " ariadne-cuda (on a GPU), ariadne-simulated (on a simulated device), ariadne-old"
              + " (of --old-jar), ariadne-no-footer-cache, ariadne-no-coalescing,"
              + " ariadne-no-read-ahead, ariadne-no-second-requests (without a step of reading from"
              + " slow storage), ariadne-no-steps (without all of them), comet, duckdb"
              + " (default: spark,ariadne)")
  List<String> engines = List.of("spark", "ariadne");

  @Option(names = "--old-jar", description = "the plugin jar of the engine ariadne-old")
  Path oldJar;

  @Mixin StoreOptions store = new StoreOptions();

  @Option(
      names = "--cold",
      description =
          "takes the tables' files out of the page cache before each run (needs dd of GNU"
              + " coreutils)")
  boolean isCold;

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

  /**
   * Checks options that depend on each other.
   *
   * @throws IllegalArgumentException when they are not valid
   */
  void check() {
    boolean hasOld = engines.contains(EngineSettings.OLD);
    if (hasOld != (oldJar != null) || (hasOld && !Files.isReadable(oldJar))) {
      throw new IllegalArgumentException(
          "the engine ariadne-old and --old-jar, a file, belong together; --old-jar is " + oldJar);
    }
    store.check();
    if (store.isUsed() && isCold) {
      throw new IllegalArgumentException("--cold is for local files, not with --store");
    }
    if (store.isUsed() && engines.contains("duckdb")) {
      throw new IllegalArgumentException("--store is for Spark only, not for duckdb");
    }
  }

  /** Returns the engines, numbers of runs and the store as options of a command line. */
  String comparison() {
    String old = oldJar == null ? "" : " --old-jar " + oldJar;
    String cold = isCold ? " --cold" : "";
    return "--engines %s%s --rounds %d --warmups %d%s%s"
        .formatted(String.join(",", engines), old, rounds, warmUps, cold, store.text());
  }
}
