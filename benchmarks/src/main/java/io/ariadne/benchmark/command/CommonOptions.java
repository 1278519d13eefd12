package io.ariadne.benchmark.command;

import io.ariadne.benchmark.engine.EngineSettings;
import io.ariadne.benchmark.table.TableFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** Options of all commands, and the folders and class paths that the launcher script passes. */
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
      description = "Ariadne's off-heap memory in MB, at least 64 (default: half of --memory)")
  int poolMegabytes;

  @Option(
      names = "--executors",
      description =
          "processes that share cores and memory, beside a driver with 1024 MB"
              + " (default: none; the driver executes all tasks)")
  int executors;

  /** Returns the settings of an engine. */
  EngineSettings settings(String engine) {
    return new EngineSettings(engine, cores, memoryMegabytes, poolMegabytes, executors);
  }

  /** Returns the folders of generated tables. */
  TableFolders folders() {
    return new TableFolders(dataRoot, cores);
  }

  /** Returns an empty folder for the logs and answers of this run. */
  Path newWorkFolder() throws IOException {
    Path runs = Files.createDirectories(dataRoot.toAbsolutePath().resolve("runs"));
    return Files.createTempDirectory(runs, "run-");
  }

  /** Returns the additional jars of each engine, from {@code -Dariadne.classpath.ENGINE=...}. */
  static Map<String, List<String>> extraClassPaths() {
    return extraClassPaths(null);
  }

  /**
   * Returns the additional jars of each engine, from {@code -Dariadne.classpath.ENGINE=...}.
   *
   * @param oldJar the plugin of the engine {@code ariadne-old}; may be null
   */
  static Map<String, List<String>> extraClassPaths(Path oldJar) {
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
    paths.remove(EngineSettings.OLD);
    if (oldJar != null) {
      paths.put(EngineSettings.OLD, List.of(oldJar.toAbsolutePath().toString()));
    }
    return paths;
  }
}
