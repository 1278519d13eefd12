package io.ariadne.benchmark.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Settings of one engine. All engines get the same cores and the same total memory.
 *
 * <p>Spark without a plugin gets all memory as heap. Engines with memory of their own get half as
 * heap and half off-heap.
 *
 * @param engine {@code spark}, {@code ariadne}, {@code ariadne-in-memory}, which sets Ariadne's
 *     shuffle manager on all Spark lines, {@code ariadne-files}, which sets Spark's, {@code
 *     ariadne-no-filters}, which has no runtime filters, {@code ariadne-block-transfer}, which sets
 *     Ariadne's with Spark's block transfer, those of {@link #STRATEGIES}, which set Ariadne's with
 *     a strategy of shuffles, {@code ariadne-cpu}, {@code ariadne-cuda} and {@code
 *     ariadne-simulated}, which fix the back end (the last is a device that the processor
 *     simulates; its times mean nothing), {@code ariadne-old}, Ariadne of another jar, those of
 *     {@link #WITHOUT}, which leave out a step of reading, {@code comet} or {@code duckdb}
 * @param cores worker threads
 * @param memoryMegabytes heap plus off-heap
 * @param poolMegabytes off-heap part of it for Ariadne; 0 for half of the total
 * @param executors processes that share cores and memory, beside a driver; 0 for Spark's local
 *     mode, in which the driver executes all tasks. DuckDB is one process always
 */
public record EngineSettings(
    String engine, int cores, int memoryMegabytes, int poolMegabytes, int executors) {
  /** Ariadne with its shuffle manager, which keeps map outputs in memory. */
  public static final String IN_MEMORY = "ariadne-in-memory";

  /** Ariadne with Spark's shuffle manager, which writes map outputs to files. */
  private static final String FILES = "ariadne-files";

  /** Ariadne with its shuffle manager, whose map outputs Spark's block transfer moves. */
  private static final String BLOCK_TRANSFER = "ariadne-block-transfer";

  /** Ariadne without runtime filters. */
  private static final String NO_FILTERS = "ariadne-no-filters";

  /** Ariadne of another jar, to compare with. */
  public static final String OLD = "ariadne-old";

  /** Strategies of shuffles, by the names of the engines that fix one. */
  private static final Map<String, String> STRATEGIES = strategies();

  /** Back ends, by the names of the engines that fix one. */
  private static final Map<String, String> BACKENDS =
      Map.of("ariadne-cpu", "cpu", "ariadne-cuda", "cuda", "ariadne-simulated", "simulated");

  /** The step that a setting of Spark leaves out; system properties leave out the others. */
  private static final String READ_AHEAD = "read-ahead";

  /** The steps of reading that engines leave out, by the names of the engines. */
  private static final Map<String, List<String>> WITHOUT = without();

  /** The engines that are Spark with Ariadne. */
  public static final List<String> ARIADNE = ariadne();

  private static final int PARTITIONS_PER_CORE = 4;

  /** Settings of an engine that is one process. */
  public EngineSettings(String engine, int cores, int memoryMegabytes, int poolMegabytes) {
    this(engine, cores, memoryMegabytes, poolMegabytes, 0);
  }

  /** Checks the name of the engine, and that executors get equal numbers of cores. */
  public EngineSettings {
    if (executors < 0 || (executors > 0 && cores % executors != 0)) {
      throw new IllegalArgumentException(
          "%d cores cannot be shared by %d executors equally".formatted(cores, executors));
    }
    if (!engine.equals("spark")
        && !isAriadne(engine)
        && !engine.equals("comet")
        && !engine.equals("duckdb")) {
      throw new IllegalArgumentException(
          "'"
              + engine
              + "' is not an engine; valid engines are spark, "
              + String.join(", ", ARIADNE)
              + ", comet, duckdb");
    }
  }

  /**
   * Names the steps as {@code ReadStep} does, and as {@code TestEngineSettings} checks: the command
   * and the processes of other engines have no class of Ariadne.
   */
  private static Map<String, List<String>> without() {
    List<String> steps = List.of("footer-cache", "coalescing", READ_AHEAD, "second-requests");
    Map<String, List<String>> without = new LinkedHashMap<>();
    steps.forEach(step -> without.put("ariadne-no-" + step, List.of(step)));
    without.put("ariadne-no-steps", steps);
    return without;
  }

  private static Map<String, String> strategies() {
    Map<String, String> strategies = new LinkedHashMap<>();
    List.of("simple", "merge", "push", "move")
        .forEach(name -> strategies.put("ariadne-" + name, name));
    return strategies;
  }

  private static List<String> ariadne() {
    List<String> names =
        new ArrayList<>(
            List.of(
                "ariadne",
                IN_MEMORY,
                FILES,
                NO_FILTERS,
                BLOCK_TRANSFER,
                "ariadne-cpu",
                "ariadne-cuda",
                "ariadne-simulated",
                OLD));
    names.addAll(STRATEGIES.keySet());
    names.addAll(WITHOUT.keySet());
    return List.copyOf(names);
  }

  int heapMegabytes() {
    return engine.equals("spark") ? memoryMegabytes : memoryMegabytes / 2;
  }

  int offHeapMegabytes() {
    return memoryMegabytes - heapMegabytes();
  }

  /** Returns whether tasks run in processes of their own. */
  boolean isCluster() {
    return isSpark() && executors > 0;
  }

  /** Returns the heap of the process that the benchmarks start. */
  int workerHeapMegabytes() {
    return isCluster() ? SparkCluster.DRIVER_MEGABYTES : heapMegabytes();
  }

  /** Returns this process's part, or that of each executor, of something that they share. */
  private int share(int megabytes) {
    return isCluster() ? megabytes / executors : megabytes;
  }

  public boolean isSpark() {
    return isSpark(engine);
  }

  /** Returns whether the engine of this name understands Spark's SQL dialect. */
  public static boolean isSpark(String engine) {
    return !engine.equals("duckdb");
  }

  /** Returns whether an engine of this name is Spark with Ariadne. */
  public static boolean isAriadne(String engine) {
    return ARIADNE.contains(engine);
  }

  /** Returns whether the engine is Ariadne with the classes that the benchmarks know. */
  boolean isInspected() {
    return isAriadne(engine) && !engine.equals(OLD);
  }

  /** Returns system properties of this engine's JVM, as options of a command line. */
  List<String> properties() {
    List<String> steps = new ArrayList<>(WITHOUT.getOrDefault(engine, List.of()));
    steps.remove(READ_AHEAD);
    return steps.isEmpty() ? List.of() : List.of("-Dariadne.io.without=" + String.join(",", steps));
  }

  /** Returns Spark's settings for this engine. */
  public Map<String, String> spark() {
    Map<String, String> settings = common(cores);
    if (isCluster()) {
      settings.putAll(
          SparkCluster.settings(
              executors, cores / executors, share(heapMegabytes()), properties()));
    }
    if (STRATEGIES.containsKey(engine)) {
      settings.put("spark.ariadne.shuffle.strategy", STRATEGIES.get(engine));
      // Strategies move rows of Ariadne's exchanges only: none may stay with Spark for its costs.
      settings.put("spark.ariadne.disable", "TransitionCost");
    }
    if (engine.equals(IN_MEMORY)
        || engine.equals(BLOCK_TRANSFER)
        || STRATEGIES.containsKey(engine)) {
      settings.put("spark.shuffle.manager", "io.ariadne.shuffle.AriadneShuffleManager");
    }
    if (engine.equals(FILES)) {
      settings.put("spark.shuffle.manager", "sort");
    }
    if (engine.equals(NO_FILTERS)) {
      settings.put("spark.ariadne.runtimeFilter.minSize", "off");
    }
    if (engine.equals(BLOCK_TRANSFER)) {
      settings.put("spark.ariadne.shuffle.transport", "spark");
    }
    if (BACKENDS.containsKey(engine)) {
      settings.put("spark.ariadne.backend", BACKENDS.get(engine));
    }
    if (WITHOUT.getOrDefault(engine, List.of()).contains(READ_AHEAD)) {
      settings.put("spark.ariadne.readAhead.size", "0");
    }
    if (isAriadne(engine)) {
      settings.put("spark.plugins", "io.ariadne.AriadnePlugin");
      int pool = poolMegabytes == 0 ? offHeapMegabytes() : poolMegabytes;
      settings.put("spark.ariadne.memory.size", share(pool) + "m");
    }
    if (engine.equals("comet")) {
      settings.put("spark.plugins", "org.apache.spark.CometPlugin");
      settings.put("spark.memory.offHeap.enabled", "true");
      settings.put("spark.memory.offHeap.size", share(offHeapMegabytes()) + "m");
      settings.put("spark.comet.enabled", "true");
      settings.put("spark.comet.exec.enabled", "true");
      settings.put("spark.comet.exec.shuffle.enabled", "true");
      settings.put(
          "spark.shuffle.manager",
          "org.apache.spark.sql.comet.execution.shuffle.CometShuffleManager");
    }
    return settings;
  }

  /** Returns the settings of every Spark that the benchmarks start, the generator included. */
  public static Map<String, String> common(int cores) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("spark.master", "local[" + cores + "]");
    settings.put("spark.ui.enabled", "false");
    settings.put("spark.driver.host", "127.0.0.1");
    settings.put("spark.driver.bindAddress", "127.0.0.1");
    settings.put("spark.sql.shuffle.partitions", String.valueOf(cores * PARTITIONS_PER_CORE));
    settings.put("spark.sql.session.timeZone", "UTC");
    return settings;
  }
}
