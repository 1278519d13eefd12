package io.ariadne.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/**
 * Options that all commands share, and the folders and class paths the launcher script hands over.
 */
final class CommonOptions {
  private static final int DEFAULT_MEMORY = 6144;

  @Option(
      names = "--data",
      description = "folder for generated data (default: data)",
      defaultValue = "data")
  Path dataRoot;

  @Option(names = "--cores", description = "cores of every engine (default: all)")
  int cores = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--memory",
      description = "heap plus off-heap of every engine in MB (default: ${DEFAULT-VALUE})")
  int memoryMegabytes = DEFAULT_MEMORY;

  @Option(
      names = "--pool",
      description =
          "memory outside the heap that Ariadne has, in MB, at least 64 (default: half of"
              + " --memory)")
  int poolMegabytes;

  /** Returns the folder of TPC-H data of a scale factor. */
  Path tpch(double scale) {
    return folder("tpch-sf", scale);
  }

  /** Returns the folder of TPC-DS data of a scale factor. */
  Path tpcds(double scale) {
    return folder("tpcds-sf", scale);
  }

  private Path folder(String benchmark, double scale) {
    String name = scale == Math.rint(scale) ? String.valueOf((long) scale) : String.valueOf(scale);
    return dataRoot.toAbsolutePath().resolve(benchmark + name);
  }

  /** Returns an empty folder for the logs and answers of this run. */
  Path newWorkFolder() throws IOException {
    Path runs = Files.createDirectories(dataRoot.toAbsolutePath().resolve("runs"));
    return Files.createTempDirectory(runs, "run-");
  }

  /** Returns the extra jars per engine, from {@code -Dariadne.classpath.ENGINE=...}. */
  static Map<String, List<String>> extraClassPaths() {
    Map<String, List<String>> paths = new TreeMap<>();
    for (String engine : List.of("ariadne", "comet", "duckdb")) {
      String value = System.getProperty("ariadne.classpath." + engine, "");
      if (!value.isEmpty()) {
        paths.put(engine, List.of(value));
      }
    }
    if (paths.containsKey("ariadne")) {
      List<String> jars = paths.get("ariadne");
      EngineSettings.ARIADNE.forEach(engine -> paths.put(engine, jars));
    }
    return paths;
  }
}
