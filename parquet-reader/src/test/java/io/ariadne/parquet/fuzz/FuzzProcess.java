package io.ariadne.parquet.fuzz;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.operator.OperatorContext;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs cases one after the other, in a process that a case may crash.
 *
 * <p>Arguments: the first seed, the number of cases, a work folder, then optionally the folder of
 * apache/parquet-testing. The file {@link #PROGRESS} in the work folder contains the running case's
 * seed. Failed cases, with fewer changes if they still fail, are written to the folder {@code
 * failed}.
 */
public final class FuzzProcess {
  /** Name of the file with the seed of the running case. */
  static final String PROGRESS = "running-seed";

  /** Exit status when cases have failed. */
  static final int FAILED = 3;

  /** Exit status when a case has not ended in time. */
  static final int HANGS = 4;

  /** Memory limit of a scan. */
  static final long MAX_BYTES = 64L << 20;

  private static final long MAX_CASE_NANOS = 10_000_000_000L;
  private static final int MAX_FAILURES = 20;
  private static final int TURN_MILLIS = 500;

  private final List<SoundFile> files;
  private final Path folder;
  private final FuzzCheck check;
  private final MappedByteBuffer progress;
  private final Map<FuzzCheck.PruningOutcome, Integer> outcomes =
      new EnumMap<>(FuzzCheck.PruningOutcome.class);
  private final Map<String, Integer> failures = new HashMap<>();
  private volatile long caseStart = Long.MAX_VALUE;
  private volatile long caseSeed;

  private FuzzProcess(List<SoundFile> files, Path folder, FuzzCheck check) throws IOException {
    this.files = files;
    this.folder = folder;
    this.check = check;
    try (RandomAccessFile file = new RandomAccessFile(folder.resolve(PROGRESS).toFile(), "rw")) {
      progress = file.getChannel().map(MapMode.READ_WRITE, 0, Long.BYTES);
    }
  }

  /** Runs the cases. */
  public static void main(String[] args) throws IOException {
    long seed = Long.parseLong(args[0]);
    long count = Long.parseLong(args[1]);
    Path folder = Path.of(args[2]);
    Path testing = args.length > 3 ? Path.of(args[3]) : null;
    GuardedAllocator memory = new GuardedAllocator(MAX_BYTES);
    try (Backend backend = HostBackend.open()) {
      FuzzScan scan = new FuzzScan(new OperatorContext(memory, backend, () -> false));
      SoundFiles sound = new SoundFiles(scan, memory, folder, testing);
      sound.leftOut().forEach(column -> System.out.println("left out: " + column));
      FuzzProcess process = new FuzzProcess(sound.files(), folder, new FuzzCheck(scan, memory));
      process.watch(Thread.currentThread());
      long begin = System.nanoTime();
      process.run(seed, count);
      System.out.printf(
          "%d cases of %d files from seed %d: %s, %d columns compared, %d values left out, at most"
              + " %d bytes, %d ms%n",
          count,
          sound.files().size(),
          seed,
          process.outcomes,
          process.check.columnsCompared(),
          process.check.rowsLeftOut(),
          memory.highestBytes(),
          (System.nanoTime() - begin) / 1_000_000);
      if (!process.failures.isEmpty()) {
        System.out.println("failures: " + process.failures);
        System.exit(FAILED);
      }
    }
  }

  /** Starts a thread that ends the process when a case takes too long. */
  private void watch(Thread worker) {
    Thread watch =
        new Thread(
            () -> {
              while (System.nanoTime() - caseStart < MAX_CASE_NANOS
                  || caseStart == Long.MAX_VALUE) {
                sleep();
              }
              System.out.println("case " + caseSeed + " does not end:");
              for (StackTraceElement frame : worker.getStackTrace()) {
                System.out.println("    at " + frame);
              }
              System.out.flush();
              Runtime.getRuntime().halt(HANGS);
            });
    watch.setDaemon(true);
    watch.start();
  }

  private static void sleep() {
    try {
      Thread.sleep(TURN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run(long firstSeed, long count) throws IOException {
    for (long seed = firstSeed; seed < firstSeed + count; seed++) {
      FuzzCase fuzzed = FuzzCase.of(seed, files);
      caseSeed = seed;
      progress.putLong(0, seed);
      caseStart = System.nanoTime();
      Throwable failure = failure(fuzzed);
      if (failure != null) {
        caseStart = Long.MAX_VALUE;
        report(fuzzed, failure);
        if (failures.size() >= MAX_FAILURES) {
          return;
        }
      }
    }
    caseStart = Long.MAX_VALUE;
  }

  /** Returns the broken rule's error, null when no rule was broken. */
  private Throwable failure(FuzzCase fuzzed) {
    try {
      FuzzCheck.PruningOutcome outcome =
          check.check(
              fuzzed.file(), fuzzed.name(), fuzzed.copy(), fuzzed.fields(), fuzzed.predicate());
      outcomes.merge(outcome, 1, Integer::sum);
      return null;
    } catch (Throwable e) { // every failure is reported and its case kept
      return e;
    }
  }

  private void report(FuzzCase fuzzed, Throwable failure) throws IOException {
    String kind = kind(failure);
    if (failures.merge(kind, 1, Integer::sum) > 1) {
      return;
    }
    System.out.println("case " + fuzzed.seed() + " of " + fuzzed.file().name() + " " + kind);
    failure.printStackTrace(System.out);
    FuzzCase small = smaller(fuzzed, kind);
    System.out.println("kept as " + Corpus.write(folder.resolve("failed"), small));
  }

  /** Returns what failures with the same cause have in common. */
  private static String kind(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && !(failure instanceof AssertionError)) {
      root = root.getCause();
    }
    String message = String.valueOf(root.getMessage()).replaceAll("[0-9-]+", "N");
    StackTraceElement[] frames = root.getStackTrace();
    return root.getClass().getSimpleName()
        + (frames.length == 0 ? "" : " at " + frames[0])
        + (frames.length < 2 ? "" : " from " + frames[1])
        + (root instanceof AssertionError
            ? ": " + message.substring(0, Math.min(48, message.length()))
            : "");
  }

  /** Returns the case with as many bytes as possible restored. */
  private FuzzCase smaller(FuzzCase fuzzed, String kind) {
    FuzzCase best = fuzzed;
    byte[] sound = fuzzed.file().bytes();
    int common = Math.min(sound.length, fuzzed.copy().length);
    for (int step = Integer.highestOneBit(Math.max(1, common)); step > 0; step /= 2) {
      for (int at = 0; at < common; at += step) {
        int end = Math.min(common, at + step);
        if (!Arrays.equals(best.copy(), at, end, sound, at, end)) {
          byte[] fewer = best.copy().clone();
          System.arraycopy(sound, at, fewer, at, end - at);
          Throwable failure = failure(best.with(fewer));
          if (failure != null && kind(failure).equals(kind)) {
            best = best.with(fewer);
          }
        }
      }
    }
    return best;
  }
}
