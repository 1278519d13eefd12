package io.ariadne.benchmark.command;

import io.ariadne.benchmark.workload.TpchQueries;
import io.ariadne.benchmark.workload.TpchWorkload;
import io.ariadne.benchmark.workload.Workload;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ariadne bench tpch}: compares engines on TPC-H's queries. */
@Command(name = "tpch", description = "Compares engines on TPC-H.")
final class TpchBenchCommand implements Callable<Integer> {
  @Mixin private CommonOptions options;
  @Mixin private RunOptions run;

  @Option(names = "--queries", description = "all (default), or numbers separated by commas")
  private String queries = "all";

  @Option(
      names = "--columns-of",
      description =
          "queries; tables have only the columns that these read, in a folder of their own"
              + " (default: whole tables)")
  private String columnsOf = "";

  @Override
  public Integer call() throws IOException {
    Workload workload =
        new TpchWorkload(
            run.scale, TpchQueries.parse(queries), TpchQueries.parseOptional(columnsOf));
    String columns = columnsOf.isEmpty() ? "" : "--columns-of " + columnsOf + " ";
    String command =
        "bin/ariadne bench tpch --queries " + queries + " " + columns + run.comparison();
    return new BenchmarkRun(command, workload, run).run(options) ? 0 : 1;
  }
}
