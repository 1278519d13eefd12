package io.ariadne.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * One run of TPC-H queries on several engines, as every command makes it: generates missing data,
 * measures, prints the table, writes the files asked for.
 *
 * @param command what to type to have this run again, but for the options that {@link #run} adds
 * @param engines names, in the order of the report; the first one's answers are the reference
 * @param queries TPC-H numbers
 * @param scale scale factor
 * @param warmUps runs before the timed ones
 * @param rounds timed runs
 * @param sparkLine Spark line of the class path
 * @param json file for the results, or null
 * @param svg file for a chart, or null
 */
record TpchRun(
    String command,
    List<String> engines,
    List<Integer> queries,
    double scale,
    int warmUps,
    int rounds,
    String sparkLine,
    Path json,
    Path svg) {
  /**
   * Runs.
   *
   * @param options where data are, cores and memory of every engine
   * @return whether every engine gave an answer and all answers are equal
   */
  boolean run(CommonOptions options) throws IOException {
    List<EngineSettings> settings =
        engines.stream()
            .map(engine -> new EngineSettings(engine, options.cores, options.memoryMegabytes))
            .toList();
    GenerateCommand.generate(options, scale);
    BenchmarkRunner runner =
        new BenchmarkRunner(
            new BenchmarkRunner.Plan(settings, queries, scale, warmUps, rounds),
            options.tpch(scale),
            options.newWorkFolder(),
            CommonOptions.extraClassPaths());
    Report report = new Report(engines, runner.run());
    System.out.print(report.table());
    if (json != null) {
      report.writeJson(json, runner.versions(), fullCommand(options));
    }
    if (svg != null) {
      report.writeSvg(svg, "TPC-H SF%s on Spark %s, median seconds".formatted(scale, sparkLine));
    }
    return !report.failed();
  }

  /** Returns the command with what depends on the machine written out. */
  String fullCommand(CommonOptions options) {
    return "%s --scale %s --spark %s --cores %d --memory %d"
        .formatted(command, scale, sparkLine, options.cores, options.memoryMegabytes);
  }
}
