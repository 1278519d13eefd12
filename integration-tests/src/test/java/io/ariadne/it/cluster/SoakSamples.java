package io.ariadne.it.cluster;

import io.ariadne.it.cluster.ExecutorProcesses.Usage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** Memory, heaps, files and threads of the driver and the executors over time. Thread-safe. */
final class SoakSamples {
  /** What is judged is the second and the last quarter of at least so many samples. */
  static final int FEWEST = 40;

  private static final String DRIVER = "driver";
  private static final int MORE_FILES = 16;
  private static final int MORE_THREADS = 8;
  private static final long MORE_BYTES = 100L << 20;
  private static final double MORE_MEMORY = 1.15;

  /**
   * What executors reach when the JVM and Spark's pools of threads are full, which takes the longer
   * the fewer queries they run: 1436 MiB and 175 threads were seen.
   */
  private static final long USUAL_BYTES = 1536L << 20;

  private static final int USUAL_THREADS = 192;

  /** Heaps are judged when there are so many samples; they are few, and vary little. */
  private static final int FEWEST_HEAPS = 6;

  /** In a soak of two hours no heap grew by more than 3.6 MiB. */
  private static final long MORE_HEAP_BYTES = 12L << 20;

  private final Map<String, List<Usage>> series = new LinkedHashMap<>();

  /** Bytes in use after a garbage collection, when no query runs. */
  private final Map<String, List<Long>> heaps = new LinkedHashMap<>();

  /** Takes a sample of each process, and prints it. */
  synchronized void take() {
    List<String> line = new ArrayList<>();
    take(DRIVER, ProcessHandle.current().pid(), line);
    ExecutorProcesses.executors().forEach(each -> take("executor " + each.id(), each.pid(), line));
    System.out.println("SAMPLE " + String.join("; ", line));
  }

  private void take(String name, long pid, List<String> line) {
    Usage usage = Usage.of(pid);
    if (usage != null) {
      series.computeIfAbsent(name, any -> new ArrayList<>()).add(usage);
      line.add(name + " " + describe(usage));
    }
  }

  private static String describe(Usage usage) {
    return (usage.rssBytes() >> 20)
        + " MiB "
        + usage.files()
        + " files "
        + usage.threads()
        + " threads";
  }

  /**
   * Adds the heaps of executors and that of this process, and prints them. No query may run.
   *
   * @param executors bytes in use after a garbage collection, by their ids
   */
  synchronized void addHeaps(Map<String, Long> executors) {
    Map<String, Long> all = new TreeMap<>();
    all.put(DRIVER, SoakProbe.heapBytes());
    executors.forEach((id, bytes) -> all.put("executor " + id, bytes));
    List<String> line = new ArrayList<>();
    all.forEach(
        (name, bytes) -> {
          heaps.computeIfAbsent(name, any -> new ArrayList<>()).add(bytes);
          line.add(name + " " + describe(bytes));
        });
    System.out.println("HEAP in use: " + String.join("; ", line));
  }

  private static String describe(long heapBytes) {
    return String.format("%.1f MiB", heapBytes / (double) (1 << 20));
  }

  /**
   * Compares the medians of the second and of the last quarter of each long series, of heaps the
   * least ones.
   *
   * @return what has grown, a line each
   */
  synchronized List<String> growth() {
    List<String> grown = new ArrayList<>();
    heaps.forEach((name, samples) -> addHeapGrowth(name, samples, grown));
    series.forEach(
        (name, samples) -> {
          if (samples.size() < FEWEST) {
            return;
          }
          Usage before = median(samples, 1);
          Usage after = median(samples, 3);
          System.out.println(
              "GROWTH "
                  + name
                  + " of "
                  + samples.size()
                  + " samples: from "
                  + describe(before)
                  + " to "
                  + describe(after));
          // The driver's heap, and Spark's pools of threads there, grow until they are full.
          boolean isDriver = name.equals(DRIVER);
          boolean isLarger =
              after.rssBytes() > before.rssBytes() * MORE_MEMORY
                  && after.rssBytes() > before.rssBytes() + MORE_BYTES
                  && after.rssBytes() > USUAL_BYTES;
          boolean hasMoreThreads =
              after.threads() > before.threads() + MORE_THREADS && after.threads() > USUAL_THREADS;
          if (after.files() > before.files() + MORE_FILES
              || (!isDriver && (isLarger || hasMoreThreads))) {
            grown.add(name + " has grown from " + describe(before) + " to " + describe(after));
          }
        });
    return grown;
  }

  private static void addHeapGrowth(String name, List<Long> samples, List<String> grown) {
    if (samples.size() < FEWEST_HEAPS) {
      return;
    }
    long before = least(samples, 1);
    long after = least(samples, 3);
    String text =
        "heap of " + name + " from " + describe(before) + " to " + describe(after) + " in use";
    System.out.println("GROWTH " + text + ", of " + samples.size() + " samples");
    if (after > before + MORE_HEAP_BYTES) {
      grown.add("has grown: " + text);
    }
  }

  private static long least(List<Long> samples, int quarter) {
    return Collections.min(quarter(samples, quarter));
  }

  private static <T> List<T> quarter(List<T> samples, int quarter) {
    int size = samples.size();
    return samples.subList(size * quarter / 4, size * (quarter + 1) / 4);
  }

  private static Usage median(List<Usage> samples, int quarter) {
    List<Usage> part = quarter(samples, quarter);
    return new Usage(
        median(part, Usage::rssBytes), median(part, Usage::files), median(part, Usage::threads));
  }

  private static long median(List<Usage> part, ToLongFunction<Usage> value) {
    long[] values = part.stream().mapToLong(value).toArray();
    Arrays.sort(values);
    return values[values.length / 2];
  }

  /** Describes the most that any executor has had, and the driver. */
  synchronized String maxima() {
    return "most of an executor: "
        + describe(max(false))
        + ", of the driver: "
        + describe(max(true));
  }

  private Usage max(boolean ofDriver) {
    long rss = 0;
    long files = 0;
    long threads = 0;
    for (Map.Entry<String, List<Usage>> each : series.entrySet()) {
      if (each.getKey().equals(DRIVER) == ofDriver) {
        for (Usage usage : each.getValue()) {
          rss = Math.max(rss, usage.rssBytes());
          files = Math.max(files, usage.files());
          threads = Math.max(threads, usage.threads());
        }
      }
    }
    return new Usage(rss, files, threads);
  }
}
