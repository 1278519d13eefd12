package io.ariadne.benchmark.command;

import io.ariadne.benchmark.engine.EngineProcess;
import io.ariadne.benchmark.engine.EngineSettings;
import io.ariadne.benchmark.report.FallbackTable;
import io.ariadne.benchmark.workload.BenchmarkQuery;
import io.ariadne.benchmark.workload.TpcdsQueries;
import io.ariadne.benchmark.workload.TpcdsWorkload;
import io.ariadne.benchmark.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ariadne bench tpcds}: compares engines on TPC-DS's queries. */
@Command(name = "tpcds", description = "Compares engines on TPC-DS.")
final class TpcdsBenchCommand implements Callable<Integer> {
  @Mixin private CommonOptions options;
  @Mixin private RunOptions run;

  @Option(
      names = "--queries",
      description = "all (default), or names such as 3 or 14a separated by commas")
  private String queries = "all";

  @Option(
      names = "--fallbacks",
      paramLabel = "FILE.md",
      description = "only write a page about the operators that stay with Spark, and why")
  private Path fallbacks;

  @Override
  public Integer call() throws IOException {
    Workload workload = new TpcdsWorkload(run.scale, TpcdsQueries.parse(queries));
    if (fallbacks != null) {
      writeFallbacks(workload);
      return 0;
    }
    String command = "bin/ariadne bench tpcds --queries " + queries + " " + run.comparison();
    return new BenchmarkRun(command, workload, run).run(options) ? 0 : 1;
  }

  private void writeFallbacks(Workload workload) throws IOException {
    workload.generate(options.folders());
    FallbackTable table = new FallbackTable();
    EngineSettings settings = options.settings("ariadne");
    List<String> classPath = CommonOptions.extraClassPaths().getOrDefault("ariadne", List.of());
    try (EngineProcess engine =
        EngineProcess.start(
            settings, classPath, workload.tables(options.folders()), options.newWorkFolder())) {
      for (BenchmarkQuery query : workload.queries()) {
        table.add(query.name(), engine.explain(query.sql()));
      }
    }
    String command =
        "bin/ariadne bench tpcds --queries %s --scale %s --spark %s --fallbacks %s"
            .formatted(queries, run.scale, run.sparkLine, fallbacks);
    String title = workload.title() + " on Spark " + run.sparkLine;
    Files.writeString(fallbacks, table.page(title, command));
  }
}
