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
final class BenchmarkRunner {
  /**
   * What to run.
   *
   * @param engines in the order of the report; the first one's answers are the reference
   * @param queries TPC-H numbers
   * @param scale scale factor of the data
   * @param warmUps untimed runs per query and engine, the first one included
   * @param rounds timed runs per query and engine
   */
  record Plan(
      List<EngineSettings> engines, List<Integer> queries, double scale, int warmUps, int rounds) {}

  private final Plan plan;
  private final Path data;
  private final Path work;
  private final Map<String, List<String>> extraClassPaths;
  private final Map<String, String> versions = new TreeMap<>();
  private final List<Measurement> measurements = new ArrayList<>();

  BenchmarkRunner(Plan plan, Path data, Path work, Map<String, List<String>> extraClassPaths) {
    this.plan = plan;
    this.data = data;
    this.work = work;
    this.extraClassPaths = extraClassPaths;
  }

  /** Runs everything; engines have stopped when this returns or throws. */
  List<Measurement> run() throws IOException {
    Map<String, EngineProcess> engines = new LinkedHashMap<>();
    try {
      for (EngineSettings settings : plan.engines()) {
        String name = settings.engine();
        EngineProcess process =
            EngineProcess.start(
                settings, extraClassPaths.getOrDefault(name, List.of()), data, work);
        engines.put(name, process);
        process.versions().forEach((k, v) -> versions.put(name + "." + k, v));
      }
      runQueries(engines);
    } finally {
      closeAll(engines);
    }
    return measurements;
  }

  Map<String, String> versions() {
    return versions;
  }

  private static void closeAll(Map<String, EngineProcess> engines) throws IOException {
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

  private void runQueries(Map<String, EngineProcess> engines) throws IOException {
    int turns = Math.max(1, plan.warmUps()) + plan.rounds();
    int steps = plan.queries().size() * turns * engines.size();
    try (ProgressBar progress = new ProgressBar("Running", steps)) {
      for (int query : plan.queries()) {
        List<Measurement> ofQuery = new ArrayList<>();
        engines.keySet().forEach(name -> ofQuery.add(new Measurement(name, query)));
        for (int turn = 0; turn < turns; turn++) {
          for (Measurement measurement : ofQuery) {
            runOnce(engines.get(measurement.engine), measurement, turn);
            progress.step("q" + query + " " + measurement.engine);
          }
        }
        compareAnswers(ofQuery);
        measurements.addAll(ofQuery);
      }
    }
  }

  private void runOnce(EngineProcess engine, Measurement measurement, int turn) throws IOException {
    if (measurement.error != null) {
      return;
    }
    int query = measurement.query;
    JsonNode reply = engine.run("q" + query, TpchQueries.text(query, plan.scale()));
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
    if (reply.get("operators").asInt() > 0) {
      measurement.accelerated =
          reply.get("accelerated").asInt() + "/" + reply.get("operators").asInt();
    }
    if (turn >= Math.max(1, plan.warmUps())) {
      measurement.seconds.add(reply.get("seconds").asDouble());
    }
  }

  private static void compareAnswers(List<Measurement> ofQuery) throws IOException {
    Measurement reference = ofQuery.get(0);
    for (Measurement other : ofQuery) {
      if (reference.error != null
          || other.error != null
          || other.resultHash.equals(reference.resultHash)) {
        continue;
      }
      // Another SQL dialect types averages and quotients differently; Spark's engines must agree to
      // the digit.
      boolean otherDialect = other.engine.equals("duckdb");
      other.difference = answer(other).difference(answer(reference), otherDialect);
    }
  }

  private static CanonicalResult answer(Measurement measurement) throws IOException {
    return new CanonicalResult(Files.readAllLines(Path.of(measurement.answerFile)));
  }
}
