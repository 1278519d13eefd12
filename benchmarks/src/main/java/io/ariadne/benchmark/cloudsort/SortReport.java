package io.ariadne.benchmark.cloudsort;

import io.ariadne.benchmark.report.Median;
import io.ariadne.benchmark.store.StoreTraffic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The table of a benchmark for people.
 *
 * @param runs all runs
 * @param model computed their costs
 */
public record SortReport(List<SortedRun> runs, CostModel model) {
  private static final double MEGA = 1e6;
  private static final String HEAD =
      "%8s %-22s %9s %8s %9s %9s %9s %9s %7s %7s %9s %9s %9s%n"
          .formatted(
              "MB",
              "engine",
              "s",
              "MB/s",
              "CPU s",
              "store s",
              "read MB",
              "wrote MB",
              "GET",
              "other",
              "shuffle",
              "spilled",
              "USD/TB");

  /** Returns whether a run has failed or has a wrong output. */
  public boolean failed() {
    return runs.stream().anyMatch(run -> run.error() != null);
  }

  /** Returns a line per run, its check, the growth with the bytes, and the formula of the costs. */
  public String text() {
    StringBuilder text = new StringBuilder(HEAD);
    runs.forEach(run -> text.append(line(run)));
    for (SortedRun run : runs) {
      String name = "%d MB on %s: ".formatted(megabytes(run.recordBytes()), run.engine());
      if (run.error() != null) {
        text.append(name).append("failed: ").append(run.error()).append('\n');
      }
      if (run.check() != null) {
        text.append(name).append(run.check().text()).append(pool(run)).append('\n');
      }
    }
    text.append(growth());
    runs.stream().filter(run -> run.cost() != null).forEach(run -> text.append(cost(run)));
    return text.append(model.formula()).toString();
  }

  private static long megabytes(long bytes) {
    return bytes / (long) MEGA;
  }

  private static String line(SortedRun run) {
    String start = "%8d %-22s ".formatted(megabytes(run.recordBytes()), run.engine());
    if (run.check() == null) {
      return start + "   FAILED\n";
    }
    StoreTraffic traffic = run.traffic();
    String store =
        traffic == null
            ? "%9s %9s %7s %7s".formatted("-", "-", "-", "-")
            : "%9.0f %9.0f %7d %7d"
                .formatted(
                    traffic.bytes() / MEGA,
                    traffic.writtenBytes() / MEGA,
                    traffic.gets(),
                    traffic.requests() - traffic.gets());
    return start
        + "%9.2f %8.1f %9.1f %9.1f %s %9.0f %9.0f %9.3f%n"
            .formatted(
                run.seconds(),
                run.recordBytes() / MEGA / run.seconds(),
                run.cpuSeconds(),
                run.storeCpuSeconds(),
                store,
                run.counter("writtenBytes") / MEGA,
                run.counter("spilledBytes") / MEGA,
                run.cost().getTotal());
  }

  private static String pool(SortedRun run) {
    return run.accelerated() == null
        ? ""
        : "; %s operators on Ariadne, at most %.0f MB in its memory pool"
            .formatted(run.accelerated(), run.poolBytes() / MEGA);
  }

  private static String cost(SortedRun run) {
    CostModel.Cost cost = run.cost();
    return "%d MB on %s: USD per TB: compute %.3f, local disk %.3f, store %.3f, requests %.3f%s%n"
        .formatted(
            megabytes(run.recordBytes()),
            run.engine(),
            cost.compute(),
            cost.disk(),
            cost.store(),
            cost.requests(),
            run.traffic() == null ? " (not counted)" : "");
  }

  /** Returns a line per engine and larger size: its time per byte against the smallest size. */
  private String growth() {
    StringBuilder text = new StringBuilder();
    Map<String, Map<Long, List<Double>>> byEngine = new LinkedHashMap<>();
    for (SortedRun run : runs) {
      if (run.check() != null) {
        byEngine
            .computeIfAbsent(run.engine(), e -> new LinkedHashMap<>())
            .computeIfAbsent(run.recordBytes(), b -> new ArrayList<>())
            .add(run.seconds());
      }
    }
    byEngine.forEach((engine, sizes) -> text.append(growth(engine, sizes)));
    return text.toString();
  }

  private static String growth(String engine, Map<Long, List<Double>> sizes) {
    StringBuilder text = new StringBuilder();
    long smallest = Collections.min(sizes.keySet());
    double perByte = Median.of(sizes.get(smallest)) / smallest;
    sizes.forEach(
        (bytes, seconds) -> {
          if (bytes != smallest) {
            text.append(
                "%s: seconds per byte of %d MB are %.3f of those of %d MB (1 is linear)%n"
                    .formatted(
                        engine,
                        megabytes(bytes),
                        Median.of(seconds) / bytes / perByte,
                        megabytes(smallest)));
          }
        });
    return text.toString();
  }
}
