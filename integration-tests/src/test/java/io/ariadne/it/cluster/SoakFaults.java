package io.ariadne.it.cluster;

import io.ariadne.it.cluster.ExecutorProcesses.Executor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkContext;

/**
 * Does harm to a running cluster, from outside: to processes, connections, disks, tasks and jobs.
 * Each fault is a line {@code FAULT}. The oldest executor is neither killed nor removed, so that
 * one lives long enough to show what grows.
 *
 * <p>One thread calls {@link #strike}. Faults that end later end by {@link #ends}' threads.
 */
final class SoakFaults {
  private static final int MOST_SECONDS = 15;
  private static final int FULL_SECONDS = 6;
  private static final int DAMAGED_BYTES = 64;
  private static final int BLOCK = 4096;
  private static final int LOOKS = 40;

  /** Of {@code ss}: addresses and ports of a connection, and its process. */
  private static final Pattern CONNECTION =
      Pattern.compile("\\S+:(\\d+)\\s+\\S+:(\\d+)\\s+users:.*?pid=(\\d+),");

  /** The kinds, each as often as it stands here. */
  enum Kind {
    EXECUTOR_KILLED(2),
    EXECUTOR_FROZEN(3),
    EXECUTOR_REMOVED(1),
    CONNECTION_RESET(4),
    DISK_FULL(2),
    SPILL_FILE_DAMAGED(2),
    SPILL_FILE_CUT(1),
    TASK_KILLED(4),
    JOB_CANCELLED(2),
    GARBAGE_COLLECTED(2);

    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }
  }

  /** Cancels a running query. */
  interface Cancellation {
    /** Cancels one, and returns its name; null when none runs. */
    String cancel(Random random);
  }

  private final SparkContext context;
  private final SoakListener listener;
  private final Cancellation cancellation;
  private final int executors;
  private final Path spill;
  private final Random random;
  private final ScheduledExecutorService ends;
  private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
  private final Set<Kind> skipped = EnumSet.noneOf(Kind.class);
  private final Set<Long> frozen = new HashSet<>();
  private final long start = System.nanoTime();
  private final List<Future<?>> endings = new ArrayList<>();
  private boolean isFull;
  private boolean isReduced;

  /**
   * Creates an object that does no harm yet.
   *
   * @param executors how many the cluster has
   * @param spill the directory of spilled batches, a small file system of its own if {@code
   *     isSmall}
   * @param ends runs what ends a fault
   */
  SoakFaults(
      SparkContext context,
      SoakListener listener,
      Cancellation cancellation,
      int executors,
      Path spill,
      boolean isSmall,
      long seed,
      ScheduledExecutorService ends) {
    this.context = context;
    this.listener = listener;
    this.cancellation = cancellation;
    this.executors = executors;
    this.spill = spill;
    this.random = new Random(seed);
    this.ends = ends;
    if (!isSmall) {
      skip(Kind.DISK_FULL, "no file system can be mounted");
    }
    String refusal = ExecutorProcesses.command("ss", "-K", "-tn", "sport", "=", ":1");
    if (!"root".equals(System.getProperty("user.name")) || ExecutorProcesses.isFailure(refusal)) {
      skip(Kind.CONNECTION_RESET, "ss -K needs root: " + refusal.strip());
    }
  }

  private void skip(Kind kind, String reason) {
    skipped.add(kind);
    System.out.println("FAULT none of kind " + kind + ": " + reason);
  }

  /** Returns how long to wait for the next fault. */
  synchronized long pauseMillis() {
    return 500 + (long) (-Math.log(1 - random.nextDouble()) * 3000);
  }

  /** Lets one fault happen. */
  synchronized void strike() {
    Kind kind = next();
    int amount = 1 + random.nextInt(MOST_SECONDS);
    String what = skipped.contains(kind) ? null : strike(kind, amount);
    if (what != null) {
      counts.merge(kind, 1, Integer::sum);
      System.out.println(
          String.format("FAULT %.1f s %s %s", (System.nanoTime() - start) / 1e9, kind, what));
    }
  }

  private Kind next() {
    int sum = 0;
    for (Kind kind : Kind.values()) {
      sum += kind.weight;
    }
    int at = random.nextInt(sum);
    for (Kind kind : Kind.values()) {
      at -= kind.weight;
      if (at < 0) {
        return kind;
      }
    }
    throw new IllegalStateException("weights");
  }

  /** Returns what was done, null if nothing. */
  private String strike(Kind kind, int seconds) {
    List<Executor> alive = ExecutorProcesses.executors();
    return switch (kind) {
      case EXECUTOR_KILLED -> kill(alive);
      case EXECUTOR_FROZEN -> freeze(alive, seconds);
      case EXECUTOR_REMOVED -> remove(alive, seconds);
      case CONNECTION_RESET -> reset(alive);
      case DISK_FULL -> fill(1 + seconds % FULL_SECONDS);
      case SPILL_FILE_DAMAGED -> damage(alive, false);
      case SPILL_FILE_CUT -> damage(alive, true);
      case TASK_KILLED -> killTask();
      case JOB_CANCELLED -> cancellation.cancel(random);
      case GARBAGE_COLLECTED -> collect();
    };
  }

  private String kill(List<Executor> alive) {
    if (alive.size() < executors || alive.size() < 2) {
      return null;
    }
    Executor executor = alive.get(1 + random.nextInt(alive.size() - 1));
    executor.handle().destroyForcibly();
    return executor.toString();
  }

  private String freeze(List<Executor> alive, int seconds) {
    if (alive.isEmpty() || !frozen.isEmpty()) {
      return null;
    }
    Executor executor = alive.get(random.nextInt(alive.size()));
    long pid = executor.pid();
    frozen.add(pid);
    ExecutorProcesses.signal(pid, "STOP");
    later(() -> thaw(pid), seconds);
    return executor + " for " + seconds + " s";
  }

  private void later(Runnable end, int seconds) {
    endings.add(ends.schedule(end, seconds, TimeUnit.SECONDS));
  }

  private synchronized void thaw(long pid) {
    if (frozen.remove(pid)) {
      ExecutorProcesses.signal(pid, "CONT");
    }
  }

  private String remove(List<Executor> alive, int seconds) {
    if (alive.size() < executors || alive.size() < 2 || isReduced) {
      return null;
    }
    Executor executor = alive.get(1 + random.nextInt(alive.size() - 1));
    isReduced = true;
    context.killExecutor(String.valueOf(executor.id()));
    later(this::addExecutors, seconds);
    return executor + ", added again after " + seconds + " s";
  }

  private synchronized void addExecutors() {
    isReduced = false;
    context.requestTotalExecutors(
        executors, 0, scala.collection.immutable.Map$.MODULE$.<String, Object>empty());
  }

  /** Ends connections between executors; those to the driver stay. */
  private String reset(List<Executor> alive) {
    Map<String, Long> processes = new TreeMap<>();
    String listing = ExecutorProcesses.command("ss", "-tnpH", "state", "established");
    for (Matcher each = CONNECTION.matcher(listing); each.find(); ) {
      processes.put(each.group(1) + " " + each.group(2), Long.valueOf(each.group(3)));
    }
    List<Long> pids = alive.stream().map(Executor::pid).toList();
    List<String> between = new ArrayList<>();
    processes.forEach(
        (ports, pid) -> {
          String[] pair = ports.split(" ");
          Long peer = processes.get(pair[1] + " " + pair[0]);
          if (peer != null && !peer.equals(pid) && pids.contains(pid) && pids.contains(peer)) {
            between.add(ports);
          }
        });
    if (between.isEmpty()) {
      return null;
    }
    boolean all = random.nextInt(4) == 0;
    List<String> victims = all ? between : List.of(between.get(random.nextInt(between.size())));
    for (String ports : victims) {
      String[] pair = ports.split(" ");
      ExecutorProcesses.command(
          "ss", "-K", "-tn", "sport", "=", ":" + pair[0], "and", "dport", "=", ":" + pair[1]);
    }
    return victims.size() + " of " + between.size();
  }

  /** Fills the file system of spilled batches. */
  private String fill(int seconds) {
    if (isFull) {
      return null;
    }
    isFull = true;
    Path filler = spill.resolve("filler");
    long written = 0;
    try (FileChannel out =
        FileChannel.open(filler, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 20);
      while (true) {
        zeros.clear();
        written += out.write(zeros);
      }
    } catch (IOException e) {
      later(this::empty, seconds);
      return "for " + seconds + " s, " + (written >> 20) + " MiB: " + e.getMessage();
    }
  }

  private synchronized void empty() {
    try {
      Files.deleteIfExists(spill.resolve("filler"));
      isFull = false;
    } catch (IOException e) {
      throw new IllegalStateException("cannot empty " + spill, e);
    }
  }

  /** Changes bytes of a file of spilled batches, which has no name, or cuts it. */
  private String damage(List<Executor> alive, boolean isCut) {
    List<Path> files = new ArrayList<>();
    alive.forEach(each -> addSpillFiles(each.pid(), files));
    if (files.isEmpty()) {
      return null;
    }
    Path file = files.get(random.nextInt(files.size()));
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long size = channel.size();
      if (size < BLOCK) {
        return null;
      }
      if (isCut) {
        long rest = (long) (random.nextDouble() * size);
        channel.truncate(rest);
        return file + " from " + size + " to " + rest + " bytes";
      }
      long at = writtenBlock(channel, size);
      if (at < 0) {
        return null;
      }
      byte[] noise = new byte[DAMAGED_BYTES];
      random.nextBytes(noise);
      channel.write(ByteBuffer.wrap(noise), at);
      return file + " at " + at + " of " + size;
    } catch (IOException e) {
      return null; // its process has ended
    }
  }

  /** Finds bytes that are not a hole. */
  private long writtenBlock(FileChannel channel, long size) throws IOException {
    for (int i = 0; i < LOOKS; i++) {
      long at = (long) (random.nextDouble() * (size - DAMAGED_BYTES));
      ByteBuffer bytes = ByteBuffer.allocate(DAMAGED_BYTES);
      channel.read(bytes, at);
      for (byte each : bytes.array()) {
        if (each != 0) {
          return at;
        }
      }
    }
    return -1;
  }

  private void addSpillFiles(long pid, List<Path> found) {
    try (var files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      for (Path file : files.toList()) {
        if (Files.isSymbolicLink(file)
            && Files.readSymbolicLink(file).toString().startsWith(spill + "/")) {
          found.add(file);
        }
      }
    } catch (IOException e) {
      // The process, or the file, is gone.
    }
  }

  private String killTask() {
    List<Long> tasks = listener.runningTasks();
    if (tasks.isEmpty()) {
      return null;
    }
    long task = tasks.get(random.nextInt(tasks.size()));
    boolean interrupts = random.nextBoolean();
    context.killTaskAttempt(task, interrupts, "soak");
    return "task " + task + (interrupts ? ", interrupted" : "");
  }

  private static String collect() {
    System.gc();
    return "on the driver";
  }

  /** Ends all faults, and waits until the cluster has its executors again. */
  void end(long mostSeconds) throws InterruptedException, ExecutionException {
    synchronized (this) {
      for (Future<?> each : endings) {
        if (!each.cancel(false) && !each.isCancelled()) {
          each.get(); // what it has thrown
        }
      }
      endings.clear();
      Set.copyOf(frozen).forEach(this::thaw);
      if (isFull) {
        empty();
      }
      addExecutors();
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(mostSeconds);
    while (ExecutorProcesses.executors().size() != executors
        || context.getExecutorIds().size() != executors) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "executors "
                + ExecutorProcesses.executors()
                + " run and Spark knows "
                + context.getExecutorIds()
                + ", of "
                + executors);
      }
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }

  /** Returns how many faults there were, by kind. */
  synchronized Map<Kind, Integer> counts() {
    return new EnumMap<>(counts);
  }
}
