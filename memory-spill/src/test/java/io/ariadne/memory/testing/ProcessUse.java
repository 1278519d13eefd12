package io.ariadne.memory.testing;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What this process has at a moment, for tests of whether repeated work leaves anything.
 *
 * @param heapBytes used bytes of the Java heap, after collections
 * @param residentBytes bytes of memory that the system has given it; 0 where that is not known
 * @param threads names of the threads asked for
 * @param files open files; 0 where that is not known
 */
public record ProcessUse(long heapBytes, long residentBytes, Set<String> threads, long files) {
  private static final int COLLECTIONS = 4;
  private static final long PAUSE_MILLIS = 50;

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

  private static long openFiles() throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    if (!Files.exists(descriptors)) {
      return 0;
    }
    try (Stream<Path> open = Files.list(descriptors)) {
      return open.count();
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
        + files
        + " files";
  }
}
