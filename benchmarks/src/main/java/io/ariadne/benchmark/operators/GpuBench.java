package io.ariadne.benchmark.operators;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.backend.cuda.CudaBackend;
import io.ariadne.backend.cuda.GpuRequest;
import io.ariadne.backend.simulated.SimulatedBackend;
import io.ariadne.backend.simulated.SimulatedDevice;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.executor.SelectedBackend;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs operators over TPC-H's Parquet files on a back end, without Spark. For each operator it
 * prints the time including its scan, the bytes of its rows, their rate relative to that of a plain
 * copy, and the number of calls of the back end. It compares the answers with those of the host
 * back end.
 */
@Command(
    name = "operators",
    mixinStandardHelpOptions = true,
    description = "Measures Ariadne's operators without Spark.")
public final class GpuBench implements Callable<Integer> {
  @Option(names = "--tables", required = true, description = "folder of TPC-H's tables")
  private Path tables;

  @Option(names = "--backend", description = "cpu, simulated or cuda (default: ${DEFAULT-VALUE})")
  private String backendName = "cpu";

  @Option(names = "--threads", description = "compute threads (default: all)")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--memory",
      description = "host memory for rows, in MB (default: ${DEFAULT-VALUE})")
  private long memoryMegabytes = 4096;

  @Option(names = "--rounds", description = "timed runs (default: ${DEFAULT-VALUE})")
  private int rounds = 3;

  @Option(
      names = "--copy-megabytes",
      description = "size of the copy that bandwidth is compared with (default: ${DEFAULT-VALUE})")
  private long copyMegabytes = 256;

  @Option(
      names = "--cases",
      split = ",",
      description =
          "comma-separated list of scan, filter, group-by-few, group-by-many, join, sort, top-n,"
              + " partition (default: all)")
  private List<String> names = OperatorCase.all().stream().map(OperatorCase::name).toList();

  @Option(names = "--json", description = "file for the results")
  private Path json;

  @Option(names = "--note", description = "NAME=TEXT to add at the start of the file")
  private Map<String, String> machine = Map.of();

  /** Runs the benchmark. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new GpuBench()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (rounds < 1) {
      throw new IllegalArgumentException("--rounds " + rounds + ": at least 1 is needed");
    }
    List<OperatorCase> cases = names.stream().map(GpuBench::find).toList();
    Map<String, Long> expected = expected(cases);
    CountingBackend backend = new CountingBackend(open(backendName));
    SelectedBackend selected = new SelectedBackend(backend, "asked for");
    try (ExecutorRuntime runtime = ExecutorRuntime.start(config(), selected)) {
      System.out.println(runtime.description());
      double copyRate = CopyRate.measure(backend, copyMegabytes << 20, threads);
      System.out.printf(Locale.ROOT, "a copy moves %.1f GB/s%n%s%n", copyRate, Measured.header());
      List<Measured> results = new ArrayList<>();
      for (OperatorCase each : cases) {
        OperatorRun run = new OperatorRun(runtime, backend, new Tables(tables));
        results.add(run.measure(each, rounds, expected.get(each.name())));
        System.out.println(results.get(results.size() - 1).line(copyRate));
      }
      if (json != null) {
        write(runtime.description(), copyRate, results);
      }
      return results.stream().allMatch(Measured::isEqual) ? 0 : 1;
    }
  }

  private static OperatorCase find(String name) {
    return OperatorCase.all().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unknown case " + name));
  }

  private RuntimeConfig config() {
    return RuntimeConfig.of(threads, memoryMegabytes << 20);
  }

  private static Backend open(String name) {
    return switch (name) {
      case "cpu" -> HostBackend.open();
      case "simulated" -> SimulatedBackend.open(SimulatedDevice.configured());
      case "cuda" -> CudaBackend.open(GpuRequest.ANY);
      default ->
          throw new IllegalArgumentException("--backend " + name + ": give cpu, simulated or cuda");
    };
  }

  /** Returns the digests of the answers of the host back end. */
  private Map<String, Long> expected(List<OperatorCase> cases) throws IOException {
    CountingBackend host = new CountingBackend(HostBackend.open());
    Map<String, Long> digests = new LinkedHashMap<>();
    try (ExecutorRuntime runtime =
        ExecutorRuntime.start(config(), new SelectedBackend(host, "for the answers"))) {
      for (OperatorCase each : cases) {
        digests.put(each.name(), new OperatorRun(runtime, host, new Tables(tables)).digest(each));
      }
    }
    return digests;
  }

  private void write(String description, double copyRate, List<Measured> results)
      throws IOException {
    Map<String, Object> report = new LinkedHashMap<>(machine);
    report.put("runtime", description);
    report.put("tables", tables.toString());
    report.put("copyGigabytesPerSecond", copyRate);
    report.put("cases", results.stream().map(each -> each.toMap(copyRate)).toList());
    new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(json.toFile(), report);
  }
}
