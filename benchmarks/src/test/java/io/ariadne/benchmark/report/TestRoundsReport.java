package io.ariadne.benchmark.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class TestRoundsReport {
  private static final String ROUNDS =
      "[{'seconds': %s, 'share': 0.5, 'groups': 3, 'divergence': 0.25},"
          + " {'seconds': %s, 'share': 1.0, 'groups': 4, 'divergence': 0.0}]";

  @Test
  void mediansAndRatiosAreOfAllRuns() throws IOException {
    RoundsReport report = new RoundsReport();
    report.add(reply(9, "a", "[]"), reply(0, "a", ROUNDS.formatted(1, 15)));
    report.add(reply(10, "a", "[]"), reply(0, "a", ROUNDS.formatted(2, 13)));
    report.add(reply(20, "a", "[]"), reply(0, "a", ROUNDS.formatted(1.5, 12)));
    String text = report.text();
    assertTrue(text.contains("50.0%     1.500         3   0.250000"), text);
    assertTrue(text.contains("query as a whole 10.000 s"), text);
    assertTrue(text.contains("first result 1.500 s, 6.7 times sooner"), text);
    assertTrue(text.contains("all rounds 13.000 s, 1.30 times as long"), text);
    assertEquals(3, report.runs().size());
    assertEquals(15.0, report.runs().get(0).get("allSeconds"));
  }

  @Test
  void differentAnswersAndErrorsFail() throws IOException {
    RoundsReport report = new RoundsReport();
    JsonNode plain = reply(9, "a", "[]");
    JsonNode other = reply(9, "b", ROUNDS.formatted(1, 2));
    assertThrows(IllegalStateException.class, () -> report.add(plain, other));
    JsonNode failed = new ObjectMapper().readTree("{\"error\": \"no memory\"}");
    IllegalStateException failure =
        assertThrows(IllegalStateException.class, () -> report.add(plain, failed));
    assertTrue(failure.getMessage().contains("no memory"));
  }

  private static JsonNode reply(double seconds, String hash, String rounds) throws IOException {
    String text =
        "{'seconds': %s, 'cpuSeconds': 1, 'resultHash': '%s', 'answerFile': 'f', 'rounds': %s}"
            .formatted(seconds, hash, rounds);
    return new ObjectMapper().readTree(text.replace('\'', '"'));
  }
}
