package io.ariadne.benchmark.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.ariadne.benchmark.report.Machine;
import io.ariadne.benchmark.transfer.Links;
import io.ariadne.benchmark.transfer.TransferRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ariadne bench transfer}: moves blocks between processes, without Spark's tasks. */
@Command(
    name = "transfer",
    description = {
      "Measures how fast blocks move between two or more processes.",
      "Links with a rate are made by ip and tc, in network namespaces, which needs root."
    })
final class TransferBenchCommand implements Callable<Integer> {
  private static final double MEGA = 1e6;
  private static final int BITS = 8;

  @Option(
      names = "--arms",
      split = ",",
      description =
          "comma-separated list of spark (its block transfer), none, lz4, zstd, auto (Ariadne's"
              + " transport over TCP, with that compression) and ucx (Ariadne's over UCX, without)"
              + " (default: spark,none,auto)")
  private List<String> arms = List.of("spark", "none", "auto");

  @Option(
      names = "--rates",
      split = ",",
      description = "rates of links in Mbit/s; 0 is the loopback device (default: 0)")
  private List<Double> rates = List.of(0.0);

  @Option(
      names = "--ratios",
      split = ",",
      description = "how far codecs compress the blocks (default: 2)")
  private List<Double> ratios = List.of(2.0);

  @Option(names = "--senders", description = "sending processes (default: ${DEFAULT-VALUE})")
  private int senders = 1;

  @Option(names = "--slow-rate", description = "rate of the last sender's link, if it has another")
  private Double slowRate;

  @Option(
      names = "--seconds",
      description =
          "how long a transfer takes about at the link's rate (default: ${DEFAULT-VALUE})")
  private double seconds = 3;

  @Option(
      names = "--megabytes",
      description = "what each sender sends over the loopback device (default: ${DEFAULT-VALUE})")
  private long megabytes = 2048;

  @Option(names = "--block", description = "KiB of a block (default: ${DEFAULT-VALUE})")
  private int blockKibibytes = 1024;

  @Option(names = "--rounds", description = "timed transfers (default: ${DEFAULT-VALUE})")
  private int rounds = 3;

  @Option(names = "--json", description = "file for the results")
  private Path json;

  private final List<Map<String, Object>> results = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    System.out.printf(
        "%10s %6s %6s %9s %11s %8s %14s%n",
        "Mbit/s", "ratio", "arm", "seconds", "MB/s", "of link", "CPU s per GB");
    for (double rate : rates) {
      for (double ratio : ratios) {
        measure(rate, ratio);
      }
    }
    if (json != null) {
      Map<String, Object> root = new LinkedHashMap<>();
      root.put("machine", Machine.describe());
      root.put("command", command());
      root.put("results", results);
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(json.toFile(), root);
    }
    return 0;
  }

  private String command() {
    return "bin/ariadne bench transfer --arms %s --rates %s --ratios %s --senders %d%s --block %d"
            .formatted(
                String.join(",", arms),
                text(rates),
                text(ratios),
                senders,
                slowRate == null ? "" : " --slow-rate " + slowRate,
                blockKibibytes)
        + " --seconds %s --megabytes %d --rounds %d".formatted(seconds, megabytes, rounds);
  }

  private static String text(List<Double> numbers) {
    return String.join(",", numbers.stream().map(String::valueOf).toList());
  }

  /** Runs all arms, the one after the other in each round, over links of their own. */
  private void measure(double rate, double ratio) throws IOException {
    List<List<TransferRun.Result>> measured = new ArrayList<>();
    List<TransferRun> runs = new ArrayList<>();
    int blocks = blocks(rate);
    try (Links made = new Links()) {
      try {
        List<Links.Link> links = links(made, rate);
        for (String arm : arms) {
          runs.add(
              TransferRun.start(
                  arm,
                  links,
                  CommonOptions.extraClassPaths().getOrDefault("ariadne", List.of()),
                  blockKibibytes << 10,
                  ratio));
          measured.add(new ArrayList<>());
        }
        for (int round = 0; round <= rounds; round++) {
          for (int i = 0; i < runs.size(); i++) {
            TransferRun.Result result = runs.get(i).move(blocks);
            if (round > 0) { // the first one warms up
              measured.get(i).add(result);
            }
          }
        }
      } finally {
        runs.forEach(TransferRun::close);
      }
    }
    for (int i = 0; i < arms.size(); i++) {
      print(rate, ratio, arms.get(i), measured.get(i), blocks);
    }
  }

  private List<Links.Link> links(Links made, double rate) throws IOException {
    List<Links.Link> links = new ArrayList<>();
    for (int i = 0; i < senders; i++) {
      boolean isSlow = slowRate != null && i == senders - 1;
      links.add(made.make(isSlow ? slowRate : rate));
    }
    return links;
  }

  private int blocks(double rate) {
    double bytes = rate == 0 ? megabytes * MEGA : rate * MEGA / BITS * seconds;
    return (int) Math.max(1, bytes / (blockKibibytes << 10));
  }

  private void print(
      double rate, double ratio, String arm, List<TransferRun.Result> runs, int blocks) {
    double gigabytes = (double) blocks * senders * (blockKibibytes << 10) / 1e9;
    double total = median(runs.stream().mapToDouble(r -> max(r.seconds())).toArray());
    double cpu = median(runs.stream().mapToDouble(TransferRun.Result::cpuSeconds).toArray());
    double megabytesPerSecond = gigabytes * 1000 / total;
    double link = rate * senders / BITS;
    System.out.printf(
        "%10.0f %6.1f %6s %9.3f %11.1f %8s %14.3f%n",
        rate,
        ratio,
        arm,
        total,
        megabytesPerSecond,
        rate == 0 ? "" : "%.0f %%".formatted(100 * megabytesPerSecond / link),
        cpu / gigabytes);
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("megabitsPerSecond", rate);
    result.put("ratio", ratio);
    result.put("arm", arm);
    result.put("gigabytes", gigabytes);
    result.put("secondsPerSender", runs.stream().map(TransferRun.Result::seconds).toList());
    result.put("cpuSeconds", runs.stream().map(TransferRun.Result::cpuSeconds).toList());
    results.add(result);
    if (senders > 1) {
      for (int i = 0; i < senders; i++) {
        int sender = i;
        double end = median(runs.stream().mapToDouble(r -> r.seconds()[sender]).toArray());
        System.out.printf("%10s sender %d: %.3f s%n", "", i, end);
      }
    }
  }

  private static double max(double[] values) {
    return Arrays.stream(values).max().orElseThrow();
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
