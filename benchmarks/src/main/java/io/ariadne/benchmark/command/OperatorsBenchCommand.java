package io.ariadne.benchmark.command;

import io.ariadne.benchmark.engine.ChildJvm;
import io.ariadne.benchmark.report.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ariadne bench operators}: measures Ariadne's operators without Spark. */
@Command(
    name = "operators",
    description =
        "Measures Ariadne's operators over TPC-H's Parquet files, without Spark, and counts their"
            + " calls of the back end.")
final class OperatorsBenchCommand implements Callable<Integer> {
  private static final String PROGRAM = "io.ariadne.benchmark.operators.GpuBench";
  private static final int HEAP_MEGABYTES = 2048;
  private static final int LEAST_POOL_MEGABYTES = 64;

  @Mixin private CommonOptions options;

  @Option(names = "--scale", description = "scale factor (default: ${DEFAULT-VALUE})")
  private double scale = 1;

  @Option(
      names = "--backends",
      split = ",",
      description = "comma-separated list of cpu, simulated, cuda (default: cpu)")
  private List<String> backends = List.of("cpu");

  @Option(names = "--rounds", description = "timed runs (default: ${DEFAULT-VALUE})")
  private int rounds = 3;

  @Option(
      names = "--cases",
      description =
          "comma-separated list of scan, filter, group-by-few, group-by-many, join, sort, top-n,"
              + " partition (default: all)")
  private String cases = "";

  @Option(
      names = "--copy-megabytes",
      description = "size of the copy that bandwidth is compared with (default: ${DEFAULT-VALUE})")
  private long copyMegabytes = 256;

  @Option(names = "--json", description = "folder for the results, a file per back end")
  private Path json;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (pool() < LEAST_POOL_MEGABYTES) {
      throw new IllegalArgumentException(
          "--memory must be at least %d MB, or --pool %d"
              .formatted(HEAP_MEGABYTES + LEAST_POOL_MEGABYTES, LEAST_POOL_MEGABYTES));
    }
    if (json != null) {
      Files.createDirectories(json);
    }
    options.folders().generateTpch(scale);
    int worst = 0;
    for (String backend : backends) {
      worst = Math.max(worst, run(backend));
    }
    return worst;
  }

  private int pool() {
    return options.poolMegabytes == 0
        ? options.memoryMegabytes - HEAP_MEGABYTES
        : options.poolMegabytes;
  }

  /** Starts a process with the plugin's jar, which has the modules below Spark. */
  private int run(String backend) throws IOException, InterruptedException {
    List<String> plugin = CommonOptions.extraClassPaths().getOrDefault("ariadne", List.of());
    List<String> command = ChildJvm.command(HEAP_MEGABYTES, plugin, PROGRAM);
    command.addAll(
        List.of("--tables", options.folders().tpch(scale).toString(), "--backend", backend));
    command.addAll(List.of("--threads", String.valueOf(options.cores)));
    command.addAll(List.of("--memory", String.valueOf(pool())));
    command.addAll(List.of("--copy-megabytes", String.valueOf(copyMegabytes)));
    command.addAll(List.of("--rounds", String.valueOf(rounds)));
    if (!cases.isEmpty()) {
      command.addAll(List.of("--cases", cases));
    }
    if (json != null) {
      command.addAll(List.of("--json", json.resolve("operators-" + backend + ".json").toString()));
      command.addAll(
          List.of("--note", "command=bin/ariadne bench operators " + arguments(backend)));
      Machine.describe()
          .forEach((key, value) -> command.addAll(List.of("--note", key + "=" + value)));
    }
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  private String arguments(String backend) {
    return "--backends %s --scale %s --cores %d --rounds %d --pool %d%s"
        .formatted(
            backend,
            scale,
            options.cores,
            rounds,
            pool(),
            cases.isEmpty() ? "" : " --cases " + cases);
  }
}
