package io.ariadne.benchmark;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How each engine is set up so that all have the same cores and the same total memory.
 *
 * <p>Vanilla Spark gets everything as heap; engines with memory of their own get half as heap and
 * half outside.
 *
 * @param engine {@code spark}, {@code ariadne}, {@code ariadne-kept}, which is the same with
 *     Ariadne's shuffle manager, {@code ariadne-cpu}, {@code ariadne-cuda} and {@code
 *     ariadne-simulated}, which are the same on one back end (the last is a device that the
 *     processor plays, whose times mean nothing), {@code comet} or {@code duckdb}
 * @param cores worker threads
 * @param memoryMegabytes heap plus off-heap
 * @param poolMegabytes what Ariadne has of that outside the heap; 0 for half of it
 */
record EngineSettings(String engine, int cores, int memoryMegabytes, int poolMegabytes) {
  /** Ariadne with map outputs that stay in memory. */
  static final String KEPT = "ariadne-kept";

  /** Back ends by the names of engines that are Ariadne on one of them. */
  private static final Map<String, String> BACKENDS =
      Map.of("ariadne-cpu", "cpu", "ariadne-cuda", "cuda", "ariadne-simulated", "simulated");

  /** The engines that are Spark with Ariadne. */
  static final List<String> ARIADNE =
      List.of("ariadne", KEPT, "ariadne-cpu", "ariadne-cuda", "ariadne-simulated");

  private static final int PARTITIONS_PER_CORE = 4;

  EngineSettings {
    if (!engine.equals("spark")
        && !isAriadne(engine)
        && !engine.equals("comet")
        && !engine.equals("duckdb")) {
      throw new IllegalArgumentException(
          "'"
              + engine
              + "' is no engine: valid are spark, "
              + String.join(", ", ARIADNE)
              + ", comet, duckdb");
    }
  }

  int heapMegabytes() {
    return engine.equals("spark") ? memoryMegabytes : memoryMegabytes / 2;
  }

  int offHeapMegabytes() {
    return memoryMegabytes - heapMegabytes();
  }

  boolean isSpark() {
    return isSpark(engine);
  }

  /** Returns whether an engine of this name speaks Spark's SQL. */
  static boolean isSpark(String engine) {
    return !engine.equals("duckdb");
  }

  /** Returns whether an engine of this name is Spark with Ariadne. */
  static boolean isAriadne(String engine) {
    return ARIADNE.contains(engine);
  }

  /** Returns Spark's settings for this engine. */
  Map<String, String> spark() {
    Map<String, String> settings = common(cores);
    if (engine.equals(KEPT)) {
      settings.put("spark.shuffle.manager", "io.ariadne.shuffle.AriadneShuffleManager");
    }
    if (BACKENDS.containsKey(engine)) {
      settings.put("spark.ariadne.backend", BACKENDS.get(engine));
    }
    if (isAriadne(engine)) {
      settings.put("spark.plugins", "io.ariadne.AriadnePlugin");
      int pool = poolMegabytes == 0 ? offHeapMegabytes() : poolMegabytes;
      settings.put("spark.ariadne.memory.size", pool + "m");
    }
    if (engine.equals("comet")) {
      settings.put("spark.plugins", "org.apache.spark.CometPlugin");
      settings.put("spark.memory.offHeap.enabled", "true");
      settings.put("spark.memory.offHeap.size", offHeapMegabytes() + "m");
      settings.put("spark.comet.enabled", "true");
      settings.put("spark.comet.exec.enabled", "true");
      settings.put("spark.comet.exec.shuffle.enabled", "true");
      settings.put(
          "spark.shuffle.manager",
          "org.apache.spark.sql.comet.execution.shuffle.CometShuffleManager");
    }
    return settings;
  }

  /** Returns the settings every Spark of the benchmark has, also the generator. */
  static Map<String, String> common(int cores) {
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
