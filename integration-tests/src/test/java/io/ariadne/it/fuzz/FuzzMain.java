package io.ariadne.it.fuzz;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs the fuzzer for as long as asked and prints what it found. System properties: {@code
 * ariadne.fuzz.seconds} how long; {@code ariadne.fuzz.queries.seed} which tables and queries;
 * {@code ariadne.fuzz.index} one query of them, alone; {@code ariadne.fuzz.failures} how many
 * differences end the run; {@code ariadne.fuzz.threads} how many queries run at once.
 */
public final class FuzzMain {
  private FuzzMain() {}

  /** Runs it. */
  public static void main(String[] arguments) throws Exception {
    long seed = FuzzSeed.get();
    long seconds = Long.getLong("ariadne.fuzz.seconds", 60);
    long index = Long.getLong("ariadne.fuzz.index", -1);
    Path folder = Files.createTempDirectory("ariadne-fuzz");
    try (Fuzzer fuzzer = new Fuzzer(seed, folder, Map.of())) {
      long begin = System.nanoTime();
      if (index >= 0) {
        PairRunner runner = new PairRunner(fuzzer.newSession());
        FuzzQuery query = FuzzQuery.of(seed, index, fuzzer.tables().all());
        System.out.println(query.sql() + "\nwith " + query.settings());
        Verdict verdict = fuzzer.check(runner, index);
        System.out.println(verdict.status() + " " + verdict.detail());
        System.out.println(verdict.ariadne() == null ? "" : verdict.ariadne().plan());
      } else {
        fuzzer.run(
            TimeUnit.SECONDS.toNanos(seconds),
            Long.getLong("ariadne.fuzz.queries", Long.MAX_VALUE),
            Integer.getInteger("ariadne.fuzz.failures", Integer.MAX_VALUE),
            Integer.getInteger("ariadne.fuzz.threads", 2));
      }
      double taken = (System.nanoTime() - begin) / 1e9;
      System.out.printf(
          "seed %d: %.1f queries per second, %d%% valid, %d%% on Ariadne%n%s%n%s%n%s%n",
          seed,
          fuzzer.statistics().queries() / taken,
          fuzzer.statistics().percentValid(),
          fuzzer.statistics().percentOnAriadne(),
          fuzzer.statistics().summary(),
          fuzzer.statistics().expressions(),
          fuzzer.statistics().refusals());
    }
  }
}
