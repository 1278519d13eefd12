package io.ariadne.benchmark.command;

import io.ariadne.benchmark.engine.EngineProcess;
import io.ariadne.benchmark.engine.EngineSettings;
import io.ariadne.benchmark.report.Measurement;
import io.ariadne.benchmark.report.Report;
import io.ariadne.benchmark.workload.BenchmarkRunner;
import io.ariadne.benchmark.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

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
    List<EngineSettings> settings =
        options.engines.stream()
            .map(
                engine ->
                    new EngineSettings(
                        engine, common.cores, common.memoryMegabytes, common.poolMegabytes))
            .toList();
    workload.generate(common.folders());
    BenchmarkRunner.Plan plan =
        new BenchmarkRunner.Plan(
            settings,
            workload.queries(),
            options.warmUps,
            options.rounds,
            Duration.ofSeconds(options.querySeconds));
    Map<String, Path> tables = workload.tables(common.folders());
    Map<String, List<String>> jars = CommonOptions.extraClassPaths();
    Path work = common.newWorkFolder();
    BenchmarkRunner.Starter starter =
        engine ->
            EngineProcess.start(
                engine, jars.getOrDefault(engine.engine(), List.of()), tables, work);
    try (BenchmarkRunner runner = new BenchmarkRunner(plan, starter)) {
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
    return common.poolMegabytes == 0 ? text : text + " --pool " + common.poolMegabytes;
  }
}
