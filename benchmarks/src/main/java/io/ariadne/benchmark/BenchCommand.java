package io.ariadne.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ariadne bench tpch}: compares engines; fails when answers differ. */
@Command(name = "bench", description = "Compares engines on TPC-H.")
final class BenchCommand implements Callable<Integer> {
  @Mixin private CommonOptions options;

  @Parameters(index = "0", description = "the benchmark: tpch")
  private String benchmark;

  @Option(names = "--scale", description = "scale factor (default: ${DEFAULT-VALUE})")
  private double scale = 1;

  @Option(names = "--queries", description = "all, or numbers separated by commas")
  private String queries = "all";

  @Option(names = "--engines", description = "of spark, ariadne, comet, duckdb; commas between")
  private String engines = "spark,ariadne";

  @Option(names = "--rounds", description = "timed runs (default: ${DEFAULT-VALUE})")
  private int rounds = 5;

  @Option(names = "--warmups", description = "runs before them (default: ${DEFAULT-VALUE})")
  private int warmUps = 5;

  @Option(names = "--json", description = "file for the results")
  private Path json;

  @Option(names = "--svg", description = "file for a chart")
  private Path svg;

  // Consumed by the launcher script, which picks the class path; here so that it is documented and
  // recorded.
  @Option(names = "--spark", description = "the Spark line: 3.5 or 4.1 (default)")
  private String sparkLine = "4.1";

  @Override
  public Integer call() throws IOException {
    if (!benchmark.equals("tpch")) {
      throw new IllegalArgumentException("'" + benchmark + "' is no benchmark: valid is tpch");
    }
    List<String> names = Arrays.asList(engines.split(","));
    List<EngineSettings> settings =
        names.stream()
            .map(e -> new EngineSettings(e, options.cores, options.memoryMegabytes))
            .toList();
    BenchmarkRunner.Plan plan =
        new BenchmarkRunner.Plan(settings, TpchQueries.parse(queries), scale, warmUps, rounds);
    GenerateCommand.generate(options, scale);
    BenchmarkRunner runner =
        new BenchmarkRunner(
            plan, options.tpch(scale), options.newWorkFolder(), CommonOptions.extraClassPaths());
    Report report = new Report(names, runner.run());
    System.out.print(report.table());
    if (json != null) {
      report.writeJson(json, runner.versions(), command());
    }
    if (svg != null) {
      String title = "TPC-H SF%s on Spark %s, median seconds".formatted(scale, sparkLine);
      report.writeSvg(svg, title);
    }
    return report.failed() ? 1 : 0;
  }

  private String command() {
    return "bin/ariadne bench tpch --scale %s --queries %s --engines %s --rounds %d --warmups %d"
            .formatted(scale, queries, engines, rounds, warmUps)
        + " --spark %s --cores %d --memory %d"
            .formatted(sparkLine, options.cores, options.memoryMegabytes);
  }
}
