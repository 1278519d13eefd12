package io.ariadne.it.cluster;

import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.MemoryUsage;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.catalog.MapOutputs;
import io.ariadne.shuffle.spark.ShuffleTransport;
import java.io.File;
import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;

/** Asks each executor what its runtime holds, by tasks. */
final class SoakProbe {
  private static final int ROUNDS = 20;
  private static final int TASK_MILLIS = 100;

  private SoakProbe() {}

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
    for (int round = 0; round < ROUNDS; round++) {
      int tasks = executors * 4;
      found.clear();
      context
          .parallelize(IntStream.range(0, tasks).boxed().toList(), tasks)
          .map(ignored -> holding())
          .collect()
          .forEach(each -> found.put(each.executor(), each));
      if (found.size() >= executors) {
        List<Holding> all = new ArrayList<>(found.values());
        all.sort(Comparator.comparing(Holding::executor));
        return all;
      }
      TimeUnit.SECONDS.sleep(1);
    }
    throw new IllegalStateException(
        "only executors " + found.keySet() + " of " + executors + " run tasks");
  }

  /** Takes a while, so that no executor runs all tasks. */
  private static Holding holding() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(TASK_MILLIS);
    return Holding.ofThisProcess();
  }

  /** Describes what executors hold, a line each. */
  static String describe(List<Holding> all) {
    return String.join("\n", Arrays.stream(all.toArray()).map(each -> "  " + each).toList());
  }
}
