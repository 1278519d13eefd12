package io.ariadne.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TestStandaloneExample {
  private static final int ROWS = 100_003;

  private static List<String> expected() {
    TreeMap<Long, long[]> groups = new TreeMap<>();
    for (int row = 0; row < ROWS; row++) {
      long[] order = StandaloneExample.order(row);
      if (order[1] < StandaloneExample.QUANTITY_BOUND) {
        long[] sums = groups.computeIfAbsent(order[0], region -> new long[2]);
        sums[0] += order[1] * order[2];
        sums[1]++;
      }
    }
    return groups.entrySet().stream()
        .map(
            entry ->
                String.format(
                    "region %d: %d in %d orders",
                    entry.getKey(), entry.getValue()[0], entry.getValue()[1]))
        .toList();
  }

  @Test
  void printsTheAnswerWithoutSpark() {
    assertThrows(
        ClassNotFoundException.class, () -> Class.forName("org.apache.spark.SparkContext"));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    StandaloneExample.run(ROWS, new PrintStream(bytes, true, StandardCharsets.UTF_8));
    List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
    assertTrue(lines.get(0).startsWith("back end cpu"), lines.get(0));
    assertEquals(expected(), lines.stream().filter(line -> line.startsWith("region")).toList());
  }
}
