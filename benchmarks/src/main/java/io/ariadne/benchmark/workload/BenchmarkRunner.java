package io.ariadne.benchmark.workload;

import com.fasterxml.jackson.databind.JsonNode;
import io.ariadne.benchmark.engine.CanonicalResult;
import io.ariadne.benchmark.engine.EngineProcess;
import io.ariadne.benchmark.engine.EngineSettings;
import io.ariadne.benchmark.report.Measurement;
import io.ariadne.benchmark.report.ProgressBar;
import io.ariadne.benchmark.store.StoreTraffic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Runs queries on several engines and compares times and answers.
 *
 * <p>Every engine has a JVM of its own for the whole run. Each query runs once cold, then until it
 * has run {@code warmUps} times in all, then {@code rounds} timed times. The engines alternate
 * after every run, so that a drift of the machine's speed affects all of them.
 *
 * <p>A query fails when its engine ends, loses its GPU, or is killed because the query exceeds its
 * time limit. The engine starts again for the next query. If it cannot start again, all its further
 * queries fail.
 */
public final class BenchmarkRunner implements AutoCloseable {
  /**
   * The engines, queries and number of runs.
   *
   * @param engines in the order of the report; the first one's answers are the reference
   * @param queries with different names
   * @param warmUps untimed runs per query and engine, the first one included
   * @param rounds timed runs per query and engine
   * @param limit time limit of one run
   */
  public record Plan(
      List<EngineSettings> engines,
      List<BenchmarkQuery> queries,
      int warmUps,
      int rounds,
      Duration limit) {}

  /** Receives the measurements so far, after each query, and the engines' versions. */
  public interface Listener {
    void measured(List<Measurement> measurements, Map<String, String> versions) throws IOException;
  }

  /** Starts an engine in a JVM of its own. */
  public interface Starter {
    EngineProcess start(EngineSettings settings) throws IOException;
  }

  /** Is called before each run, and not timed. */
  public interface Preparation {
    void prepare() throws IOException;
  }

  private final Plan plan;
  private final Starter starter;
  private final Preparation preparation;
  private final Supplier<StoreTraffic> traffic;
  private final Map<String, String> versions = new TreeMap<>();
  private final Map<String, EngineProcess> engines = new LinkedHashMap<>();

  /** Why an engine cannot start again, by its name. */
  private final Map<String, String> unusable = new TreeMap<>();

  private final List<Measurement> measurements = new ArrayList<>();

  /**
   * Creates a runner.
   *
   * @param starter starts an engine, which the runner closes
   */
  public BenchmarkRunner(Plan plan, Starter starter) {
    this(plan, starter, () -> {}, () -> null);
  }

  /**
   * Creates a runner that prepares each run, and counts what engines ask of a store.
   *
   * @param starter starts an engine, which the runner closes
   * @param preparation is called before each run
   * @param traffic returns the traffic until now; null when it is not counted
   */
  public BenchmarkRunner(
      Plan plan, Starter starter, Preparation preparation, Supplier<StoreTraffic> traffic) {
    this.plan = plan;
    this.starter = starter;
    this.preparation = preparation;
    this.traffic = traffic;
  }

  /**
   * Starts the engines and runs all queries. Called once.
   *
   * @throws IOException when an engine does not start the first time
   */
  public List<Measurement> run(Listener listener) throws IOException {
    for (EngineSettings settings : plan.engines()) {
      start(settings);
    }
    runQueries(listener);
    return measurements;
  }

  private EngineProcess start(EngineSettings settings) throws IOException {
    String name = settings.engine();
    EngineProcess process = starter.start(settings);
    engines.put(name, process);
    process.versions().forEach((k, v) -> versions.put(name + "." + k, v));
    return process;
  }

  /**
   * Stops the engines.
   *
   * @throws IOException when one does not stop as it should, or has left memory behind
   */
  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (EngineProcess engine : engines.values()) {
      try {
        engine.close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void runQueries(Listener listener) throws IOException {
    int runs = Math.max(1, plan.warmUps()) + plan.rounds();
    int steps = plan.queries().size() * runs * plan.engines().size();
    try (ProgressBar progress = new ProgressBar("Running", steps)) {
      for (BenchmarkQuery query : plan.queries()) {
        List<Measurement> ofQuery = new ArrayList<>();
        plan.engines().forEach(e -> ofQuery.add(new Measurement(e.engine(), query.name())));
        for (int run = 0; run < runs; run++) {
          for (int i = 0; i < ofQuery.size(); i++) {
            runOnce(plan.engines().get(i), query, ofQuery.get(i), run);
            progress.step(query.name() + " " + ofQuery.get(i).engine);
          }
        }
        compareAnswers(query, ofQuery);
        measurements.addAll(ofQuery);
        listener.measured(measurements, versions);
      }
    }
  }

  private void runOnce(
      EngineSettings settings, BenchmarkQuery query, Measurement measurement, int run)
      throws IOException {
    if (measurement.error != null) {
      return;
    }
    String name = settings.engine();
    if (unusable.containsKey(name)) {
      measurement.error = unusable.get(name);
      return;
    }
    try {
      EngineProcess engine = engines.get(name);
      engine = engine == null ? startAgain(settings) : engine;
      preparation.prepare();
      StoreTraffic before = traffic.get();
      JsonNode reply = engine.run(query.name(), query.sql(), plan.limit());
      note(reply, measurement, run);
      if (before != null) {
        noteTraffic(traffic.get().since(before), measurement, run);
      }
      if (reply.has("lostDevice")) {
        // The host would compute its further answers.
        engines.remove(name).destroy();
        measurement.error = "the GPU was lost: " + reply.get("lostDevice").asText();
      }
    } catch (EngineProcess.EndedException e) {
      engines.remove(name);
      measurement.error = e.getMessage();
    }
  }

  private EngineProcess startAgain(EngineSettings settings) throws IOException {
    try {
      return start(settings);
    } catch (EngineProcess.EndedException e) {
      unusable.put(settings.engine(), "the engine did not start again: " + e.getMessage());
      throw e;
    }
  }

  private void note(JsonNode reply, Measurement measurement, int run) {
    if (reply.has("error")) {
      measurement.error = reply.get("error").asText();
      return;
    }
    String hash = reply.get("resultHash").asText();
    if (run == 0) {
      measurement.firstSeconds = reply.get("seconds").asDouble();
      measurement.resultHash = hash;
      measurement.rows = reply.get("rows").asLong();
      measurement.answerFile = reply.get("answerFile").asText();
    } else if (!hash.equals(measurement.resultHash)) {
      measurement.error = "two runs gave different answers";
    }
    if (reply.get("peakBytes").asLong() > 0) {
      measurement.peakBytes = reply.get("peakBytes").asLong();
    }
    if (reply.get("operators").asInt() > 0) {
      measurement.accelerated =
          reply.get("accelerated").asInt() + "/" + reply.get("operators").asInt();
    }
    if (run >= Math.max(1, plan.warmUps())) {
      measurement.seconds.add(reply.get("seconds").asDouble());
      if (reply.has("cpuSeconds")) {
        measurement.cpuSeconds.add(reply.get("cpuSeconds").asDouble());
      }
      noteCounted(reply.path("scan"), measurement.scans);
      noteCounted(reply.path("shuffle"), measurement.shuffles);
    }
  }

  private static void noteCounted(JsonNode counted, List<Map<String, Long>> runs) {
    if (!counted.isEmpty()) {
      Map<String, Long> run = new TreeMap<>();
      counted.properties().forEach(e -> run.put(e.getKey(), e.getValue().asLong()));
      runs.add(run);
    }
  }

  private void noteTraffic(StoreTraffic added, Measurement measurement, int run) {
    if (run == 0) {
      measurement.firstTraffic = added;
    }
    if (run >= Math.max(1, plan.warmUps())) {
      measurement.traffic.add(added);
    }
  }

  private static void compareAnswers(BenchmarkQuery query, List<Measurement> ofQuery)
      throws IOException {
    Measurement reference = ofQuery.get(0);
    for (Measurement other : ofQuery) {
      other.compared = query.comparable(other.engine, reference.engine);
      if (!other.compared
          || reference.error != null
          || other.error != null
          || other.resultHash.equals(reference.resultHash)) {
        continue;
      }
      // Other SQL dialects type averages and quotients differently; engines of Spark's dialect must
      // agree to
      // the last digit.
      boolean otherDialect = !EngineSettings.isSpark(other.engine);
      other.difference = answer(other).difference(answer(reference), otherDialect);
    }
  }

  private static CanonicalResult answer(Measurement measurement) throws IOException {
    return new CanonicalResult(Files.readAllLines(Path.of(measurement.answerFile)));
  }
}
