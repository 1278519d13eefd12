package io.ariadne.benchmark.cloudsort;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.benchmark.store.StoreTraffic;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TestSortReport {
  private static final CostModel MODEL = new CostModel(new Prices(0.05, 0, 0, 0, 0));

  @Test
  void growthIsTimePerByteAgainstTheSmallestSize() {
    SortReport report = report(run(1_000_000_000, 10), run(2_000_000_000, 22));
    assertTrue(
        report.text().contains("seconds per byte of 2000 MB are 1.100 of those of 1000 MB"),
        report.text());
    assertFalse(report.failed());
  }

  @Test
  void growthIsOfMedians() {
    SortReport report =
        report(
            run(1_000_000_000, 10),
            run(2_000_000_000, 21),
            run(2_000_000_000, 99),
            run(2_000_000_000, 20));
    assertTrue(report.text().contains("2000 MB are 1.050 of those of 1000 MB"), report.text());
  }

  @Test
  void lineHasRateTrafficAndSpills() {
    String text = report(run(1_000_000_000, 10)).text();
    assertTrue(text.contains("100.0"), text); // MB/s
    assertTrue(text.contains("1000 MB on ariadne: 4 files"), text);
    assertTrue(text.matches("(?s).* 2100 +1050 +77 +23 +500 +600 .*"), text);
  }

  @Test
  void failureIsShown() {
    SortReport report = report(SortedRun.failed("spark", 1_000_000_000, "no space"));
    assertTrue(report.failed());
    assertTrue(report.text().contains("1000 MB on spark: failed: no space"), report.text());
  }

  private static SortReport report(SortedRun... runs) {
    return new SortReport(List.of(runs), MODEL);
  }

  private static SortedRun run(long bytes, double seconds) {
    return new SortedRun(
        "ariadne",
        bytes,
        seconds,
        15,
        3,
        new StoreTraffic(77, 3, 4, 16, 2_100_000_000L, 1_050_000_000L, 5, 1, Map.of()),
        Map.of("writtenBytes", 500_000_000L, "spilledBytes", 600_000_000L),
        "3/4",
        1_000_000,
        new CheckResult(4, bytes / 100, "ab", 0, 0, List.of()),
        MODEL.perTerabyte(new CostModel.Usage(bytes, 2, seconds, 0, 0, 0, 0)),
        null);
  }
}
