package io.ariadne.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.shuffle.transport.ucx.UcxLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random shuffles under random faults give the same answers as without, end, and leave nothing
 * behind. {@code -Dariadne.soak.seconds=7200} soaks for two hours, {@code -Dariadne.soak.seed=N}
 * repeats the queries, faults and settings of a run.
 */
class SoakIT {
  private static final int SHORT_SECONDS = 45;
  private static final int RUN_SECONDS = 300;
  private static final Duration STOP = Duration.ofMinutes(8);
  private static final String DISK_SIZE = "768m";
  private static final int EXECUTORS = 3;

  /** So many queries fill some executor's memory; a busy machine runs few in a short soak. */
  private static final int QUERIES_THAT_SPILL = 30;

  /** Lines of the output that say what happened. */
  private static final Pattern TOLD =
      Pattern.compile(
          "(SOAK|HANG|FAULT|QUIET|HEAP|GROWTH|LEFT|DIFFERENT|seed|expected|actual|Exception).*");

  private static final List<String> SECRET =
      List.of(
          "spark.authenticate=true",
          "spark.authenticate.secret=for this test",
          "spark.network.crypto.enabled=true");

  private static final List<String> SPECULATION =
      List.of(
          "spark.speculation=true",
          "spark.speculation.quantile=0.3",
          "spark.speculation.multiplier=1.2",
          "spark.speculation.minTaskRuntime=300ms");

  /** So that no fault ends a job. */
  private static final List<String> ATTEMPTS =
      List.of("spark.task.maxFailures=1000", "spark.stage.maxConsecutiveAttempts=1000");

  /** So that what Spark's driver remembers of queries is soon as much as it ever gets. */
  private static final List<String> SHORT_MEMORY =
      List.of(
          "spark.ui.retainedJobs=50",
          "spark.ui.retainedStages=50",
          "spark.ui.retainedTasks=1000",
          "spark.ui.retainedDeadExecutors=5",
          "spark.sql.ui.retainedExecutions=20");

  /**
   * Settings of a run.
   *
   * @param hasSparksAttempts whether tasks and stages are tried as often as Spark does by default
   */
  private record Variant(
      String strategy, String transport, List<String> others, boolean hasSparksAttempts) {
    Variant(String strategy, String transport, List<String> others) {
      this(strategy, transport, others, false);
    }
  }

  /** In this order, the first chosen by the seed. */
  private static final List<Variant> VARIANTS =
      List.of(
          new Variant("simple", "tcp", SPECULATION),
          new Variant("push", "ucx", List.of(), true),
          new Variant("move", "tcp", SECRET),
          new Variant("merge", "ucx", SPECULATION),
          new Variant("push", "tcp", SPECULATION),
          new Variant("simple", "ucx", SECRET),
          new Variant("merge", "tcp", SECRET),
          new Variant("move", "ucx", SPECULATION));

  private static LocalCluster cluster;

  @TempDir Path folder;

  @BeforeAll
  static void layOutSpark(@TempDir Path home) throws IOException {
    cluster = LocalCluster.createForOwnManager(home);
  }

  @Test
  void sameAnswersAndNothingLeft() throws Exception {
    int seconds = Integer.getInteger("ariadne.soak.seconds", SHORT_SECONDS);
    long seed = Long.getLong("ariadne.soak.seed", new SecureRandom().nextInt(1_000_000));
    System.out.println("soak: -Dariadne.soak.seconds=" + seconds + " -Dariadne.soak.seed=" + seed);
    int runs = Math.max(1, Math.min(VARIANTS.size(), seconds / RUN_SECONDS));
    for (int run = 0; run < runs; run++) {
      int variant = (int) Math.floorMod(seed + run, (long) VARIANTS.size());
      // A failure's message has the seed of its run, from which this one follows.
      soak(VARIANTS.get(variant), seconds / runs, seed * VARIANTS.size() + run, run);
    }
  }

  private void soak(Variant variant, int seconds, long seed, int run) throws Exception {
    Path own = Files.createDirectories(folder.resolve("run-" + run));
    Path spill = Files.createDirectories(own.resolve("spill")).toRealPath();
    boolean isMounted = mount(spill);
    LocalCluster.Outcome outcome;
    try {
      outcome =
          cluster.run(
              SoakApplication.class,
              own,
              settings(variant, seconds, seed, spill, isMounted),
              seconds > SHORT_SECONDS ? "" : LocalCluster.shortQueries(),
              STOP.plusSeconds(seconds * 2L));
    } finally {
      if (isMounted) {
        ExecutorProcesses.command("umount", "-l", spill.toString());
      }
    }
    check("run " + run + ", " + variant, outcome, seed);
  }

  private static boolean mount(Path spill) {
    return "root".equals(System.getProperty("user.name"))
        && !ExecutorProcesses.isFailure(
            ExecutorProcesses.command(
                "mount", "-t", "tmpfs", "-o", "size=" + DISK_SIZE, "soak", spill.toString()));
  }

  private List<String> settings(
      Variant variant, int seconds, long seed, Path spill, boolean isMounted) {
    String transport =
        UcxLibrary.reasonAgainst("127.0.0.1").isPresent() ? "tcp" : variant.transport();
    List<String> settings =
        new ArrayList<>(
            List.of(
                "spark.shuffle.manager=io.ariadne.shuffle.AriadneShuffleManager",
                "spark.ariadne.shuffle.strategy=" + variant.strategy(),
                "spark.ariadne.shuffle.transport=" + transport,
                "spark.ariadne.memory.size=64m",
                "spark.ariadne.memory.spill.directories=" + spill,
                "spark.sql.autoBroadcastJoinThreshold=-1",
                "spark.sql.files.openCostInBytes=64k",
                "spark.local.dir=" + folder.resolve("local"),
                "spark.executor.memory=768m",
                // So that memory that grows is not the heap's.
                "spark.executor.extraJavaOptions=-Xms768m -XX:+AlwaysPreTouch",
                "spark.deploy.maxExecutorRetries=-1",
                "spark.network.timeout=" + (new Random(seed).nextBoolean() ? "120s" : "25s"),
                "spark.network.timeoutInterval=5s",
                "spark.log.level=WARN",
                "spark.soak.seconds=" + seconds,
                "spark.soak.seed=" + seed,
                "spark.soak.executors=" + EXECUTORS,
                "spark.soak.small=" + isMounted));
    settings.addAll(variant.others());
    settings.addAll(SHORT_MEMORY);
    settings.addAll(variant.hasSparksAttempts() ? List.of() : ATTEMPTS);
    return settings;
  }

  private static void check(String what, LocalCluster.Outcome outcome, long seed)
      throws IOException {
    Path logs = Path.of(System.getProperty("ariadne.it.work"), "soak");
    Path log = Files.createDirectories(logs).resolve("run-" + seed + ".log");
    Files.writeString(log, outcome.output());
    String told =
        what
            + ", all of it in "
            + log
            + ":\n"
            + String.join("\n", outcome.output().lines().filter(SoakIT::tells).toList());
    System.out.println(told);
    assertTrue(outcome.hasEnded(), told);
    assertEquals(0, outcome.exitValue(), told);
    assertTrue(outcome.output().contains("APPLICATION FINISHED"), told);
    assertFalse(outcome.output().contains("java.lang.OutOfMemoryError"), told);
    Matcher summary =
        Pattern.compile("SOAK .*queries (\\d+), over Ariadne's exchange (\\d+).*spilled MiB (\\d+)")
            .matcher(outcome.output());
    assertTrue(summary.find(), told);
    int queries = Integer.parseInt(summary.group(1));
    int exchanged = Integer.parseInt(summary.group(2));
    assertTrue(queries > 0 && exchanged * 2 > queries, told);
    assertTrue(queries < QUERIES_THAT_SPILL || Long.parseLong(summary.group(3)) > 0, told);
  }

  private static boolean tells(String line) {
    return TOLD.matcher(line).lookingAt();
  }
}
