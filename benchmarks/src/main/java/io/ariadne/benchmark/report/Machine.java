package io.ariadne.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Describes the machine of a run, as far as the operating system reports it. */
public final class Machine {
  private static final long KILOBYTES_PER_GIGABYTE = 1024 * 1024;

  private Machine() {}

  /** Returns processor, cores, memory, operating system and JVM. */
  public static Map<String, Object> describe() throws IOException {
    Map<String, Object> machine = new LinkedHashMap<>();
    machine.put("cpu", field(Path.of("/proc/cpuinfo"), "model name"));
    machine.put("cores", Runtime.getRuntime().availableProcessors());
    machine.put("memoryGigabytes", memoryGigabytes());
    machine.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    machine.put(
        "java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    return machine;
  }

  private static long memoryGigabytes() throws IOException {
    String total = field(Path.of("/proc/meminfo"), "MemTotal");
    return total.isEmpty()
        ? 0
        : Long.parseLong(total.replaceAll("\\D", "")) / KILOBYTES_PER_GIGABYTE;
  }

  private static String field(Path file, String name) throws IOException {
    if (!Files.exists(file)) {
      return "";
    }
    try (var lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).trim())
          .findFirst()
          .orElse("");
    }
  }
}
