package io.ariadne.benchmark.command;

import io.ariadne.benchmark.workload.TpchQueries;
import io.ariadne.benchmark.workload.TpchWorkload;
import io.ariadne.benchmark.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ariadne demo}: the TPC-H queries with the plugin off and on. */
@Command(name = "demo", description = "Runs TPC-H queries with the plugin off and on.")
final class DemoCommand implements Callable<Integer> {
  /** Few runs, so that the demo takes minutes. */
  private static final int ROUNDS = 3;

  private static final int WARM_UPS = 1;

  @Mixin private CommonOptions options;

  @Option(names = "--scale", description = "scale factor (default: ${DEFAULT-VALUE})")
  private double scale = 1;

  @Option(names = "--queries", description = "all (default), or numbers separated by commas")
  private String queries = "all";

  @Option(names = "--svg", description = "file for the chart (default: ${DEFAULT-VALUE})")
  private Path svg = Path.of("target/demo.svg");

  @Option(names = "--json", description = "file for the results")
  private Path json = Path.of("target/demo.json");

  // The launcher script uses this option to choose the class path.
  @Option(names = "--spark", description = "the Spark line: 3.5 or 4.1 (default)")
  private String sparkLine = "4.1";

  @Override
  public Integer call() throws IOException {
    RunOptions run = new RunOptions();
    run.scale = scale;
    run.sparkLine = sparkLine;
    run.rounds = ROUNDS;
    run.warmUps = WARM_UPS;
    run.json = json;
    run.svg = svg;
    Workload workload = new TpchWorkload(scale, TpchQueries.parse(queries));
    boolean equal = new BenchmarkRun("bin/ariadne demo", workload, run).run(options);
    System.out.println(equal ? "Answers are equal." : "Answers are missing or differ.");
    System.out.println("Chart: " + svg.toAbsolutePath());
    return equal ? 0 : 1;
  }
}
