package io.ariadne.plugin.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class TestNetworkReport {
  private static PairResult pair(String from, String to, double megabytesPerSecond) {
    return new PairResult(from, to, "tcp, AES", 150_000, megabytesPerSecond * 1e6, "");
  }

  @Test
  void hasALinePerPairAndNamesSlowOnes() {
    assertTrue(NetworkReport.header().matches("from +to +latency +rate +transport\n"));
    String line = NetworkReport.line(pair("1", "2", 1000));
    assertTrue(line.matches("1 +2 +0.15 ms +1000 MB/s +tcp, AES\n"), line);
    String advice =
        NetworkReport.of(List.of(pair("1", "2", 1000), pair("2", "1", 900), pair("1", "3", 400)))
            .advice();
    assertEquals(1, advice.lines().count(), advice);
    assertTrue(advice.contains("from executor 1 to executor 3 is slow"), advice);
  }

  @Test
  void repeatsAnAdviceOnce() {
    PairResult files =
        new PairResult("1", "2", "Spark's block transfer", 0, 0, "set spark.shuffle.manager=X");
    String line = NetworkReport.line(files);
    assertTrue(line.matches("1 +2 +- +- +Spark's block transfer\n"), line);
    String advice = NetworkReport.of(List.of(files, files)).advice();
    assertEquals("- set spark.shuffle.manager=X\n", advice);
  }

  @Test
  void tellsThatThereIsOneExecutor() {
    assertTrue(NetworkReport.of(List.of()).advice().contains("one executor only"));
  }

  @Test
  void refusesWrongNumbersOfMegabytes() {
    for (String wrong : List.of("", "x", "0", "-1", "1000000")) {
      assertThrows(
          IllegalArgumentException.class, () -> NetworkCheck.main(new String[] {wrong}), wrong);
    }
  }
}
