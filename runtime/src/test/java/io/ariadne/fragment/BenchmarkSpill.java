package io.ariadne.fragment;

import io.ariadne.backend.simulated.SimulatedBackend;
import io.ariadne.backend.simulated.SimulatedDevice;
import io.ariadne.error.EngineException;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.MemoryConfig;
import io.ariadne.executor.MemoryUsage;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.executor.SelectedBackend;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.fuzz.FaultyFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Runs the experiment E3: a join and an aggregation on a simulated device, in memory that is a part
 * of the working set, what they hold at once without a limit. The device and the host have as much
 * memory each. Batches go from the device to the host at 200 MB/s and on to a disk of 40 MB/s.
 *
 * <p>Arguments: DIRECTORY, rows of the build side, rounds, parts of the working set separated by
 * commas (1 is the whole, 4 a quarter, 0.9 more than the whole), and the names of arms ({@link
 * SpillArm}). The probe side has twice as many rows.
 */
public final class BenchmarkSpill {
  private static final int THREADS = 2;
  private static final long COPY_MB_PER_SECOND = 200;
  private static final long DISK_MB_PER_SECOND = 40;
  private static final long PLENTY = 4L << 30;

  private final Path folder;
  private final JoinAndSums query;

  /** What a run took. */
  private record Outcome(double seconds, MemoryUsage moved, RatedDisk disk, long peakBytes) {}

  private BenchmarkSpill(Path folder, long buildRows) {
    this.folder = folder;
    this.query = new JoinAndSums(buildRows, 2 * buildRows);
  }

  /**
   * Runs and prints.
   *
   * @param arguments see the class
   */
  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    BenchmarkSpill benchmark = new BenchmarkSpill(folder, Long.parseLong(arguments[1]));
    int rounds = Integer.parseInt(arguments[2]);
    List<SpillArm> arms = Arrays.stream(arguments).skip(4).map(SpillArm::valueOf).toList();
    // The first run also warms the compiler up.
    benchmark.run(SpillArm.NONE, PLENTY);
    Outcome unlimited = benchmark.run(SpillArm.NONE, PLENTY);
    long workingSet = unlimited.peakBytes();
    System.out.printf(
        Locale.ROOT,
        "working set %.1f MB, %.2f s without a limit%n",
        workingSet / 1e6,
        unlimited.seconds());
    for (String part : arguments[3].split(",")) {
      benchmark.compare(workingSet, Double.parseDouble(part), arms, rounds);
    }
  }

  private void compare(long workingSet, double part, List<SpillArm> arms, int rounds) {
    Map<SpillArm, List<Outcome>> outcomes = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      for (SpillArm arm : arms) {
        try {
          outcomes
              .computeIfAbsent(arm, a -> new ArrayList<>())
              .add(run(arm, Math.round(workingSet / part)));
        } catch (EngineException e) {
          System.out.println("| W/" + part + " | " + arm + " | fails: " + e.code() + " |");
        }
      }
    }
    outcomes.forEach((arm, all) -> print(part, arm, all));
  }

  private static void print(double part, SpillArm arm, List<Outcome> all) {
    if (all.isEmpty()) {
      return;
    }
    List<Outcome> sorted = new ArrayList<>(all);
    Collections.sort(sorted, (a, b) -> Double.compare(a.seconds(), b.seconds()));
    Outcome median = sorted.get(sorted.size() / 2);
    System.out.printf(
        Locale.ROOT,
        "| W/%s | %s | %.2f (%.2f to %.2f) | %.1f | %.1f | %.1f |%n",
        part,
        arm,
        median.seconds(),
        sorted.get(0).seconds(),
        sorted.get(sorted.size() - 1).seconds(),
        median.moved().movedFromDevice() / 1e6,
        median.disk().writtenBytes() / 1e6,
        median.disk().readBytes() / 1e6);
  }

  private Outcome run(SpillArm arm, long bytes) {
    RatedDisk disk = new RatedDisk(DISK_MB_PER_SECOND);
    DiskSpillOptions options =
        DiskSpillOptions.in(List.of(FaultyFiles.over(folder, disk)))
            .withDirect(false)
            .withCompression(DiskSpillOptions.Compression.NEVER);
    RuntimeConfig config =
        RuntimeConfig.of(THREADS, bytes)
            .withMemory(MemoryConfig.of(bytes).withSpilling(arm.policy()))
            .withSpill(options);
    SimulatedBackend device =
        SimulatedBackend.open(new SimulatedDevice(bytes, COPY_MB_PER_SECOND, 0, 1));
    try (ExecutorRuntime runtime =
        ExecutorRuntime.start(config, new SelectedBackend(device, "benchmark"))) {
      JoinAndSums.Run run = query.run(runtime);
      return new Outcome(run.seconds(), runtime.memoryUsage(), disk, run.peakBytes());
    }
  }
}
