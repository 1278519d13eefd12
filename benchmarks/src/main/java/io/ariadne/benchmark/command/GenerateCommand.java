package io.ariadne.benchmark.command;

import io.ariadne.benchmark.workload.TpchQueries;
import io.ariadne.benchmark.workload.TpchWorkload;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ariadne generate}: writes TPC-H as Parquet. */
@Command(name = "generate", description = "Generates TPC-H as Parquet files.")
final class GenerateCommand implements Callable<Integer> {
  @Mixin private CommonOptions options;

  @Option(names = "--scale", description = "scale factor (default: ${DEFAULT-VALUE})")
  private double scale = 1;

  @Option(
      names = "--columns-of",
      description =
          "queries: generates only the columns that these queries read, in a separate folder"
              + " (default: whole tables)")
  private String columnsOf = "";

  @Override
  public Integer call() throws IOException {
    TpchWorkload workload =
        new TpchWorkload(scale, List.of(), TpchQueries.parseOptional(columnsOf));
    workload.generate(options.folders());
    System.out.println(workload.folder(options.folders()));
    return 0;
  }
}
