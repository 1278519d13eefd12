package io.ariadne.benchmark.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The results of a query as a whole and in rounds, run one after the other. */
public final class RoundsReport {
  private final List<Run> runs = new ArrayList<>();

  /**
   * A run of both.
   *
   * @param plainSeconds of the query as a whole
   * @param plainCpu its processor time in seconds
   * @param cpu that of all rounds
   * @param rounds {@code seconds} from the start to each result, {@code share}, {@code groups} and
   *     {@code divergence}
   */
  private record Run(double plainSeconds, double plainCpu, double cpu, List<JsonNode> rounds) {
    double seconds(int round) {
      return rounds.get(round).get("seconds").asDouble();
    }

    double first() {
      return seconds(0);
    }

    double all() {
      return seconds(rounds.size() - 1);
    }
  }

  /**
   * Adds a run.
   *
   * @param plain the engine's reply to the query
   * @param online its reply to the query in rounds
   * @throws IllegalStateException when one has failed, or the last rows are not those of the query
   */
  public void add(JsonNode plain, JsonNode online) {
    for (JsonNode reply : List.of(plain, online)) {
      if (reply.has("error")) {
        throw new IllegalStateException("a run failed: " + reply.get("error").asText());
      }
    }
    if (!plain.get("resultHash").equals(online.get("resultHash"))) {
      throw new IllegalStateException(
          "the last result differs from the query's: see %s and %s"
              .formatted(plain.get("answerFile").asText(), online.get("answerFile").asText()));
    }
    List<JsonNode> rounds = new ArrayList<>();
    online.get("rounds").forEach(rounds::add);
    runs.add(
        new Run(
            plain.get("seconds").asDouble(),
            plain.get("cpuSeconds").asDouble(),
            online.get("cpuSeconds").asDouble(),
            rounds));
  }

  /** Returns what the JSON file has: for each run the seconds of both, and all rounds. */
  public List<Map<String, Object>> runs() {
    List<Map<String, Object>> all = new ArrayList<>();
    for (Run run : runs) {
      Map<String, Object> each = new LinkedHashMap<>();
      each.put("plainSeconds", run.plainSeconds);
      each.put("firstSeconds", run.first());
      each.put("allSeconds", run.all());
      each.put("plainCpuSeconds", run.plainCpu);
      each.put("allCpuSeconds", run.cpu);
      each.put("rounds", run.rounds);
      all.add(each);
    }
    return all;
  }

  /** Returns a line per round, with medians, and the ratios to the query as a whole. */
  public String text() {
    StringBuilder text = new StringBuilder("round    share   seconds    groups   KL divergence\n");
    List<JsonNode> rounds = runs.get(0).rounds;
    for (int i = 0; i < rounds.size(); i++) {
      int round = i;
      text.append(
          "%5d %7.1f%% %9.3f %9d   %.6f%n"
              .formatted(
                  i + 1,
                  100 * rounds.get(i).get("share").asDouble(),
                  median(run -> run.seconds(round)),
                  rounds.get(i).get("groups").asInt(),
                  rounds.get(i).get("divergence").asDouble()));
    }
    double plain = median(Run::plainSeconds);
    double first = median(Run::first);
    double all = median(Run::all);
    return text.append("query as a whole %.3f s%n".formatted(plain))
        .append("first result %.3f s, %.1f times sooner%n".formatted(first, plain / first))
        .append("all rounds %.3f s, %.2f times as long%n".formatted(all, all / plain))
        .append(
            "processor time %.3f s, %.3f s of all rounds%n"
                .formatted(median(Run::plainCpu), median(Run::cpu)))
        .toString();
  }

  private double median(Function<Run, Double> value) {
    return Median.of(runs.stream().map(value).toList());
  }
}
