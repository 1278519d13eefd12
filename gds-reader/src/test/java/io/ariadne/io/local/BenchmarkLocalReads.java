package io.ariadne.io.local;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ByteRangeReaders;
import io.ariadne.io.LocalReaderProvider;
import io.ariadne.io.OpenRequest;
import io.ariadne.io.PendingRead;
import io.ariadne.io.ReadCounters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Reads a file that is in the page cache, and one that is not. Run as a main class with {@code warm
 * FILE} or {@code cold FILE}. The file has 1 GiB at least; {@code cold} needs the {@code dd} of the
 * GNU tools, which drops the file from the page cache and is the other side of the comparison.
 */
public final class BenchmarkLocalReads {
  private static final int MIB = 1 << 20;
  private static final int ROUNDS = 41;
  private static final int COLD_ROUNDS = 5;
  private static final int[] DEPTHS = {1, 4, 16, 32};

  private final Path file;
  private final long pieces;

  private BenchmarkLocalReads(Path file) throws IOException {
    this.file = file;
    this.pieces = Math.min(1024, Files.size(file) / MIB);
  }

  /** Runs the cases that the first argument names, on the file that the second one names. */
  public static void main(String[] arguments) throws Exception {
    BenchmarkLocalReads benchmark = new BenchmarkLocalReads(Path.of(arguments[1]));
    if (arguments[0].equals("warm")) {
      benchmark.warm();
    } else {
      benchmark.cold();
    }
  }

  private static MemoryBuffer allocate(long bytes) {
    long base = Memory.allocate(bytes + 4096);
    Memory.fill(base, bytes + 4096, (byte) 0);
    long aligned = (base + 4095) & -4096L;
    return new MemoryBuffer(aligned, bytes, bytes, MemoryTier.HOST, freed -> Memory.free(base));
  }

  private ByteRangeReader ours(DirectReads direct, boolean withRing) throws IOException {
    LocalStorage storage = LocalStorage.open(LocalReadOptions.of(direct), withRing);
    storage.retain();
    ByteRangeReader reader = LinuxFileReader.open(file, storage, ReadCounters.create());
    storage.release();
    return reader;
  }

  private ByteRangeReader channel() throws IOException {
    return new ByteRangeReaders(List.of(new LocalReaderProvider())).open(OpenRequest.ofLocal(file));
  }

  private void warm() throws Exception {
    System.out.println("bytes, reader: ns per call (median, least), GB/s of the median");
    try (ByteRangeReader channel = channel();
        ByteRangeReader ours = ours(DirectReads.OFF, true);
        MemoryBuffer target = allocate(MIB)) {
      for (int bytes : new int[] {4096, 64 << 10, MIB}) {
        double[] before = new double[ROUNDS];
        double[] now = new double[ROUNDS];
        for (int round = -2; round < ROUNDS; round++) {
          double a = nanosPerCall(channel, target, bytes);
          double b = nanosPerCall(ours, target, bytes);
          if (round >= 0) {
            before[round] = a;
            now[round] = b;
          }
        }
        print(bytes, "FileChannel", before);
        print(bytes, "preadv", now);
      }
      for (int bytes : new int[] {64 << 10, MIB, 16 * MIB}) {
        System.out.printf("waits of %d bytes: %.0f ns%n", bytes, nanosPerQuestion(ours, bytes));
      }
    }
  }

  private static void print(int bytes, String name, double[] nanos) {
    Arrays.sort(nanos);
    double median = nanos[nanos.length / 2];
    System.out.printf(
        "%8d %-12s %8.0f %8.0f %6.2f%n", bytes, name, median, nanos[0], bytes / median);
  }

  /** Reads 32 MiB of the file again and again, one call after the other. */
  private static double nanosPerCall(ByteRangeReader reader, MemoryBuffer target, int bytes)
      throws IOException {
    int calls = (int) (96L * MIB / bytes);
    long span = 32L * MIB;
    long start = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      reader.read((long) i * bytes % span, target, 0, bytes);
    }
    return (System.nanoTime() - start) / (double) calls;
  }

  private static double nanosPerQuestion(ByteRangeReader reader, int bytes) {
    int calls = 20_000;
    double best = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      int waiting = 0;
      for (int i = 0; i < calls; i++) {
        waiting += reader.waits((long) i * 4096 % (16L * MIB), bytes) ? 1 : 0;
      }
      if (waiting > 0) {
        throw new IllegalStateException("the file is not in the page cache");
      }
      best = Math.min(best, (System.nanoTime() - start) / (double) calls);
    }
    return best;
  }

  /** Runs every case once per round, so that what else the machine does falls on all of them. */
  private void cold() throws Exception {
    Map<String, Case> cases = new LinkedHashMap<>();
    cases.put("dd iflag=direct bs=1M", () -> dd("iflag=direct"));
    cases.put("dd bs=1M", () -> dd("iflag=nocache"));
    for (boolean random : new boolean[] {false, true}) {
      for (DirectReads direct : new DirectReads[] {DirectReads.OFF, DirectReads.ON}) {
        for (boolean withRing : new boolean[] {false, true}) {
          for (int depth : DEPTHS) {
            cases.put(
                (random ? "random, " : "sequential, ")
                    + (direct == DirectReads.ON ? "direct, " : "buffered, ")
                    + (withRing ? "io_uring, " : "threads, ")
                    + depth,
                () -> run(direct, withRing, random, depth, 0));
          }
        }
      }
    }
    cases.put(
        "random, direct, io_uring, 16, unaligned", () -> run(DirectReads.ON, true, true, 16, 9));
    Map<String, double[]> rates = new LinkedHashMap<>();
    for (int round = 0; round < COLD_ROUNDS; round++) {
      for (Map.Entry<String, Case> each : cases.entrySet()) {
        double rate = pieces * MIB * 1e3 / each.getValue().run();
        rates.computeIfAbsent(each.getKey(), name -> new double[COLD_ROUNDS])[round] = rate;
      }
    }
    System.out.println(pieces + " pieces of 1 MiB; MB/s: median, least, most");
    rates.forEach(
        (name, all) -> {
          Arrays.sort(all);
          System.out.printf(
              "%-42s %6.0f %6.0f %6.0f%n",
              name, all[COLD_ROUNDS / 2], all[0], all[COLD_ROUNDS - 1]);
        });
  }

  /** One measurement. */
  @FunctionalInterface
  private interface Case {
    /** Returns nanoseconds. */
    long run() throws Exception;
  }

  private long dd(String flag) throws Exception {
    drop();
    long start = System.nanoTime();
    exec("dd", "if=" + file, "of=/dev/null", "bs=1M", "count=" + pieces, flag);
    return System.nanoTime() - start;
  }

  private void drop() throws Exception {
    exec("dd", "of=" + file, "oflag=nocache", "conv=notrunc,fdatasync", "count=0");
  }

  private static void exec(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + output);
    }
  }

  /**
   * Reads all pieces with so many reads at a time.
   *
   * @param skew added to the positions, so that they are not aligned like the targets
   */
  private long run(DirectReads direct, boolean withRing, boolean random, int depth, int skew)
      throws Exception {
    drop();
    List<Long> order = order(random);
    ExecutorService threads = Executors.newFixedThreadPool(depth);
    Deque<PendingRead> running = new ArrayDeque<>();
    long took;
    try (ByteRangeReader reader = ours(direct, withRing);
        MemoryBuffer target = allocate((long) depth * MIB)) {
      if (direct == DirectReads.ON && reader.alignmentInBytes() == 1) {
        throw new IllegalStateException("the file system has no direct I/O");
      }
      long start = System.nanoTime();
      for (int i = 0; i < order.size(); i++) {
        if (running.size() == depth) {
          running.removeFirst().completion().join();
        }
        long offset = (long) (i % depth) * MIB;
        long position = Math.min(order.get(i) + skew, reader.lengthInBytes() - MIB);
        ByteRange range = new ByteRange(position, target, offset, MIB);
        running.addLast(reader.start(List.of(range), threads));
      }
      running.forEach(read -> read.completion().join());
      took = System.nanoTime() - start;
    } finally {
      threads.shutdown();
    }
    return took;
  }

  private List<Long> order(boolean random) {
    List<Long> order = new ArrayList<>();
    for (long i = 0; i < pieces; i++) {
      order.add(i * MIB);
    }
    if (random) {
      Collections.shuffle(order, new Random(1));
    }
    return order;
  }
}
