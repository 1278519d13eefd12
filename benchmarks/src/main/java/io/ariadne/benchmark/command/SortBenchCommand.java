package io.ariadne.benchmark.command;

import io.ariadne.benchmark.workload.SortCase;
import io.ariadne.benchmark.workload.TableWorkload;
import io.ariadne.benchmark.workload.Workload;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ariadne bench sort}: compares engines on sorting. */
@Command(name = "sort", description = "Compares engines on sorting TPC-H's tables.")
final class SortBenchCommand implements Callable<Integer> {
  @Mixin private CommonOptions options;
  @Mixin private RunOptions run;

  @Option(
      names = "--cases",
      split = ",",
      description =
          "comma-separated list of "
              + "dates (all columns by a date and two numbers), comments (all columns by a string),"
              + " names (three columns by a string with a common prefix), narrow (two columns by a"
              + " number), written (as dates, but written to Spark's noop format instead of read in"
              + " order), top (the first 100 of all columns by two keys)"
              + " (default: all)")
  private List<String> cases = List.of("dates", "written", "comments", "names", "narrow", "top");

  @Override
  public Integer call() throws IOException {
    Workload workload =
        new TableWorkload("Sorting", run.scale, cases.stream().map(SortCase::parse).toList());
    String command =
        "bin/ariadne bench sort --cases " + String.join(",", cases) + " " + run.comparison();
    return new BenchmarkRun(command, workload, run).run(options) ? 0 : 1;
  }
}
