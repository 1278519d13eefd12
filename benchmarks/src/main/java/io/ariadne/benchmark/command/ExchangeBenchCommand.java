package io.ariadne.benchmark.command;

import io.ariadne.benchmark.workload.ExchangeWorkload;
import io.ariadne.benchmark.workload.Workload;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ariadne bench exchange}: compares strategies of shuffles. */
@Command(
    name = "exchange",
    description =
        "Compares engines, such as ariadne-simple, ariadne-merge, ariadne-push and ariadne-move, on"
            + " one exchange between executors.")
final class ExchangeBenchCommand implements Callable<Integer> {
  @Mixin private CommonOptions options;
  @Mixin private RunOptions run;

  @Option(
      names = "--megabytes",
      description = "bytes of the rows, in millions (default: ${DEFAULT-VALUE})")
  private long megabytes = 2000;

  @Option(names = "--maps", description = "number of map tasks (default: ${DEFAULT-VALUE})")
  private int maps = 64;

  @Option(
      names = "--partitions",
      split = ",",
      description = "comma-separated numbers of reduce tasks (default: 64,128,256)")
  private List<Integer> partitions = List.of(64, 128, 256);

  @Option(
      names = "--lose-executor",
      description =
          "also runs each query while an executor is killed, after half of the query's time; needs"
              + " --executors")
  private boolean losesExecutor;

  @Override
  public Integer call() throws IOException {
    if (losesExecutor && options.executors < 2) {
      throw new IllegalArgumentException(
          "--lose-executor needs at least two of --executors, not " + options.executors);
    }
    Workload workload = new ExchangeWorkload(megabytes, maps, partitions, losesExecutor);
    String counts = partitions.stream().map(String::valueOf).collect(Collectors.joining(","));
    String command =
        "bin/ariadne bench exchange --megabytes %d --maps %d --partitions %s%s %s"
            .formatted(
                megabytes, maps, counts, losesExecutor ? " --lose-executor" : "", run.comparison());
    return new BenchmarkRun(command, workload, run).run(options) ? 0 : 1;
  }
}
