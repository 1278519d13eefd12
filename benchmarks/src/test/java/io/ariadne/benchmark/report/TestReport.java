package io.ariadne.benchmark.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ariadne.benchmark.store.StoreTraffic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestReport {
  @TempDir Path folder;

  @Test
  void medianOfOddAndEvenCounts() {
    Measurement m = new Measurement("spark", "q1");
    m.firstSeconds = 9;
    assertEquals(9, m.getMedianSeconds());
    m.seconds.addAll(List.of(3.0, 1.0, 2.0));
    assertEquals(2, m.getMedianSeconds());
    m.seconds.add(4.0);
    assertEquals(2.5, m.getMedianSeconds());
  }

  @Test
  void jsonHasTheDocumentedFields() throws IOException {
    Path file = folder.resolve("out/result.json");
    report().writeJson(file, Map.of("spark.spark", "4.1.3"), "the command");
    JsonNode root = new ObjectMapper().readTree(file.toFile());
    assertEquals("the command", root.path("command").asText());
    assertTrue(root.path("machine").has("cores"));
    JsonNode result = root.path("results").path(0);
    for (String field :
        List.of(
            "engine", "query", "medianSeconds", "firstSeconds", "seconds", "rows", "resultHash")) {
      assertTrue(result.has(field), field);
    }
  }

  @Test
  void tableShowsRatiosAndFailures() {
    Report good = report();
    assertFalse(good.failed());
    assertTrue(good.table().contains("2.00"), good.table());
    List<Measurement> measurements = measurements();
    measurements.get(1).difference = "sorted row 0: 1 against 2";
    Report bad = new Report(List.of("spark", "ariadne"), measurements);
    assertTrue(bad.failed());
    assertTrue(bad.table().contains("differs: sorted row 0"), bad.table());
  }

  @Test
  void tableShowsPeakMemoryAndAnswersThatWereNotCompared() {
    List<Measurement> measurements = measurements();
    measurements.get(1).peakBytes = 12_300_000L;
    assertFalse(report().table().contains("memory pool"));
    assertFalse(report().table().contains("not compared"));
    measurements.get(1).compared = false;
    String table = new Report(List.of("spark", "ariadne"), measurements).table();
    assertTrue(table.contains("ariadne: at most 12.3 MB in its memory pool"), table);
    assertTrue(table.contains("q6 on ariadne: another dialect, answer not compared"), table);
  }

  @Test
  void tableShowsWhatWasAskedOfTheStore() {
    List<Measurement> measurements = measurements();
    assertFalse(report().table().contains("GET"));
    assertNull(measurements.get(1).getStoreBytesPerSecond());
    Measurement ours = measurements.get(1);
    ours.firstSeconds = 5;
    ours.seconds.clear();
    ours.seconds.addAll(List.of(1.0, 3.0));
    ours.firstTraffic = new StoreTraffic(9, 2, 1, 0, 3_000_000, 0, 1, 1, Map.of());
    StoreTraffic traffic =
        new StoreTraffic(7, 1, 0, 0, 2_000_000, 0, 0, 500_000_000, Map.of("slow", 2L));
    ours.traffic.addAll(List.of(traffic, traffic));
    String table = new Report(List.of("spark", "ariadne"), measurements).table();
    String line =
        "q6 on ariadne: first 5.000 s, 12 requests, 3.0 MB; then 2.000 s, 7 GET, 1 HEAD, 0 LIST,"
            + " 2.0 MB at 1.0 MB/s, 4.0 MB/s while it read, faults {slow=2}";
    assertTrue(table.contains(line), table);
  }

  @Test
  void tableShowsTheSpreadOfTimesAndWhatScansCounted() {
    List<Measurement> measurements = measurements();
    assertFalse(report().table().contains("p99"));
    assertFalse(report().table().contains("scans"));
    Measurement ours = measurements.get(1);
    ours.seconds.addAll(List.of(4.0, 2.0));
    ours.cpuSeconds.addAll(List.of(1.0, 2.0, 3.0));
    Map<String, Long> scan =
        Map.of(
            "requests", 10L,
            "requestedBytes", 25_000_000L,
            "hedges", 1L,
            "readAheadBytes", 15_000_000L,
            "lateBytes", 5_000_000L,
            "wastedBytes", 500_000L,
            "readWaitNanos", 20_000_000L);
    ours.scans.addAll(List.of(scan, scan));
    String table = new Report(List.of("spark", "ariadne"), measurements).table();
    String times =
        "q6 on ariadne: p50 2.000 s, p99 4.000 s, max 4.000 s of 3 runs,"
            + " 2.000 s of processor time";
    assertTrue(table.contains(times), table);
    String scans =
        "q6 on ariadne: scans sent 10 requests of 2.50 MB, 1.0 twice, 0.0 again;"
            + " 75 % of the bytes in time, 0.5 MB in vain; compute threads waited 0.020 s";
    assertTrue(table.contains(scans), table);
  }

  @Test
  void percentilesAreTimesOfRuns() {
    Measurement m = new Measurement("spark", "q1");
    assertNull(m.getP99Seconds());
    for (int i = 1; i <= 200; i++) {
      m.seconds.add((double) i);
    }
    assertEquals(198, m.getP99Seconds());
    assertEquals(200, m.getMaxSeconds());
  }

  @Test
  void longNamesKeepColumnsAligned() {
    Measurement one = new Measurement("spark", "l_extendedprice");
    Measurement other = new Measurement("spark", "q6");
    one.seconds.add(1.0);
    other.seconds.add(2.0);
    String[] lines = new Report(List.of("spark"), List.of(one, other)).table().split("\n");
    assertEquals(lines[1].indexOf("1.000"), lines[2].indexOf("2.000"));
  }

  @Test
  void longNamesOfEnginesStayApart() {
    Measurement one = new Measurement("ariadne-in-memory", "q6");
    Measurement other = new Measurement("ariadne-simulated", "q6");
    one.seconds.add(1.0);
    other.seconds.add(2.0);
    List<String> names = List.of("ariadne-in-memory", "ariadne-simulated");
    String table = new Report(names, List.of(one, other)).table();
    assertTrue(table.contains(" ariadne-in-memory s  "), table);
    assertTrue(table.contains(" ariadne-simulated s  "), table);
  }

  @Test
  void chartIsWellFormedXml() throws Exception {
    String svg = new SvgChart(List.of("spark", "ariadne"), measurements()).render("TPC-H");
    var document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new java.io.ByteArrayInputStream(svg.getBytes("UTF-8")));
    // Background, two legend squares, two bars.
    assertEquals(5, document.getElementsByTagName("rect").getLength());
  }

  private static Report report() {
    return new Report(List.of("spark", "ariadne"), measurements());
  }

  private static List<Measurement> measurements() {
    Measurement spark = new Measurement("spark", "q6");
    spark.seconds.add(2.0);
    spark.resultHash = "aa";
    Measurement ariadne = new Measurement("ariadne", "q6");
    ariadne.seconds.add(1.0);
    ariadne.resultHash = "aa";
    ariadne.accelerated = "3/5";
    return List.of(spark, ariadne);
  }
}
