package io.ariadne.it.cluster;

import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.MemoryUsage;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.catalog.MapOutputs;
import io.ariadne.shuffle.spark.ShuffleTransport;
import java.io.File;
import java.io.Serial;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;

/** Asks each executor what its runtime holds, by tasks. */
final class SoakProbe {
  private static final int ROUNDS = 20;
  private static final int TASK_MILLIS = 100;

  private SoakProbe() {}

  /** What a task finds out about its process. */
  private interface Probe<T> extends Serializable {
    T ask();
  }

  /** What a task has found out, and at which executor. */
  private record Told<T extends Serializable>(String executor, T what) implements Serializable {
    @Serial private static final long serialVersionUID = 1;
  }

  /**
   * What an executor holds.
   *
   * @param executor Spark's id
   * @param outputs map outputs
   * @param outputBytes their bytes in memory, and those of merged rows
   * @param hostBytes of host memory that are taken
   * @param diskBytes of spilled batches
   * @param fragments that are not closed
   * @param files in Spark's local directories that are not of Spark's own shuffles, of which killed
   *     tasks leave some behind
   * @param movedBytes that have been spilled so far
   * @param receivedBytes of blocks from other executors so far
   */
  record Holding(
      String executor,
      int outputs,
      long outputBytes,
      long hostBytes,
      long diskBytes,
      int fragments,
      List<String> files,
      long movedBytes,
      long receivedBytes)
      implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    static Holding ofThisProcess() {
      ExecutorRuntime runtime = ProcessRuntime.get();
      MapOutputs outputs = MapOutputs.of(runtime);
      MemoryUsage usage = runtime.memoryUsage();
      return new Holding(
          SparkEnv.get().executorId(),
          outputs.count(),
          outputs.allocatedBytes(),
          usage.hostBytes(),
          usage.diskBytes(),
          runtime.openFragmentCount(),
          namesOfFiles(),
          usage.movedFromHost(),
          ShuffleTransport.of(runtime).counters().receivedBytes().sum());
    }

    private static List<String> namesOfFiles() {
      List<String> names = new ArrayList<>();
      for (File directory : SparkEnv.get().blockManager().diskBlockManager().localDirs()) {
        add(directory, names);
      }
      return names;
    }

    private static void add(File directory, List<String> names) {
      File[] files = directory.listFiles(); // null when it is gone
      for (File file : files == null ? new File[0] : files) {
        if (file.isDirectory()) {
          add(file, names);
        } else if (!file.getName().matches("((temp_)?shuffle|broadcast)_.*")) {
          names.add(file.getName());
        }
      }
    }

    /** Returns whether nothing is left of any query. */
    boolean isEmpty() {
      return outputs == 0
          && outputBytes == 0
          && diskBytes == 0
          && fragments == 0
          && files.isEmpty();
    }
  }

  /**
   * Asks all executors.
   *
   * @param executors how many there are
   * @throws IllegalStateException when not all of them have run a task
   */
  static List<Holding> ask(JavaSparkContext context, int executors) throws InterruptedException {
    Map<String, Holding> found = new TreeMap<>();
    run(context, executors, Holding::ofThisProcess)
        .forEach(each -> found.put(each.executor(), each.what()));
    return List.copyOf(found.values());
  }

  /**
   * Returns the bytes of heap that are in use after a garbage collection, by the names of
   * executors. Ask after what they hold, since objects that a collection ends hold nothing.
   *
   * @param executors how many there are
   * @throws IllegalStateException when not all of them have run a task
   */
  static Map<String, Long> heaps(JavaSparkContext context, int executors)
      throws InterruptedException {
    Map<String, Long> found = new TreeMap<>();
    run(context, executors, SoakProbe::heapBytes)
        .forEach(each -> found.merge(each.executor(), each.what(), Math::min));
    return found;
  }

  /** Returns the bytes of this process's heap that are in use after a garbage collection. */
  static long heapBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Runs tasks, a few at each executor. */
  private static <T extends Serializable> List<Told<T>> run(
      JavaSparkContext context, int executors, Probe<T> probe) throws InterruptedException {
    Set<String> found = new TreeSet<>();
    for (int round = 0; round < ROUNDS; round++) {
      int tasks = executors * 4;
      List<Told<T>> all =
          context
              .parallelize(IntStream.range(0, tasks).boxed().toList(), tasks)
              .map(ignored -> told(probe))
              .collect();
      found.clear();
      all.forEach(each -> found.add(each.executor()));
      if (found.size() >= executors) {
        return all;
      }
      TimeUnit.SECONDS.sleep(1);
    }
    throw new IllegalStateException("only executors " + found + " of " + executors + " run tasks");
  }

  /** Takes a while, so that no executor runs all tasks. */
  private static <T extends Serializable> Told<T> told(Probe<T> probe) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(TASK_MILLIS);
    return new Told<>(SparkEnv.get().executorId(), probe.ask());
  }

  /** Describes what executors hold, a line each. */
  static String describe(List<Holding> all) {
    return String.join("\n", Arrays.stream(all.toArray()).map(each -> "  " + each).toList());
  }
}
