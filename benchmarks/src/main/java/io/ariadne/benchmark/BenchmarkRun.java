package io.ariadne.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One run of a workload on several engines, as every command makes it: generates missing data,
 * measures, prints the table, writes the files asked for.
 *
 * @param command what to type to have this run again, but for the options that {@link #run} adds
 * @param workload queries and tables
 * @param options engines, in the order of the report (the first one's answers are the reference),
 *     and how often they run
 */
record BenchmarkRun(String command, Workload workload, RunOptions options) {
  /**
   * Runs.
   *
   * @param common where data are, cores and memory of every engine
   * @return whether every engine gave an answer and all answers are equal
   */
  boolean run(CommonOptions common) throws IOException {
    List<EngineSettings> settings =
        options.engines.stream()
            .map(
                engine ->
                    new EngineSettings(
                        engine, common.cores, common.memoryMegabytes, common.poolMegabytes))
            .toList();
    workload.generate(common);
    BenchmarkRunner.Plan plan =
        new BenchmarkRunner.Plan(
            settings,
            workload.queries(),
            options.warmUps,
            options.rounds,
            Duration.ofSeconds(options.querySeconds));
    Map<String, Path> tables = workload.tables(common);
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
      // Before the engines stop: what was measured stays when one of them does not stop well.
      System.out.print(report.table());
      if (options.svg != null) {
        String title = "%s on Spark %s, median seconds";
        report.writeSvg(options.svg, title.formatted(workload.title(), options.sparkLine));
      }
      return !report.failed();
    }
  }

  /** Writes what was measured so far, so that it stays when a later query ends the run. */
  private void writeJson(
      List<Measurement> measured, Map<String, String> versions, CommonOptions common)
      throws IOException {
    if (options.json != null) {
      new Report(options.engines, measured).writeJson(options.json, versions, fullCommand(common));
    }
  }

  /** Returns the command with what depends on the machine written out. */
  String fullCommand(CommonOptions common) {
    String text =
        "%s --scale %s --spark %s --cores %d --memory %d"
            .formatted(
                command, options.scale, options.sparkLine, common.cores, common.memoryMegabytes);
    return common.poolMegabytes == 0 ? text : text + " --pool " + common.poolMegabytes;
  }
}
