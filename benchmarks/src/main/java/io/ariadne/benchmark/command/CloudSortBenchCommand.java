package io.ariadne.benchmark.command;

import io.ariadne.benchmark.cloudsort.CloudSort;
import io.ariadne.benchmark.cloudsort.CostModel;
import io.ariadne.benchmark.cloudsort.DiskSpace;
import io.ariadne.benchmark.cloudsort.SortInput;
import io.ariadne.benchmark.cloudsort.SortRecords;
import io.ariadne.benchmark.cloudsort.SortReport;
import io.ariadne.benchmark.cloudsort.SortedRun;
import io.ariadne.benchmark.engine.EngineProcess;
import io.ariadne.benchmark.engine.EngineSettings;
import io.ariadne.benchmark.report.Report;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ariadne bench cloudsort}: sorts records on a store. */
@Command(
    name = "cloudsort",
    description =
        "Compares engines on sorting 100-byte records from an object store to it; checks every"
            + " output, and computes what a terabyte costs.")
final class CloudSortBenchCommand implements Callable<Integer> {
  private static final long MEGA = 1_000_000;
  private static final long RECORDS_PER_MEGABYTE = MEGA / SortRecords.BYTES;

  @Mixin private CommonOptions options;
  @Mixin private PriceOptions prices = new PriceOptions();
  @Mixin private StoreOptions store = new StoreOptions();

  @Option(
      names = "--megabytes",
      split = ",",
      description =
          "comma-separated list of the sizes of inputs in MB (10^6 bytes) of records"
              + " (default: 10000)")
  private List<Long> megabytes = List.of(10_000L);

  @Option(
      names = "--engines",
      split = ",",
      description =
          "comma-separated list of spark, ariadne, and those that bench sort has with the prefix"
              + " ariadne-, but not ariadne-old (default: spark,ariadne)")
  private List<String> engines = List.of("spark", "ariadne");

  @Option(
      names = "--rounds",
      description = "runs per size and engine, each in a new process (default: ${DEFAULT-VALUE})")
  private int rounds = 1;

  @Option(
      names = "--warmup-megabytes",
      description =
          "MB of records that every process sorts first, 0 for none (default: ${DEFAULT-VALUE})")
  private long warmUpMegabytes = 100;

  @Option(names = "--seed", description = "seed of the records (default: ${DEFAULT-VALUE})")
  private long seed = 1;

  @Option(
      names = "--query-seconds",
      description =
          "how long one sort may take before its engine is killed (default: ${DEFAULT-VALUE})")
  private int querySeconds = 3600;

  @Option(names = "--json", description = "file for the results")
  private Path json;

  // The launcher script uses this option to choose the class path.
  @Option(names = "--spark", description = "the Spark line: 3.5 or 4.1 (default)")
  private String sparkLine = "4.1";

  @Override
  public Integer call() throws IOException {
    List<EngineSettings> settings = checkedEngines();
    checkNumbers();
    Path work = options.newWorkFolder();
    try (BenchmarkStore opened = BenchmarkStore.open(store, options.dataRoot, work);
        FileSystem files = opened.client()) {
      org.apache.hadoop.fs.Path folder =
          new org.apache.hadoop.fs.Path(opened.address() + "/cloudsort");
      List<SortInput> inputs = new ArrayList<>();
      for (long size : megabytes) {
        inputs.add(input(files, folder, size));
      }
      SortInput warmUp = warmUpMegabytes == 0 ? null : input(files, folder, warmUpMegabytes);
      org.apache.hadoop.fs.Path output = new org.apache.hadoop.fs.Path(folder, "output");
      checkDisk(inputs, warmUp);
      generate(inputs, warmUp);
      CloudSort.Plan plan =
          new CloudSort.Plan(
              settings,
              inputs,
              warmUp,
              rounds,
              Duration.ofSeconds(querySeconds),
              new CostModel(prices.prices()),
              options.cores);
      CloudSort.Store target =
          new CloudSort.Store(files, output, opened::traffic, opened::cpuNanos);
      return run(plan, target, starter(opened, work)) ? 0 : 1;
    }
  }

  private boolean run(CloudSort.Plan plan, CloudSort.Store target, CloudSort.Starter starter)
      throws IOException {
    List<SortedRun> runs = new CloudSort(plan, target, starter).run(this::writeJson);
    SortReport report = new SortReport(runs, plan.model());
    System.out.print(report.text());
    return !report.failed();
  }

  /**
   * Returns the settings of the engines.
   *
   * @throws IllegalArgumentException when one cannot write to a store, or is not known
   */
  List<EngineSettings> checkedEngines() {
    for (String engine : engines) {
      boolean isOther = !engine.equals("spark") && !EngineSettings.isAriadne(engine);
      if (isOther || engine.equals(EngineSettings.OLD)) {
        String valid =
            EngineSettings.ARIADNE.stream()
                .filter(name -> !name.equals(EngineSettings.OLD))
                .collect(Collectors.joining(", "));
        throw new IllegalArgumentException(
            "bench cloudsort has no engine '%s'; valid engines are spark, %s"
                .formatted(engine, valid));
      }
    }
    return engines.stream().map(options::settings).toList();
  }

  private void checkNumbers() {
    if (megabytes.stream().anyMatch(size -> size < 1) || rounds < 1 || warmUpMegabytes < 0) {
      throw new IllegalArgumentException(
          "--megabytes %s, --rounds %d and --warmup-megabytes %d: sizes and rounds are at least 1"
              .formatted(megabytes, rounds, warmUpMegabytes));
    }
    if (!store.isUsed()) {
      store.address = URI.create("s3://bench/tables");
    }
    store.check();
  }

  private SortInput input(FileSystem files, org.apache.hadoop.fs.Path folder, long size)
      throws IOException {
    String name = "records-%dmb-seed%d".formatted(size, seed);
    return new SortInput(
        files,
        new org.apache.hadoop.fs.Path(folder, name),
        new SortRecords(seed),
        size * RECORDS_PER_MEGABYTE);
  }

  /**
   * Checks the space for missing inputs, the largest output, which the store has twice while it
   * joins the parts of an upload, and shuffles and spills of the largest sort.
   */
  private void checkDisk(List<SortInput> inputs, SortInput warmUp) throws IOException {
    long missing = 0;
    long largest = 0;
    for (SortInput input : inputs) {
      missing += input.isComplete() ? 0 : input.recordBytes();
      largest = Math.max(largest, input.recordBytes());
    }
    missing += warmUp == null || warmUp.isComplete() ? 0 : warmUp.recordBytes();
    DiskSpace space = new DiskSpace();
    if (store.config == null) {
      Path data = Files.createDirectories(options.dataRoot.toAbsolutePath());
      space.need(data, missing, "inputs").need(data, 2 * largest, "the output");
    }
    String[] local =
        System.getenv()
            .getOrDefault("SPARK_LOCAL_DIRS", System.getProperty("java.io.tmpdir"))
            .split(",");
    for (String folder : local) {
      space.need(Path.of(folder), 2 * largest / local.length, "shuffles and spills");
    }
    space.check();
  }

  private void generate(List<SortInput> inputs, SortInput warmUp) throws IOException {
    for (SortInput input : inputs) {
      input.generate(options.cores);
    }
    if (warmUp != null) {
      warmUp.generate(options.cores);
    }
  }

  private static CloudSort.Starter starter(BenchmarkStore opened, Path work) {
    Map<String, List<String>> jars = CommonOptions.extraClassPaths();
    return (engine, tables) -> {
      List<String> classPath = new ArrayList<>(opened.classPath());
      classPath.addAll(jars.getOrDefault(engine.engine(), List.of()));
      return EngineProcess.start(engine, classPath, tables, opened.storage(), work);
    };
  }

  private void writeJson(List<SortedRun> runs, Map<String, String> versions) throws IOException {
    if (json != null) {
      Report.writeJson(json, versions, command(), runs);
    }
  }

  /** Returns the command line that repeats this run. */
  String command() {
    String sizes = megabytes.stream().map(String::valueOf).collect(Collectors.joining(","));
    String pool = options.poolMegabytes == 0 ? "" : " --pool " + options.poolMegabytes;
    String executors = options.executors == 0 ? "" : " --executors " + options.executors;
    return "bin/ariadne bench cloudsort --megabytes %s --engines %s --rounds %d"
            .formatted(sizes, String.join(",", engines), rounds)
        + " --warmup-megabytes %d --seed %d%s --spark %s --cores %d --memory %d%s%s %s"
            .formatted(
                warmUpMegabytes,
                seed,
                store.text(),
                sparkLine,
                options.cores,
                options.memoryMegabytes,
                pool,
                executors,
                prices.text());
  }
}
