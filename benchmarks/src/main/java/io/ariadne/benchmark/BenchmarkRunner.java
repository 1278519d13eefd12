package io.ariadne.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs queries on several engines and compares times and answers.
 *
 * <p>Every engine lives in a JVM of its own for the whole run. Per query: every engine runs it once
 * cold, then {@code warmUps} times, then {@code rounds} timed times, engines taking turns in every
 * one of these, so that a machine whose speed drifts drifts for all.
 */
final class BenchmarkRunner implements AutoCloseable {
  /**
   * What to run.
   *
   * @param engines in the order of the report; the first one's answers are the reference
   * @param queries with different names
   * @param warmUps untimed runs per query and engine, the first one included
   * @param rounds timed runs per query and engine
   */
  record Plan(
      List<EngineSettings> engines, List<BenchmarkQuery> queries, int warmUps, int rounds) {}

  private final Plan plan;
  private final Map<String, Path> tables;
  private final Path work;
  private final Map<String, List<String>> extraClassPaths;
  private final Map<String, String> versions = new TreeMap<>();
  private final Map<String, EngineProcess> engines = new LinkedHashMap<>();
  private final List<Measurement> measurements = new ArrayList<>();

  /**
   * Creates a runner.
   *
   * @param plan what to run
   * @param tables name to folder of Parquet files
   * @param work gets logs and answers
   * @param extraClassPaths jars per engine
   */
  BenchmarkRunner(
      Plan plan, Map<String, Path> tables, Path work, Map<String, List<String>> extraClassPaths) {
    this.plan = plan;
    this.tables = tables;
    this.work = work;
    this.extraClassPaths = extraClassPaths;
  }

  /** Starts the engines and runs everything; called once. */
  List<Measurement> run() throws IOException {
    for (EngineSettings settings : plan.engines()) {
      String name = settings.engine();
      EngineProcess process =
          EngineProcess.start(
              settings, extraClassPaths.getOrDefault(name, List.of()), tables, work);
      engines.put(name, process);
      process.versions().forEach((k, v) -> versions.put(name + "." + k, v));
    }
    runQueries();
    return measurements;
  }

  Map<String, String> versions() {
    return versions;
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

  private void runQueries() throws IOException {
    int turns = Math.max(1, plan.warmUps()) + plan.rounds();
    int steps = plan.queries().size() * turns * engines.size();
    try (ProgressBar progress = new ProgressBar("Running", steps)) {
      for (BenchmarkQuery query : plan.queries()) {
        List<Measurement> ofQuery = new ArrayList<>();
        engines.keySet().forEach(name -> ofQuery.add(new Measurement(name, query.name())));
        for (int turn = 0; turn < turns; turn++) {
          for (Measurement measurement : ofQuery) {
            runOnce(engines.get(measurement.engine), query, measurement, turn);
            progress.step(query.name() + " " + measurement.engine);
          }
        }
        compareAnswers(query, ofQuery);
        measurements.addAll(ofQuery);
      }
    }
  }

  private void runOnce(
      EngineProcess engine, BenchmarkQuery query, Measurement measurement, int turn)
      throws IOException {
    if (measurement.error != null) {
      return;
    }
    JsonNode reply = engine.run(query.name(), query.sql());
    if (reply.has("error")) {
      measurement.error = reply.get("error").asText();
      return;
    }
    String hash = reply.get("resultHash").asText();
    if (turn == 0) {
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
    if (turn >= Math.max(1, plan.warmUps())) {
      measurement.seconds.add(reply.get("seconds").asDouble());
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
      // Another SQL dialect types averages and quotients differently; Spark's engines must agree to
      // the digit.
      boolean otherDialect = !EngineSettings.isSpark(other.engine);
      other.difference = answer(other).difference(answer(reference), otherDialect);
    }
  }

  private static CanonicalResult answer(Measurement measurement) throws IOException {
    return new CanonicalResult(Files.readAllLines(Path.of(measurement.answerFile)));
  }
}
