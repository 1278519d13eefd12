package io.ariadne.plugin.config;

import com.sun.management.OperatingSystemMXBean;
import io.ariadne.plugin.config.MemoryBudget.Surroundings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.apache.spark.SparkConf;

/**
 * Determines the memory that the process may use, from Spark's settings, the control group and the
 * machine.
 */
public final class ProcessMemory {
  private static final List<Path> LIMIT_FILES =
      List.of(
          Path.of("/sys/fs/cgroup/memory.max"),
          Path.of("/sys/fs/cgroup/memory/memory.limit_in_bytes"));

  private ProcessMemory() {}

  /** Reads the values from which {@link MemoryBudget} computes a budget. */
  public static Surroundings read(SparkConf conf, StartupConfig settings) {
    long machine =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    return new Surroundings(
        settings.memorySizeInBytes(),
        conf.contains("spark.executor.memoryOverhead")
            ? OptionalLong.of(conf.getSizeAsMb("spark.executor.memoryOverhead") << 20)
            : OptionalLong.empty(),
        containerLimit(LIMIT_FILES, machine),
        Runtime.getRuntime().maxMemory(),
        conf.getBoolean("spark.memory.offHeap.enabled", false)
            ? conf.getSizeAsBytes("spark.memory.offHeap.size", "0")
            : 0,
        machine);
  }

  /**
   * Returns the limit of the control group. A limit that is not below the machine's memory does not
   * count.
   */
  static OptionalLong containerLimit(List<Path> files, long machine) {
    for (Path file : files) {
      try {
        String text = Files.readString(file, StandardCharsets.US_ASCII).trim();
        if (!text.equals("max") && Long.parseLong(text) < machine) {
          return OptionalLong.of(Long.parseLong(text));
        }
      } catch (IOException | NumberFormatException e) {
        // The file is absent or has an unknown format: this control group version sets no limit.
        continue;
      }
    }
    return OptionalLong.empty();
  }
}
