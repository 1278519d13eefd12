package io.ariadne.rules.overlap;

import io.ariadne.parquet.scan.FileSlice;
import io.ariadne.rules.overlap.OverlapRun.Arm;
import io.ariadne.rules.overlap.OverlapRun.Load;
import io.ariadne.rules.overlap.OverlapRun.Outcome;
import io.ariadne.rules.overlap.OverlapRun.Rates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Runs the experiment E1, overlap: a map task reads Parquet files at a shaped rate, computes on one
 * thread, and sends its shuffle blocks at a shaped rate. The computation is repeated until it takes
 * as long as reading at 40 MB/s. The rates of the other stages follow from the time that it takes
 * beside them, so that the three take equally long; in the detuned cases, two take a tenth of the
 * third.
 *
 * <p>Arguments: the folder of lineitem's Parquet files, then optionally the rounds, the bytes per
 * second at which the computation is sized (0 for the least), and {@code balanced} to run that case
 * alone.
 */
public final class BenchmarkOverlap {
  private static final int WARM_UPS = 2;
  private static final int CALIBRATIONS = 3;
  private static final int FEW_HASHES = 1;
  private static final int MANY_HASHES = 17;
  private static final double USUAL_RATE = 40e6;

  /** How long a run of one stage takes, about. */
  private static final double SECONDS = 6;

  /** The same where a shaped resource is slow, so that few files fill and drain the stages. */
  private static final double SLOW_SECONDS = 12;

  private static final double DETUNED = 10;
  private static final long LATENCY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final Rates UNSHAPED =
      new Rates(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 0);

  private final List<FileSlice> files;
  private final int rounds;
  private final double rate;
  private int hashes;

  /** Seconds of computation per file. */
  private double secondsPerFile;

  private Rates balanced;

  private BenchmarkOverlap(List<FileSlice> files, int rounds, double rate) {
    this.files = files;
    this.rounds = rounds;
    this.rate = rate;
  }

  /**
   * Runs all cases and prints their tables.
   *
   * @param arguments see the class
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
    double rate = arguments.length > 2 ? Double.parseDouble(arguments[2]) : USUAL_RATE;
    BenchmarkOverlap benchmark = new BenchmarkOverlap(files(Path.of(arguments[0])), rounds, rate);
    benchmark.calibrate();
    benchmark.measure("balanced", benchmark.balanced, 1);
    if (arguments.length > 3) {
      return;
    }
    double slow = 1 / DETUNED;
    benchmark.measure("read 10 times as long", benchmark.balanced.times(slow, 1), DETUNED);
    benchmark.measure("compute 10 times as long", benchmark.balanced.times(DETUNED, DETUNED), 1);
    benchmark.measure("shuffle 10 times as long", benchmark.balanced.times(1, slow), DETUNED);
  }

  private static List<FileSlice> files(Path folder) throws IOException {
    List<FileSlice> slices = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".parquet")).sorted().toList()) {
        slices.add(new FileSlice(file.toString(), 0, Files.size(file), List.of()));
      }
    }
    if (slices.isEmpty()) {
      throw new IllegalArgumentException(folder + " has no Parquet files; give lineitem's folder");
    }
    return slices;
  }

  /** Returns files, some of them several times. */
  private List<FileSlice> slices(int count) {
    List<FileSlice> slices = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      slices.add(files.get(i % files.size()));
    }
    return slices;
  }

  /** Returns files whose slowest stage takes some seconds. */
  private Load load(double slowest) {
    int count =
        (int)
            Math.max(
                2, Math.round((slowest > 1 ? SLOW_SECONDS : SECONDS) / secondsPerFile / slowest));
    return new Load(slices(count), hashes);
  }

  /** Sizes the computation, and sets the rates at which the other stages take as long as it. */
  private void calibrate() throws IOException, InterruptedException {
    Outcome few = unshaped(FEW_HASHES);
    Outcome many = unshaped(MANY_HASHES);
    double perHash = (many.computeSeconds() - few.computeSeconds()) / (MANY_HASHES - FEW_HASHES);
    double wanted = rate > 0 ? few.readBytes() / rate : 0;
    hashes = FEW_HASHES + (int) Math.max(0, (wanted - few.computeSeconds()) / perHash);
    Outcome sized = unshaped(hashes);
    setRates(sized);
    setRates(OverlapRun.of(Arm.FULL, new Load(files, hashes), balanced));
    System.out.printf(
        Locale.ROOT,
        "unshaped, %d hashes per row: %.2f s, compute %.2f s, encode %.2f s,"
            + " %.1f MB read, %.1f MB sent, %d rows%n",
        hashes,
        sized.seconds(),
        sized.computeSeconds(),
        sized.encodeSeconds(),
        sized.readBytes() / 1e6,
        sized.sentBytes() / 1e6,
        sized.rows());
  }

  /** Sets the rates at which the other stages take as long as the computation did in a run. */
  private void setRates(Outcome run) {
    double seconds = run.computeSeconds();
    secondsPerFile = seconds / files.size();
    balanced = new Rates(run.readBytes() / seconds, run.sentBytes() / seconds, LATENCY_NANOS);
  }

  /** Returns the median of runs over all files without limits of the other stages. */
  private Outcome unshaped(int count) throws IOException, InterruptedException {
    Load load = new Load(files, count);
    for (int i = 0; i < WARM_UPS; i++) {
      OverlapRun.of(Arm.FULL, load, UNSHAPED);
    }
    Outcome[] runs = new Outcome[CALIBRATIONS];
    for (int i = 0; i < CALIBRATIONS; i++) {
      runs[i] = OverlapRun.of(Arm.FULL, load, UNSHAPED);
    }
    Arrays.sort(runs, (a, b) -> Double.compare(a.computeSeconds(), b.computeSeconds()));
    return runs[CALIBRATIONS / 2];
  }

  private void measure(String name, Rates rates, double slowest)
      throws IOException, InterruptedException {
    Load load = load(slowest);
    Map<Arm, Outcome[]> runs = new EnumMap<>(Arm.class);
    for (Arm arm : Arm.values()) {
      runs.put(arm, new Outcome[rounds]);
    }
    for (int round = 0; round < rounds; round++) {
      for (Arm arm : Arm.values()) {
        runs.get(arm)[round] = OverlapRun.of(arm, load, rates);
      }
    }
    checkAnswers(runs);
    System.out.printf(
        Locale.ROOT,
        "%n%s: %d files, read %.1f MB/s, send %.1f MB/s; medians of %d rounds%n",
        name,
        load.slices().size(),
        rates.read() / 1e6,
        rates.send() / 1e6,
        rounds);
    double serial = median(runs.get(Arm.SERIAL), Outcome::seconds);
    runs.forEach((arm, outcomes) -> print(arm, outcomes, serial));
  }

  private static void checkAnswers(Map<Arm, Outcome[]> runs) {
    Outcome first = runs.get(Arm.SERIAL)[0];
    runs.values().stream()
        .flatMap(Arrays::stream)
        .filter(run -> run.rows() != first.rows() || run.sum() != first.sum())
        .findAny()
        .ifPresent(
            run -> {
              throw new IllegalStateException("other rows than in the first run: " + run);
            });
  }

  private static void print(Arm arm, Outcome[] runs, double serial) {
    double seconds = median(runs, Outcome::seconds);
    double[] sorted = Arrays.stream(runs).mapToDouble(Outcome::seconds).sorted().toArray();
    System.out.printf(
        Locale.ROOT,
        "%-7s %6.2f s (%.2f to %.2f) %5.2fx  read %3.0f %%  compute %3.0f %%  send %3.0f %%"
            + "  encode %3.0f %%  late %3.0f %%  peak %4.0f MiB%n",
        arm.name().toLowerCase(Locale.ROOT),
        seconds,
        sorted[0],
        sorted[sorted.length - 1],
        serial / seconds,
        100 * median(runs, run -> run.readSeconds() / run.seconds()),
        100 * median(runs, run -> run.computeSeconds() / run.seconds()),
        100 * median(runs, run -> run.sendSeconds() / run.seconds()),
        100 * median(runs, run -> run.encodeSeconds() / run.seconds()),
        100 * median(runs, Outcome::lateShare),
        median(runs, run -> run.peakBytes() / (double) (1 << 20)));
  }

  private static double median(Outcome[] runs, ToDoubleFunction<Outcome> value) {
    double[] values = Arrays.stream(runs).mapToDouble(value).sorted().toArray();
    return values[values.length / 2];
  }
}
