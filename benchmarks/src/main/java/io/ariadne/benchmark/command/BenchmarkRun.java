package io.ariadne.benchmark.command;

import io.ariadne.benchmark.engine.EngineProcess;
import io.ariadne.benchmark.engine.EngineSettings;
import io.ariadne.benchmark.engine.EngineStorage;
import io.ariadne.benchmark.report.Measurement;
import io.ariadne.benchmark.report.Report;
import io.ariadne.benchmark.store.StoreTraffic;
import io.ariadne.benchmark.table.PageCache;
import io.ariadne.benchmark.workload.BenchmarkRunner;
import io.ariadne.benchmark.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Runs a workload on several engines for a command: generates missing tables, measures, prints the
 * table and writes the requested files.
 *
 * @param command command line that repeats this run, without the options that {@link #run} adds
 * @param workload queries and tables
 * @param options engines in the order of the report (the first one's answers are the reference),
 *     and numbers of runs
 */
record BenchmarkRun(String command, Workload workload, RunOptions options) {
  /**
   * Runs the workload.
   *
   * @param common folders, and cores and memory of every engine
   * @return whether every engine gave an answer to every query and all answers are equal
   */
  boolean run(CommonOptions common) throws IOException {
    List<EngineSettings> settings = options.engines.stream().map(common::settings).toList();
    options.check();
    workload.generate(common.folders());
    Map<String, Path> tables = workload.tables(common.folders());
    Path work = common.newWorkFolder();
    if (!options.store.isUsed()) {
      Map<String, String> addresses = new LinkedHashMap<>();
      tables.forEach((name, folder) -> addresses.put(name, folder.toString()));
      BenchmarkRunner.Preparation preparation =
          options.isCold ? () -> PageCache.drop(tables.values()) : () -> {};
      return run(
          settings,
          new Source(addresses, EngineStorage.LOCAL, List.of(), preparation, () -> null),
          work,
          common);
    }
    try (BenchmarkStore store = BenchmarkStore.open(options.store, common.dataRoot, work)) {
      Source source =
          new Source(
              store.upload(tables), store.storage(), store.classPath(), () -> {}, store::traffic);
      boolean succeeded = run(settings, source, work, common);
      System.out.print(store.cost());
      return succeeded;
    }
  }

  /**
   * Where the tables are.
   *
   * @param tables name to address
   * @param storage how engines reach them
   * @param classPath precedes the class path of every engine
   * @param preparation is called before each run
   * @param traffic returns what engines have asked for until now, null when it is not counted
   */
  private record Source(
      Map<String, String> tables,
      EngineStorage storage,
      List<String> classPath,
      BenchmarkRunner.Preparation preparation,
      Supplier<StoreTraffic> traffic) {}

  private boolean run(List<EngineSettings> settings, Source source, Path work, CommonOptions common)
      throws IOException {
    BenchmarkRunner.Plan plan =
        new BenchmarkRunner.Plan(
            settings,
            workload.queries(),
            options.warmUps,
            options.rounds,
            Duration.ofSeconds(options.querySeconds));
    Map<String, List<String>> jars = CommonOptions.extraClassPaths(options.oldJar);
    BenchmarkRunner.Starter starter =
        engine -> {
          List<String> classPath = new ArrayList<>(source.classPath);
          classPath.addAll(jars.getOrDefault(engine.engine(), List.of()));
          return EngineProcess.start(engine, classPath, source.tables, source.storage, work);
        };
    try (BenchmarkRunner runner =
        new BenchmarkRunner(plan, starter, source.preparation, source.traffic)) {
      Report report =
          new Report(
              options.engines,
              runner.run((measured, versions) -> writeJson(measured, versions, common)));
      // Print before the engines stop, so that an engine that does not stop cleanly does not lose
      // the results.
      System.out.print(report.table());
      if (options.svg != null) {
        String title = "%s on Spark %s, median seconds";
        report.writeSvg(options.svg, title.formatted(workload.title(), options.sparkLine));
      }
      return !report.failed();
    }
  }

  /** Writes the measurements so far, so that they remain when a later query ends the run. */
  private void writeJson(
      List<Measurement> measured, Map<String, String> versions, CommonOptions common)
      throws IOException {
    if (options.json != null) {
      new Report(options.engines, measured).writeJson(options.json, versions, fullCommand(common));
    }
  }

  /** Returns the command with all options that depend on the machine. */
  String fullCommand(CommonOptions common) {
    String text =
        "%s --scale %s --spark %s --cores %d --memory %d"
            .formatted(
                command, options.scale, options.sparkLine, common.cores, common.memoryMegabytes);
    String pool = common.poolMegabytes == 0 ? "" : " --pool " + common.poolMegabytes;
    return text + pool + (common.executors == 0 ? "" : " --executors " + common.executors);
  }
}
