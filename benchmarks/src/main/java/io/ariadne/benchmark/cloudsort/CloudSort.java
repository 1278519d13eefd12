package io.ariadne.benchmark.cloudsort;

import com.fasterxml.jackson.databind.JsonNode;
import io.ariadne.benchmark.engine.EngineProcess;
import io.ariadne.benchmark.engine.EngineSettings;
import io.ariadne.benchmark.engine.QueryEngine;
import io.ariadne.benchmark.store.StoreTraffic;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Lets engines sort inputs on a store to outputs on the same store, and checks every output.
 *
 * <p>Every run has a new process, which first sorts a small input, so that the runs of all sizes
 * have the same start: classes are loaded, connections open, loops compiled. One process exists at
 * a time. The output of a run is deleted before the next run; that of a wrong run stays.
 */
public final class CloudSort {
  private static final String SQL = "select key, payload from %s order by key";
  private static final String TABLE = "records";
  private static final String WARM_UP = "warmup";
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * What to run.
   *
   * @param engines in the order of the runs of one size
   * @param inputs complete inputs, in the order of the report
   * @param warmUp complete input of the first sort of every process; null for none
   * @param rounds runs per input and engine
   * @param limit time limit of one sort
   * @param model computes costs
   * @param threads files that are checked at the same time
   */
  public record Plan(
      List<EngineSettings> engines,
      List<SortInput> inputs,
      SortInput warmUp,
      int rounds,
      Duration limit,
      CostModel model,
      int threads) {}

  /**
   * The store.
   *
   * @param files reaches it without counts and limits
   * @param output folder for the outputs of runs
   * @param traffic what engines have asked for until now, null when it is not counted
   * @param cpuNanos processor time of the store on this machine until now
   */
  public record Store(
      FileSystem files, Path output, Supplier<StoreTraffic> traffic, LongSupplier cpuNanos) {}

  /** Starts an engine in a process of its own. */
  public interface Starter {
    EngineProcess start(EngineSettings settings, Map<String, String> tables) throws IOException;
  }

  /** Receives the runs so far, after each run, and the engines' versions. */
  public interface Listener {
    void measured(List<SortedRun> runs, Map<String, String> versions) throws IOException;
  }

  private final Plan plan;
  private final Store store;
  private final Starter starter;
  private final Map<String, String> versions = new TreeMap<>();

  /** Creates a benchmark. */
  public CloudSort(Plan plan, Store store, Starter starter) {
    this.plan = plan;
    this.store = store;
    this.starter = starter;
  }

  /**
   * Runs all engines on all inputs; ends after the first wrong output.
   *
   * @return the runs, failed ones included
   */
  public List<SortedRun> run(Listener listener) throws IOException {
    List<SortedRun> runs = new ArrayList<>();
    for (SortInput input : plan.inputs) {
      for (int round = 0; round < plan.rounds; round++) {
        for (EngineSettings engine : plan.engines) {
          deleteOutputs();
          SortedRun run = run(engine, input);
          runs.add(run);
          listener.measured(runs, versions);
          if (run.check() != null && run.check().faults() > 0) {
            return runs;
          }
        }
      }
    }
    deleteOutputs();
    return runs;
  }

  /** Deletes one folder after the other: s3proxy lists nested folders in a way S3A refuses. */
  private void deleteOutputs() throws IOException {
    if (store.files.exists(store.output)) {
      for (FileStatus run : store.files.listStatus(store.output)) {
        store.files.delete(run.getPath(), true);
      }
    }
  }

  private SortedRun run(EngineSettings settings, SortInput input) throws IOException {
    String name = settings.engine();
    System.err.printf("Sorting %d MB on %s%n", input.recordBytes() / 1_000_000, name);
    Map<String, String> tables = new LinkedHashMap<>();
    tables.put(TABLE, input.address());
    if (plan.warmUp != null) {
      tables.put(WARM_UP, plan.warmUp.address());
    }
    Path output = new Path(store.output, "sorted-" + name);
    JsonNode reply;
    StoreTraffic traffic;
    double storeCpuSeconds;
    try (EngineProcess engine = starter.start(settings, tables)) {
      engine.versions().forEach((k, v) -> versions.put(name + "." + k, v));
      if (plan.warmUp != null) {
        Path warm = new Path(store.output, "warmup-" + name);
        JsonNode first = sort(engine, WARM_UP, warm);
        if (first.has("error")) {
          return SortedRun.failed(name, input.recordBytes(), first.get("error").asText());
        }
        store.files.delete(warm, true);
      }
      StoreTraffic before = store.traffic.get();
      long cpuBefore = store.cpuNanos.getAsLong();
      reply = sort(engine, TABLE, output);
      storeCpuSeconds = (store.cpuNanos.getAsLong() - cpuBefore) / NANOS_PER_SECOND;
      traffic = before == null ? null : store.traffic.get().since(before);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) { // the engine ended, or has not stopped as it should
      return SortedRun.failed(name, input.recordBytes(), e.getMessage());
    }
    String error = reply.has("error") ? reply.get("error").asText() : lostDevice(reply);
    return error == null
        ? checked(settings, input, reply, traffic, storeCpuSeconds, output)
        : SortedRun.failed(name, input.recordBytes(), error);
  }

  private JsonNode sort(EngineProcess engine, String table, Path output) throws IOException {
    String sql = QueryEngine.parquet(output.toString()) + SQL.formatted(table);
    return engine.run(table, sql, plan.limit);
  }

  private static String lostDevice(JsonNode reply) {
    return reply.has("lostDevice") ? "the GPU was lost: " + reply.get("lostDevice").asText() : null;
  }

  private SortedRun checked(
      EngineSettings settings,
      SortInput input,
      JsonNode reply,
      StoreTraffic traffic,
      double storeCpuSeconds,
      Path output)
      throws IOException {
    CheckResult check = input.check().check(store.files, output, plan.threads);
    Map<String, Long> counters = new TreeMap<>();
    reply
        .path("shuffle")
        .properties()
        .forEach(e -> counters.put(e.getKey(), e.getValue().asLong()));
    double seconds = reply.get("seconds").asDouble();
    boolean isAriadne = EngineSettings.isAriadne(settings.engine());
    return new SortedRun(
        settings.engine(),
        input.recordBytes(),
        seconds,
        reply.get("cpuSeconds").asDouble(),
        storeCpuSeconds,
        traffic,
        counters,
        isAriadne ? reply.get("accelerated").asInt() + "/" + reply.get("operators").asInt() : null,
        reply.get("peakBytes").asLong(),
        check,
        plan.model.perTerabyte(usage(settings, input, seconds, traffic, counters)),
        check.faults() == 0
            ? null
            : "wrong output, which stays in %s: %s"
                .formatted(output, String.join("; ", check.messages())));
  }

  private static CostModel.Usage usage(
      EngineSettings settings,
      SortInput input,
      double seconds,
      StoreTraffic traffic,
      Map<String, Long> counters) {
    long disk =
        counters.getOrDefault("writtenBytes", 0L) + counters.getOrDefault("spilledBytes", 0L);
    boolean isCounted = traffic != null;
    return new CostModel.Usage(
        input.recordBytes(),
        settings.cores(),
        seconds,
        disk,
        2 * input.fileBytes(),
        isCounted ? traffic.gets() + traffic.heads() : 0,
        isCounted ? traffic.lists() + traffic.writes() : 0);
  }
}
