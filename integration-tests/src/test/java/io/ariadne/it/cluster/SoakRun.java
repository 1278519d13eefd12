package io.ariadne.it.cluster;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Random queries under random faults, in phases. At the end of a phase everything is quiet, and
 * executors must hold nothing. The first error ends the run.
 */
final class SoakRun {
  private static final int QUERIES_AT_ONCE = 3;
  private static final long LONGEST_PHASE_SECONDS = 120;
  private static final long SAMPLE_SECONDS = 5;
  private static final long POLL_MILLIS = 100;
  private static final long HANG_SECONDS = 300;
  private static final int HANG_STATUS = 3;
  private static final long QUIET_SECONDS = 90;
  private static final long COME_BACK_SECONDS = 120;
  private static final int FEW_THREADS = 4;
  private static final int MOST_HOST_BYTES = 16 << 20;

  private final SparkSession session;
  private final JavaSparkContext context;
  private final Settings settings;
  private final SoakAnswers answers;
  private final SoakListener listener = new SoakListener();
  private final SoakSamples samples = new SoakSamples();
  private final AtomicInteger next = new AtomicInteger();
  private final Map<Integer, Running> running = new ConcurrentHashMap<>();

  /** The last that each executor has told. */
  private final Map<String, SoakProbe.Holding> last = new ConcurrentHashMap<>();

  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger cancelled = new AtomicInteger();
  private final AtomicInteger exchanged = new AtomicInteger();

  /**
   * What is run.
   *
   * @param seconds how long
   * @param seed of queries and faults
   * @param executors how many there are
   * @param spill where executors spill
   * @param isSmall whether that is a file system that may be filled
   */
  record Settings(long seconds, long seed, int executors, Path spill, boolean isSmall) {}

  /** A query that runs. */
  private static final class Running {
    private final SoakQuery query;
    private final long start = System.nanoTime();
    private final AtomicBoolean isCancelled = new AtomicBoolean();

    Running(SoakQuery query) {
      this.query = query;
    }

    private String group() {
      return "soak-" + query.index();
    }

    private long seconds() {
      return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    }
  }

  SoakRun(SparkSession session, Settings settings) {
    this.session = session;
    this.context = new JavaSparkContext(session.sparkContext());
    this.settings = settings;
    this.answers = new SoakAnswers(session);
  }

  /**
   * Runs until the time is over.
   *
   * @throws IllegalStateException with what was wrong
   */
  void run() throws InterruptedException, ExecutionException {
    context.sc().addSparkListener(listener);
    ScheduledExecutorService timers = Executors.newScheduledThreadPool(2);
    SoakFaults faults =
        new SoakFaults(
            context.sc(),
            listener,
            this::cancel,
            settings.executors(),
            settings.spill(),
            settings.isSmall(),
            settings.seed(),
            timers);
    Thread thaw = new Thread(() -> thawAll());
    Runtime.getRuntime().addShutdownHook(thaw);
    Future<?> sampling =
        timers.scheduleAtFixedRate(samples::take, 0, SAMPLE_SECONDS, TimeUnit.SECONDS);
    try {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(settings.seconds());
      while (System.nanoTime() < end && failures.isEmpty()) {
        long phase =
            Math.min(end, System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_PHASE_SECONDS));
        runPhase(phase, faults);
        faults.end(COME_BACK_SECONDS);
        if (failures.isEmpty()) {
          beQuiet();
        }
      }
      if (sampling.isDone()) {
        sampling.get(); // what it has thrown
      }
      failures.addAll(samples.growth());
    } finally {
      timers.shutdownNow();
      thawAll();
      printSummary(faults);
    }
    if (!failures.isEmpty()) {
      throw new IllegalStateException(String.join("\n", failures));
    }
  }

  private static void thawAll() {
    ExecutorProcesses.executors().forEach(each -> ExecutorProcesses.signal(each.pid(), "CONT"));
  }

  private void printSummary(SoakFaults faults) {
    System.out.println(
        "SOAK seed "
            + settings.seed()
            + ": queries "
            + done
            + ", over Ariadne's exchange "
            + exchanged
            + ", cancelled "
            + cancelled
            + ", "
            + listener
            + "; spilled MiB "
            + (last.values().stream().mapToLong(SoakProbe.Holding::movedBytes).sum() >> 20)
            + " and received MiB "
            + (last.values().stream().mapToLong(SoakProbe.Holding::receivedBytes).sum() >> 20)
            + "; faults "
            + faults.counts()
            + "; "
            + samples.maxima());
  }

  /** Runs queries and faults until a time, and waits for the queries. */
  private void runPhase(long end, SoakFaults faults)
      throws InterruptedException, ExecutionException {
    try (SoakWorkers workers = new SoakWorkers(QUERIES_AT_ONCE, () -> runQueries(end))) {
      boolean isOver = false;
      long strike = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(faults.pauseMillis());
      while (!workers.await(POLL_MILLIS)) {
        long now = System.nanoTime();
        if (!isOver && (now >= end || !failures.isEmpty())) {
          isOver = true;
          faults.end(COME_BACK_SECONDS);
        } else if (!isOver && now >= strike) {
          faults.strike();
          strike = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(faults.pauseMillis());
        }
        checkForHang();
      }
    }
  }

  private void checkForHang() {
    for (Running each : running.values()) {
      if (each.seconds() > HANG_SECONDS) {
        thawAll();
        ExecutorProcesses.printStacks();
        System.out.println("HANG for " + each.seconds() + " s: " + each.query);
        Runtime.getRuntime().halt(HANG_STATUS); // nothing that has to be waited for
      }
    }
  }

  private void runQueries(long end) {
    while (System.nanoTime() < end && failures.isEmpty()) {
      SoakQuery query = SoakQuery.of(settings.seed(), next.getAndIncrement());
      try {
        run(query);
      } catch (Throwable e) { // errors too: any of them is a failure of the query
        failures.add("seed " + settings.seed() + ", " + query + " fails: " + stackTrace(e));
      }
    }
  }

  private static String stackTrace(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  private void run(SoakQuery query) {
    SparkSession own = session.newSession();
    query.settings().forEach((key, value) -> own.conf().set(key, value));
    Running entry = new Running(query);
    running.put(query.index(), entry);
    try {
      String expected = answers.of(query);
      String actual = answer(own, entry);
      if (actual == null) {
        return;
      }
      done.incrementAndGet();
      if (!actual.equals(expected)) {
        failures.add(
            String.format(
                "DIFFERENT seed %d, %s%nexpected %s%nactual   %s",
                settings.seed(), query, expected, actual));
      }
    } finally {
      running.remove(query.index());
    }
  }

  /** Returns the answer, null if the query was cancelled. */
  private String answer(SparkSession own, Running entry) {
    boolean interrupts = entry.query.index() % 2 == 0;
    context.setJobGroup(entry.group(), "soak", interrupts);
    try {
      Dataset<Row> dataset = own.sql(entry.query.sql());
      String answer = SoakAnswers.answer(dataset, entry.query.isOrdered());
      String plan = dataset.queryExecution().executedPlan().toString();
      exchanged.addAndGet(plan.contains("AriadneShuffleExchange") ? 1 : 0);
      return answer;
    } catch (Exception e) { // Scala's methods throw checked ones that they don't declare
      if (!entry.isCancelled.get() || !isOfCancellation(e)) {
        throw new IllegalStateException("the query fails", e);
      }
      cancelled.incrementAndGet();
      return null;
    } finally {
      context.clearJobGroup();
    }
  }

  private static boolean isOfCancellation(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (String.valueOf(each.getMessage()).contains("cancel")) {
        return true;
      }
    }
    return false;
  }

  private String cancel(Random random) {
    List<Running> all = new ArrayList<>(running.values());
    if (all.isEmpty()) {
      return null;
    }
    Running victim = all.get(random.nextInt(all.size()));
    victim.isCancelled.set(true);
    context.cancelJobGroup(victim.group());
    return victim.group();
  }

  /** Counts this process's threads by the names that more than a few have in common. */
  private static Map<String, Long> threads() {
    Map<String, Long> counts =
        Thread.getAllStackTraces().keySet().stream()
            .map(thread -> thread.getName().replaceAll("[0-9a-f-]*\\d[0-9a-f-]*", "N"))
            .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
    counts.values().removeIf(count -> count < FEW_THREADS);
    return counts;
  }

  /** Waits until executors hold nothing of the queries, all of which have ended. */
  private void beQuiet() throws InterruptedException {
    long start = System.nanoTime();
    List<SoakProbe.Holding> held;
    do {
      System.gc(); // after which Spark drops what no query refers to
      TimeUnit.SECONDS.sleep(1);
      held = SoakProbe.ask(context, settings.executors());
    } while (!held.stream().allMatch(SoakProbe.Holding::isEmpty)
        && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(QUIET_SECONDS));
    System.out.println("THREADS of the driver " + threads());
    held.forEach(each -> last.put(each.executor(), each));
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    System.out.println("QUIET after " + millis + " ms\n" + SoakProbe.describe(held));
    for (SoakProbe.Holding each : held) {
      if (!each.isEmpty() || each.hostBytes() > MOST_HOST_BYTES) {
        failures.add("LEFT when all queries have ended: " + each);
      }
    }
    samples.addHeaps(SoakProbe.heaps(context, settings.executors()));
  }
}
