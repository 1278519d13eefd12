package io.ariadne.plugin.config;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.BackendChoice;
import io.ariadne.executor.RuntimeAdjustment;
import io.ariadne.spill.disk.DiskSpillOptions;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.spark.SparkConf;
import scala.Tuple2;

/**
 * What an application was started with, checked.
 *
 * @param required whether an executor on which Ariadne cannot start fails
 * @param backend which back end
 * @param memorySizeInBytes memory per executor, or empty for a computed one
 * @param gpu how a GPU is used
 * @param computeThreads threads per executor, or empty for the task slots
 * @param spill where data goes when memory runs short
 * @param traceDirectory where traces are written, or empty for nowhere
 * @param adjustment what changes the settings of the runtime
 */
public record StartupConfig(
    boolean required,
    BackendChoice backend,
    OptionalLong memorySizeInBytes,
    Gpu gpu,
    OptionalInt computeThreads,
    Spill spill,
    Optional<Path> traceDirectory,
    RuntimeAdjustment adjustment) {
  /**
   * Where data goes when memory runs short.
   *
   * @param directories empty for Spark's; an empty list when nothing leaves memory
   * @param compression when bytes on disk are compressed
   * @param direct whether they go around the page cache
   */
  public record Spill(
      Optional<List<Path>> directories, DiskSpillOptions.Compression compression, boolean direct) {}

  /**
   * How a GPU is used.
   *
   * @param allocFraction part of its free memory, or empty for a computed one
   * @param onFatalError what follows when it is lost
   */
  public record Gpu(OptionalDouble allocFraction, FatalGpuError onFatalError) {}

  private static final int MAX_SUGGESTION_DISTANCE = 5;

  /**
   * Reads and checks every setting of Ariadne, session settings included.
   *
   * @throws EngineException CONFIGURATION for an unknown key, with the closest known one, and for
   *     an invalid value, with the valid ones
   */
  public static StartupConfig of(SparkConf conf) {
    Map<String, String> settings = new TreeMap<>();
    for (Tuple2<String, String> entry : conf.getAll()) {
      if (entry._1().startsWith(ConfigKeys.PREFIX)) {
        settings.put(entry._1(), entry._2());
      }
    }
    return of(settings);
  }

  /** Does the same from key and value pairs that all begin with Ariadne's prefix. */
  static StartupConfig of(Map<String, String> settings) {
    settings.forEach(
        (name, value) -> ConfigKeys.find(name).orElseThrow(() -> unknown(name)).parse(value));
    return new StartupConfig(
        value(ConfigKeys.REQUIRED, settings),
        value(ConfigKeys.BACKEND, settings),
        value(ConfigKeys.MEMORY_SIZE, settings),
        new Gpu(
            value(ConfigKeys.GPU_ALLOC_FRACTION, settings),
            value(ConfigKeys.GPU_ON_FATAL_ERROR, settings)),
        value(ConfigKeys.COMPUTE_THREADS, settings),
        new Spill(
            value(ConfigKeys.SPILL_DIRECTORIES, settings),
            value(ConfigKeys.SPILL_COMPRESSION, settings),
            value(ConfigKeys.SPILL_DIRECT, settings)),
        value(ConfigKeys.TRACE_DIRECTORY, settings),
        value(ConfigKeys.RUNTIME_ADJUSTMENT, settings));
  }

  private static <T> T value(ConfigKey<T> key, Map<String, String> settings) {
    return key.parse(settings.getOrDefault(key.name(), key.defaultText()));
  }

  private static EngineException unknown(String name) {
    String closest =
        ConfigKeys.ALL.stream()
            .filter(key -> key.scope() != ConfigKey.Scope.TEST)
            .map(ConfigKey::name)
            .min(Comparator.comparingInt(known -> distance(known, name)))
            .filter(known -> distance(known, name) <= MAX_SUGGESTION_DISTANCE)
            .map(known -> "; did you mean " + known + "?")
            .orElse("; docs/configs.md lists all keys");
    return new EngineException(ErrorCode.CONFIGURATION, "unknown setting " + name + closest);
  }

  /** Levenshtein's distance: how many characters must be put in, taken out or changed. */
  static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
