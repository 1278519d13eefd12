package io.ariadne.plugin.config;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.BackendChoice;
import io.ariadne.executor.RuntimeAdjustment;
import io.ariadne.io.local.DirectReads;
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
 * Ariadne's settings of an application, read and checked when it starts.
 *
 * @param required whether an executor fails when Ariadne cannot start on it
 * @param backend the back end
 * @param memorySizeInBytes memory per executor, or empty for a computed one
 * @param readAheadBytes most bytes of it for bytes that scans read ahead, empty for a computed size
 * @param gpu how to use a GPU
 * @param computeThreads compute threads per executor, or empty for the number of task slots
 * @param spill where and how batches spill to disk
 * @param cache which bytes of remote files are kept on local disks
 * @param directReads which local files are read around the page cache
 * @param shuffle how map outputs in memory move between executors
 * @param traceDirectory folder for traces, or empty for no traces
 * @param adjustment changes the configuration of the runtime, for tests
 */
public record StartupConfig(
    boolean required,
    BackendChoice backend,
    OptionalLong memorySizeInBytes,
    OptionalLong readAheadBytes,
    Gpu gpu,
    OptionalInt computeThreads,
    Spill spill,
    Cache cache,
    DirectReads directReads,
    Shuffle shuffle,
    Optional<Path> traceDirectory,
    RuntimeAdjustment adjustment) {
  /**
   * Where and how batches spill to disk.
   *
   * @param directories empty for Spark's local directories; an empty list to spill nothing to disk
   * @param compression when spilled bytes are compressed
   * @param direct whether reads and writes bypass the page cache
   */
  public record Spill(
      Optional<List<Path>> directories, DiskSpillOptions.Compression compression, boolean direct) {}

  /**
   * Which bytes of remote files are kept on local disks.
   *
   * @param sizeInBytes most bytes on a host, 0 for none
   * @param directories empty for folders beside Spark's local directories
   */
  public record Cache(long sizeInBytes, Optional<List<Path>> directories) {}

  /**
   * How map outputs in memory move between executors.
   *
   * @param transport what moves them
   * @param compression which blocks are compressed
   * @param strategy what is copied before reduce tasks ask for it
   * @param port the first port to listen on, 0 for any free one
   */
  public record Shuffle(
      ShuffleTransportKind transport,
      ShuffleCompression compression,
      ShuffleStrategyChoice strategy,
      int port) {}

  /**
   * How to use a GPU.
   *
   * @param allocFraction fraction of its free memory, or empty for a computed fraction
   * @param onFatalError what the executor does when the GPU is lost
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

  /** Reads and checks keys and values; all keys start with Ariadne's prefix. */
  static StartupConfig of(Map<String, String> settings) {
    settings.forEach(
        (name, value) -> ConfigKeys.find(name).orElseThrow(() -> unknown(name)).parse(value));
    return new StartupConfig(
        value(ConfigKeys.REQUIRED, settings),
        value(ConfigKeys.BACKEND, settings),
        value(ConfigKeys.MEMORY_SIZE, settings),
        value(ConfigKeys.READ_AHEAD_SIZE, settings),
        new Gpu(
            value(ConfigKeys.GPU_ALLOC_FRACTION, settings),
            value(ConfigKeys.GPU_ON_FATAL_ERROR, settings)),
        value(ConfigKeys.COMPUTE_THREADS, settings),
        new Spill(
            value(ConfigKeys.SPILL_DIRECTORIES, settings),
            value(ConfigKeys.SPILL_COMPRESSION, settings),
            value(ConfigKeys.SPILL_DIRECT, settings)),
        new Cache(
            value(ConfigKeys.CACHE_SIZE, settings), value(ConfigKeys.CACHE_DIRECTORIES, settings)),
        value(ConfigKeys.IO_DIRECT, settings),
        new Shuffle(
            value(ConfigKeys.SHUFFLE_TRANSPORT, settings),
            value(ConfigKeys.SHUFFLE_COMPRESSION, settings),
            value(ConfigKeys.SHUFFLE_STRATEGY, settings),
            value(ConfigKeys.SHUFFLE_PORT, settings)),
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

  /**
   * Returns the Levenshtein distance: the least number of insertions, deletions and replacements of
   * characters.
   */
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
