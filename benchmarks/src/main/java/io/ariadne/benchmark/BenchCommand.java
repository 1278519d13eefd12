package io.ariadne.benchmark;

import java.io.IOException;
import java.nio.file.Path;
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
    boolean equal =
        new TpchRun(
                command(),
                List.of(engines.split(",")),
                TpchQueries.parse(queries),
                scale,
                warmUps,
                rounds,
                sparkLine,
                json,
                svg)
            .run(options);
    return equal ? 0 : 1;
  }

  private String command() {
    return "bin/ariadne bench tpch --queries %s --engines %s --rounds %d --warmups %d"
        .formatted(queries, engines, rounds, warmUps);
  }
}
