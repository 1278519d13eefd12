package io.ariadne.memory;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The size of an executor's host pool, decided once at start and disjoint from the JVM heap and
 * from Spark's own memory.
 *
 * <p>The configured size; else the smaller of a share of the memory overhead the cluster manager
 * grants and what the control group's limit leaves beside the heap and a margin; else a share of
 * the machine's memory.
 *
 * @param bytes size of the pool, a positive multiple of 64
 * @param explanation the formula with its numbers
 */
public record MemoryBudget(long bytes, String explanation) {
  /** Part of the memory overhead the pool takes; the rest is the JVM's and Spark's. */
  public static final double OVERHEAD_SHARE = 0.6;

  /** Part of the machine's memory the pool takes when nothing else says how much there is. */
  public static final double MACHINE_SHARE = 0.25;

  /** Part of a control group's limit left for metaspace, code, stacks and network buffers. */
  public static final double MARGIN_SHARE = 0.1;

  /** Least margin in bytes. */
  public static final long MIN_MARGIN_BYTES = 256L << 20;

  /** Smallest pool that makes sense, in bytes. */
  public static final long MIN_BYTES = 32L << 20;

  private static final int ROUNDING = 64;
  private static final double MIB = 1 << 20;
  private static final Pattern MEM_TOTAL =
      Pattern.compile("^MemTotal:\\s+(\\d+) kB", Pattern.MULTILINE);

  /**
   * What is known about the process's memory.
   *
   * @param configuredBytes size given by the user
   * @param overheadBytes memory beside the heap that the cluster manager grants and enforces
   * @param maxHeapBytes largest size of the Java heap, and of Spark's off-heap memory if that is on
   * @param cgroupLimitBytes limit of the control group
   * @param machineBytes memory of the machine
   */
  public record Inputs(
      OptionalLong configuredBytes,
      OptionalLong overheadBytes,
      long maxHeapBytes,
      OptionalLong cgroupLimitBytes,
      OptionalLong machineBytes) {

    /**
     * Gathers what the operating system tells.
     *
     * @param configuredBytes size given by the user
     * @param overheadBytes memory beside the heap that the cluster manager grants and enforces
     * @param reservedBytes memory of this process that is not ours: heap and Spark's off-heap
     * @param root directory that stands for {@code /}, where {@code proc} and {@code sys} are found
     */
    public static Inputs read(
        OptionalLong configuredBytes, OptionalLong overheadBytes, long reservedBytes, Path root) {
      OptionalLong machine = OptionalLong.empty();
      Matcher total = MEM_TOTAL.matcher(CgroupMemory.read(root.resolve("proc/meminfo")));
      if (total.find()) {
        machine = OptionalLong.of(Long.parseLong(total.group(1)) << 10);
      }
      return new Inputs(
          configuredBytes, overheadBytes, reservedBytes, CgroupMemory.limitInBytes(root), machine);
    }
  }

  /**
   * Decides the size.
   *
   * @param inputs what is known
   * @return the size and how it came about
   * @throws EngineException CONFIGURATION when nothing is known, or what is left is less than
   *     {@link #MIN_BYTES}; the message has the formula
   */
  public static MemoryBudget compute(Inputs inputs) {
    if (inputs.configuredBytes().isPresent()) {
      long configured = inputs.configuredBytes().getAsLong();
      return checked(configured, "configured size " + mib(configured));
    }
    OptionalLong limit = inputs.cgroupLimitBytes();
    OptionalLong machine = inputs.machineBytes();
    if (limit.isPresent() && machine.isPresent() && limit.getAsLong() >= machine.getAsLong()) {
      // Version 1 writes "no limit" as a number larger than any machine.
      limit = OptionalLong.empty();
    }
    OptionalLong overhead = inputs.overheadBytes();
    if (overhead.isPresent() && limit.isPresent()) {
      MemoryBudget one = ofOverhead(overhead.getAsLong());
      MemoryBudget other = ofCgroup(limit.getAsLong(), inputs.maxHeapBytes());
      long smaller = Math.min(one.bytes, other.bytes);
      return checked(smaller, "min(" + one.explanation + ", " + other.explanation + ")");
    }
    if (overhead.isPresent()) {
      return checked(ofOverhead(overhead.getAsLong()));
    }
    if (limit.isPresent()) {
      return checked(ofCgroup(limit.getAsLong(), inputs.maxHeapBytes()));
    }
    if (machine.isPresent()) {
      long bytes = machine.getAsLong();
      return checked(share(MACHINE_SHARE, bytes, "machine memory"));
    }
    throw new EngineException(
        ErrorCode.CONFIGURATION,
        "the host pool's size is not configured and the machine's memory is unknown");
  }

  /** Returns one line for the log: the size and the formula it came from. */
  public String explain() {
    return "host memory budget " + mib(bytes) + " = " + explanation;
  }

  private static MemoryBudget ofOverhead(long overhead) {
    return share(OVERHEAD_SHARE, overhead, "memory overhead");
  }

  private static MemoryBudget share(double share, long of, String what) {
    long bytes = (long) (share * of);
    String formula =
        String.format(Locale.ROOT, "%.2f x %s %s = %s", share, what, mib(of), mib(bytes));
    return new MemoryBudget(bytes, formula);
  }

  private static MemoryBudget ofCgroup(long limit, long heap) {
    long margin = Math.max(MIN_MARGIN_BYTES, (long) (MARGIN_SHARE * limit));
    long bytes = limit - heap - margin;
    String formula =
        String.format(
            Locale.ROOT,
            "cgroup limit %s - heap %s - margin %s = %s",
            mib(limit),
            mib(heap),
            mib(margin),
            mib(bytes));
    return new MemoryBudget(bytes, formula);
  }

  private static MemoryBudget checked(MemoryBudget budget) {
    return checked(budget.bytes, budget.explanation);
  }

  private static MemoryBudget checked(long bytes, String explanation) {
    if (bytes < MIN_BYTES) {
      throw new EngineException(
          ErrorCode.CONFIGURATION,
          "the host pool would have "
              + mib(bytes)
              + ", less than "
              + mib(MIN_BYTES)
              + ": "
              + explanation);
    }
    return new MemoryBudget(bytes / ROUNDING * ROUNDING, explanation);
  }

  private static String mib(long bytes) {
    return String.format(Locale.ROOT, "%.1f MiB", bytes / MIB);
  }
}
