package io.ariadne.benchmark.command;

import io.ariadne.benchmark.table.SmallFiles;
import io.ariadne.benchmark.workload.ScanCase;
import io.ariadne.benchmark.workload.ScanWorkload;
import io.ariadne.benchmark.workload.Workload;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ariadne bench scan}: compares engines on queries that are nearly all scan. */
@Command(name = "scan", description = "Compares engines on scanning TPC-H's lineitem.")
final class ScanBenchCommand implements Callable<Integer> {
  @Mixin private CommonOptions options;
  @Mixin private RunOptions run;

  @Option(
      names = "--cases",
      split = ",",
      description =
          "comma-separated list of "
              + "projection (a hash over every column), filter (1 %% of the rows, ten columns),"
              + " small-files (of 300 KB), one-row-group (one file with one row group),"
              + " types (each column alone),"
              + " expressions (forty of decimals, dates and CASE), strings (functions of comments),"
              + " casts (to strings and back, rounding of doubles)"
              + " (default: projection,filter,small-files)")
  private List<String> cases = List.of("projection", "filter", "small-files");

  @Option(
      names = "--small-files",
      description = "number of files of the case small-files (default: ${DEFAULT-VALUE})")
  private int smallFiles = SmallFiles.DEFAULT_COUNT;

  @Override
  public Integer call() throws IOException {
    Workload workload =
        new ScanWorkload(
            run.scale, cases.stream().map(ScanCase::parse).toList(), new SmallFiles(smallFiles));
    String files = smallFiles == SmallFiles.DEFAULT_COUNT ? "" : " --small-files " + smallFiles;
    String command =
        "bin/ariadne bench scan --cases %s%s %s"
            .formatted(String.join(",", cases), files, run.comparison());
    return new BenchmarkRun(command, workload, run).run(options) ? 0 : 1;
  }
}
