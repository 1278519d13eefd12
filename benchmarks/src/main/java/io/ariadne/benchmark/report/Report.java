package io.ariadne.benchmark.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.ariadne.benchmark.engine.EngineSettings;
import io.ariadne.benchmark.store.StoreTraffic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Formats the results of a benchmark: a table for people, JSON for programs, a chart. */
public final class Report {
  private static final String FAILED = "FAILED";
  private static final int LABEL = 5;
  private static final int COLUMN = 12;
  private static final int NAME_PADDING = 4;
  private static final double MEGA = 1e6;

  private final List<String> engines;
  private final List<Measurement> measurements;
  private final Map<String, Map<String, Measurement>> byQuery = new LinkedHashMap<>();

  /**
   * Creates a report.
   *
   * @param engines in the order of the columns; the first one is the reference
   * @param measurements of all engines, query by query
   */
  public Report(List<String> engines, List<Measurement> measurements) {
    this.engines = engines;
    this.measurements = measurements;
    for (Measurement m : measurements) {
      byQuery.computeIfAbsent(m.query, q -> new LinkedHashMap<>()).put(m.engine, m);
    }
  }

  /** Returns whether a query failed on an engine, or gave another answer than the first engine. */
  public boolean failed() {
    return measurements.stream().anyMatch(Measurement::failed);
  }

  /**
   * Writes {@code machine}, {@code versions}, {@code command} and {@code results}. Replaces the
   * file atomically.
   */
  public void writeJson(Path file, Map<String, String> versions, String command)
      throws IOException {
    writeJson(file, versions, command, measurements);
  }

  /**
   * Writes the results of a benchmark that has measurements of its own, as {@link #writeJson(Path,
   * Map, String)} does.
   *
   * @param results become {@code results}
   */
  public static void writeJson(
      Path file, Map<String, String> versions, String command, List<?> results) throws IOException {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("machine", Machine.describe());
    root.put("versions", versions);
    root.put("command", command);
    root.put("results", results);
    createFolderOf(file);
    Path written = file.resolveSibling(file.getFileName() + ".new");
    ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    json.writeValue(written.toFile(), root);
    Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Writes a chart of the medians. */
  public void writeSvg(Path file, String title) throws IOException {
    createFolderOf(file);
    Files.writeString(file, new SvgChart(engines, measurements).render(title));
  }

  private static void createFolderOf(Path file) throws IOException {
    if (file.toAbsolutePath().getParent() != null) {
      Files.createDirectories(file.toAbsolutePath().getParent());
    }
  }

  /**
   * Returns the table: query, a median per engine, the ratio of the first engine to each other one,
   * operators.
   */
  public String table() {
    StringBuilder text = new StringBuilder(label("query"));
    engines.forEach(e -> text.append(column(e + " s")));
    engines.stream().skip(1).forEach(e -> text.append(column(e + " x")));
    text.append("   operators on Ariadne\n");
    byQuery.forEach((query, ofQuery) -> text.append(line(query, ofQuery)));
    text.append(totals());
    measurements.stream()
        .filter(Measurement::failed)
        .forEach(m -> text.append("%s on %s: %s%n".formatted(m.query, m.engine, reason(m))));
    text.append(notCompared()).append(peaks()).append(times()).append(store());
    measurements.stream().filter(m -> m.error == null).map(ScanLine::of).forEach(text::append);
    measurements.stream().filter(m -> m.error == null).map(ShuffleLine::of).forEach(text::append);
    return text.toString();
  }

  /** Pads a label to the longest one. */
  private String label(String text) {
    int longest = byQuery.keySet().stream().mapToInt(String::length).max().orElse(0);
    return ("%-" + (Math.max(LABEL, longest) + 1) + "s").formatted(text);
  }

  /** Pads a value or a heading to the width of the longest engine's name. */
  private String column(String text) {
    int longest = engines.stream().mapToInt(String::length).max().orElse(0);
    return ("%" + Math.max(COLUMN, longest + NAME_PADDING) + "s").formatted(text);
  }

  private String notCompared() {
    return measurements.stream()
        .filter(m -> !m.compared)
        .map(m -> "%s on %s: another dialect, answer not compared%n".formatted(m.query, m.engine))
        .collect(Collectors.joining());
  }

  private String peaks() {
    StringBuilder text = new StringBuilder();
    for (String engine : engines) {
      measurements.stream()
          .filter(m -> m.engine.equals(engine) && m.peakBytes != null)
          .mapToLong(m -> m.peakBytes)
          .max()
          .ifPresent(
              bytes ->
                  text.append(
                      "%s: at most %.1f MB in its memory pool%n".formatted(engine, bytes / MEGA)));
    }
    return text.toString();
  }

  /** Returns a line per query and engine with the times of its runs; empty for single runs. */
  private String times() {
    return measurements.stream()
        .filter(m -> m.error == null && m.seconds.size() > 1)
        .map(Report::times)
        .collect(Collectors.joining());
  }

  private static String times(Measurement m) {
    OptionalDouble cpu = m.cpuSeconds.stream().mapToDouble(Double::doubleValue).average();
    return "%s on %s: p50 %.3f s, p99 %.3f s, max %.3f s of %d runs%s%n"
        .formatted(
            m.query,
            m.engine,
            m.getMedianSeconds(),
            m.getP99Seconds(),
            m.getMaxSeconds(),
            m.seconds.size(),
            cpu.isEmpty() ? "" : ", %.3f s of processor time".formatted(cpu.getAsDouble()));
  }

  /** Returns a line per query and engine with the traffic of one run; empty when not counted. */
  private String store() {
    return measurements.stream()
        .filter(m -> m.firstTraffic != null && m.error == null)
        .map(Report::traffic)
        .collect(Collectors.joining());
  }

  private static String traffic(Measurement m) {
    List<StoreTraffic> runs = m.traffic.isEmpty() ? List.of(m.firstTraffic) : m.traffic;
    StoreTraffic last = runs.get(runs.size() - 1);
    String first =
        "%s on %s: first %.3f s, %d requests, %.1f MB; then %.3f s"
            .formatted(
                m.query,
                m.engine,
                m.firstSeconds,
                m.firstTraffic.requests(),
                m.firstTraffic.bytes() / MEGA,
                m.getMedianSeconds());
    return first
        + ", %d GET, %d HEAD, %d LIST, %.1f MB at %.1f MB/s, %.1f MB/s while it read%s%n"
            .formatted(
                last.gets(),
                last.heads(),
                last.lists(),
                last.bytes() / MEGA,
                m.getStoreBytesPerSecond() / MEGA,
                last.bytesPerBusySecond() / MEGA,
                last.faults().isEmpty() ? "" : ", faults " + last.faults());
  }

  private static String reason(Measurement m) {
    return m.error != null ? "failed: " + m.error : "differs: " + m.difference;
  }

  private String line(String label, Map<String, Measurement> ofQuery) {
    StringBuilder line = new StringBuilder(label(label));
    Measurement reference = ofQuery.get(engines.get(0));
    for (String engine : engines) {
      line.append(column(cell(ofQuery.get(engine))));
    }
    for (String engine : engines.subList(1, engines.size())) {
      Measurement other = ofQuery.get(engine);
      boolean comparable = !reference.failed() && !other.failed();
      double ratio = reference.getMedianSeconds() / other.getMedianSeconds();
      line.append(column(comparable ? "%.2f".formatted(ratio) : "-"));
    }
    Measurement ours =
        engines.stream()
            .filter(EngineSettings::isAriadne)
            .findFirst()
            .map(ofQuery::get)
            .orElse(null);
    line.append("   ").append(ours == null || ours.accelerated == null ? "" : ours.accelerated);
    return line.append('\n').toString();
  }

  private static String cell(Measurement m) {
    return m.failed() ? FAILED : "%.3f".formatted(m.getMedianSeconds());
  }

  private String totals() {
    if (byQuery.size() < 2 || failed()) {
      return "";
    }
    Map<String, Measurement> sums = new LinkedHashMap<>();
    for (String engine : engines) {
      Measurement sum = new Measurement(engine, "total");
      sum.firstSeconds =
          byQuery.values().stream().mapToDouble(q -> q.get(engine).getMedianSeconds()).sum();
      sums.put(engine, sum);
    }
    return line("total", sums);
  }
}
