package io.ariadne.memory.testing;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What this process has at a moment, for tests of whether repeated work leaves anything.
 *
 * @param heapBytes used bytes of the Java heap, after collections
 * @param residentBytes bytes of memory that the system has given it; 0 where that is not known
 * @param threads names of the threads asked for
 * @param files names of the open files, sockets and pipes, sorted; those that the JVM opens when it
 *     likes (jars, devices, {@code /proc} and {@code /sys}) are left out; empty where that is not
 *     known
 */
public record ProcessUse(
    long heapBytes, long residentBytes, Set<String> threads, List<String> files) {
  private static final int COLLECTIONS = 4;
  private static final long PAUSE_MILLIS = 50;
  private static final Pattern OPENED_BY_JVM =
      Pattern.compile("/(dev|proc|sys)/.*|.*\\.jar|.*/lib/modules");

  /**
   * Measures, after collections of the heap.
   *
   * @param areCounted which threads count, by name
   */
  public static ProcessUse now(Predicate<String> areCounted)
      throws IOException, InterruptedException {
    long heap = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      Thread.sleep(PAUSE_MILLIS);
      heap = Math.min(heap, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return new ProcessUse(heap, residentMemory(), namesOf(areCounted), openFiles());
  }

  /** Returns the names of threads that count. */
  public static Set<String> namesOf(Predicate<String> areCounted) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(areCounted)
        .collect(Collectors.toSet());
  }

  private static long residentMemory() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .sum();
    }
  }

  /**
   * Returns the files that are open now and were not open earlier, a name as often as it is open
   * more times.
   */
  public List<String> filesBeyond(ProcessUse earlier) {
    List<String> beyond = new ArrayList<>(files);
    earlier.files.forEach(beyond::remove);
    return beyond;
  }

  private static List<String> openFiles() throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    if (!Files.exists(descriptors)) {
      return List.of();
    }
    try (Stream<Path> open = Files.list(descriptors)) {
      return open.map(ProcessUse::nameOf)
          .filter(name -> !OPENED_BY_JVM.matcher(name).matches())
          .sorted()
          .toList();
    }
  }

  /** Returns what a descriptor points to: a path, or the kind of what has none. */
  private static String nameOf(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().replaceFirst(":\\[\\d+]$", "");
    } catch (IOException e) {
      return "/proc/self/fd, closed since";
    }
  }

  @Override
  public String toString() {
    return (heapBytes >> 10)
        + " KiB of heap, "
        + (residentBytes >> 20)
        + " MiB resident, "
        + threads.size()
        + " threads, "
        + files.size()
        + " files";
  }
}
