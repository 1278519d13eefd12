package io.ariadne.plugin.config;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.OptionalLong;

/**
 * The off-heap memory of a process, and the formula that computed it.
 *
 * @param sizeInBytes the budget
 * @param formula the computation, for the start-up line
 */
public record MemoryBudget(long sizeInBytes, String formula) {
  /** Share of Spark's memory overhead. The rest is for threads, code and network buffers. */
  private static final double OVERHEAD_SHARE = 0.7;

  /**
   * Share of the machine's memory when the process has no limit; other processes may need the rest.
   */
  private static final double MACHINE_SHARE = 0.25;

  /** Share of the container's limit that the JVM needs in addition to its heap. */
  private static final double CONTAINER_MARGIN = 0.1;

  /**
   * The values from which a budget is computed, in bytes.
   *
   * @param configured the configured budget
   * @param overhead Spark's memory overhead for executors, when the user set one
   * @param containerLimit limit of the process's control group
   * @param heap largest Java heap
   * @param offHeap Spark's own off-heap memory
   * @param machine the machine's memory
   */
  public record Surroundings(
      OptionalLong configured,
      OptionalLong overhead,
      OptionalLong containerLimit,
      long heap,
      long offHeap,
      long machine) {}

  /**
   * Computes the budget: the configured value; else the smaller of a share of the overhead and the
   * remainder of the container's limit, as far as they are known; else a share of the machine's
   * memory.
   *
   * @throws EngineException CONFIGURATION when too little is left
   */
  public static MemoryBudget of(Surroundings known) {
    MemoryBudget budget = compute(known);
    if (budget.sizeInBytes < ConfigKeys.minimumMemoryInBytes()) {
      throw new EngineException(
          ErrorCode.CONFIGURATION,
          "only "
              + mib(Math.max(0, budget.sizeInBytes))
              + " are left for Ariadne ("
              + budget.formula
              + "); set "
              + ConfigKeys.MEMORY_SIZE.name()
              + " or give executors more memory overhead");
    }
    return budget;
  }

  private static MemoryBudget compute(Surroundings known) {
    if (known.configured.isPresent()) {
      return new MemoryBudget(known.configured.getAsLong(), ConfigKeys.MEMORY_SIZE.name());
    }
    MemoryBudget overhead = null;
    if (known.overhead.isPresent()) {
      long bytes = (long) (known.overhead.getAsLong() * OVERHEAD_SHARE);
      String formula = "70 % of the memory overhead of " + mib(known.overhead.getAsLong());
      overhead = new MemoryBudget(bytes, formula);
    }
    MemoryBudget container = null;
    if (known.containerLimit.isPresent()) {
      container = container(known, known.containerLimit.getAsLong());
    }
    if (overhead != null && (container == null || overhead.sizeInBytes <= container.sizeInBytes)) {
      return overhead;
    }
    if (container != null) {
      return container;
    }
    return new MemoryBudget(
        (long) (known.machine * MACHINE_SHARE), "25 % of the machine's " + mib(known.machine));
  }

  private static MemoryBudget container(Surroundings known, long limit) {
    long margin = (long) (limit * CONTAINER_MARGIN);
    String formula =
        "container limit "
            + mib(limit)
            + " - heap "
            + mib(known.heap)
            + " - Spark's off-heap "
            + mib(known.offHeap)
            + " - margin "
            + mib(margin);
    return new MemoryBudget(limit - known.heap - known.offHeap - margin, formula);
  }

  private static String mib(long bytes) {
    return (bytes >> 20) + " MiB";
  }
}
