package io.ariadne.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ariadne demo}: the supported TPC-H queries with the plugin off and on. */
@Command(name = "demo", description = "Runs TPC-H queries with the plugin off and on.")
final class DemoCommand implements Callable<Integer> {
  private static final List<Integer> SUPPORTED = List.of(1, 6);
  private static final int WARM_UPS = 5;
  private static final int ROUNDS = 5;

  @Mixin private CommonOptions options;

  @Option(names = "--scale", description = "scale factor (default: ${DEFAULT-VALUE})")
  private double scale = 1;

  @Option(names = "--svg", description = "file for the chart (default: ${DEFAULT-VALUE})")
  private Path svg = Path.of("target/demo.svg");

  @Option(names = "--json", description = "file for the results")
  private Path json = Path.of("target/demo.json");

  // Consumed by the launcher script, which picks the class path.
  @Option(names = "--spark", description = "the Spark line: 3.5 or 4.1 (default)")
  private String sparkLine = "4.1";

  @Override
  public Integer call() throws IOException {
    GenerateCommand.generate(options, scale);
    List<String> names = List.of("spark", "ariadne");
    List<EngineSettings> settings =
        names.stream()
            .map(e -> new EngineSettings(e, options.cores, options.memoryMegabytes))
            .toList();
    BenchmarkRunner runner =
        new BenchmarkRunner(
            new BenchmarkRunner.Plan(settings, SUPPORTED, scale, WARM_UPS, ROUNDS),
            options.tpch(scale),
            options.newWorkFolder(),
            CommonOptions.extraClassPaths());
    Report report = new Report(names, runner.run());
    System.out.print(report.table());
    report.writeJson(json, runner.versions(), "bin/ariadne demo --scale " + scale);
    String title = "TPC-H SF%s on Spark %s, median seconds".formatted(scale, sparkLine);
    report.writeSvg(svg, title);
    System.out.println(report.failed() ? "Answers differ." : "Answers are equal.");
    System.out.println("Chart: " + svg.toAbsolutePath());
    return report.failed() ? 1 : 0;
  }
}
