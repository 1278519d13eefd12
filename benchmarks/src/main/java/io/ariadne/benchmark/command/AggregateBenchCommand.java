package io.ariadne.benchmark.command;

import io.ariadne.benchmark.workload.AggregateCase;
import io.ariadne.benchmark.workload.TableWorkload;
import io.ariadne.benchmark.workload.Workload;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ariadne bench aggregate}: compares engines on group-bys. */
@Command(name = "aggregate", description = "Compares engines on grouping TPC-H's tables.")
final class AggregateBenchCommand implements Callable<Integer> {
  @Mixin private CommonOptions options;
  @Mixin private RunOptions run;

  @Option(
      names = "--cases",
      split = ",",
      description =
          "comma-separated list of "
              + "orderkey (a number, 4 adjacent rows per group), strings (two, 28 groups),"
              + " supplies (two numbers, 7 rows per group), comments (two strings, 2 rows per"
              + " group), customers (two strings, 1 row per group)"
              + " (default: these); also lists (collect_list,"
              + " 4 rows per group), extremes (min and max of strings, 4 rows per group),"
              + " large_extremes (the same, 4 groups)")
  private List<String> cases = List.of("orderkey", "strings", "supplies", "comments", "customers");

  @Override
  public Integer call() throws IOException {
    Workload workload =
        new TableWorkload("Grouping", run.scale, cases.stream().map(AggregateCase::parse).toList());
    String command =
        "bin/ariadne bench aggregate --cases " + String.join(",", cases) + " " + run.comparison();
    return new BenchmarkRun(command, workload, run).run(options) ? 0 : 1;
  }
}
