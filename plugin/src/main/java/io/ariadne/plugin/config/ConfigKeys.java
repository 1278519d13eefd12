package io.ariadne.plugin.config;

import io.ariadne.executor.BackendChoice;
import io.ariadne.executor.RuntimeAdjustment;
import io.ariadne.io.local.DirectReads;
import io.ariadne.plugin.config.ConfigKey.Scope;
import io.ariadne.rules.ExplainMode;
import io.ariadne.rules.RulesConfig;
import io.ariadne.spill.disk.DiskSpillOptions;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.spark.network.util.ByteUnit;
import org.apache.spark.network.util.JavaUtils;

/** The declarations of all settings of Ariadne. */
public final class ConfigKeys {
  /** The prefix of every key. */
  public static final String PREFIX = "spark.ariadne.";

  /** The value of {@link #SPILL_DIRECTORIES} with which nothing spills to disk. */
  static final String NO_DIRECTORIES = "none";

  private static final String AUTO = "auto";
  private static final String OFF = "off";

  /** Whether queries of the session are planned for Ariadne. */
  public static final ConfigKey<Boolean> ENABLED =
      flag(
          "enabled",
          Scope.SESSION,
          true,
          "Plan the session's queries for Ariadne. A session may change it at any time.");

  /** Which plans are logged. */
  public static final ConfigKey<ExplainMode> EXPLAIN =
      choice(
          "explain",
          Scope.SESSION,
          ExplainMode.NONE,
          ExplainMode.class,
          "Log the annotated plan of a query: never (none), when a part of it stays with Spark or"
              + " uses the expression bridge (fallback), or always (all).");

  /** Operators, expressions and aggregates that stay with Spark. */
  public static final ConfigKey<Set<String>> DISABLE =
      new ConfigKey<>(
          PREFIX + "disable",
          Scope.SESSION,
          "",
          "names of docs/supported-ops.md, separated by commas",
          "Operators, expressions and aggregates that stay with Spark. ExpressionBridge disables"
              + " the whole expression bridge. TransitionCost disables the cost rule, so that"
              + " every supported operator is converted.",
          SupportedNames::parse);

  /** The least estimated size of a join's input that gets a runtime filter; empty for none. */
  public static final ConfigKey<OptionalLong> RUNTIME_FILTER_MIN_SIZE =
      new ConfigKey<>(
          PREFIX + "runtimeFilter.minSize",
          Scope.SESSION,
          (RulesConfig.RUNTIME_FILTER_BYTES >> 20) + "m",
          "off, or a size such as 64m",
          "Drop rows of a join's larger input that have no key of the smaller input, before an"
              + " exchange moves them, if Spark estimates the larger input to have at least this"
              + " size. The tasks of the smaller input collect its keys, and Spark's driver makes a"
              + " filter of at most 12 MiB of them; tasks that run before it is complete move all"
              + " rows. Only with adaptive execution.",
          ConfigKeys::parseFilterSize);

  /** Whether an executor fails when Ariadne cannot start on it. */
  public static final ConfigKey<Boolean> REQUIRED =
      flag(
          "required",
          Scope.APPLICATION,
          true,
          "When true, an executor on which Ariadne cannot start fails, and logs the reason in one"
              + " line. When false, it continues without Ariadne; queries are planned for Spark"
              + " until all known executors have reported that they are ready.");

  /** The back end. */
  public static final ConfigKey<BackendChoice> BACKEND =
      choice(
          "backend",
          Scope.APPLICATION,
          BackendChoice.AUTO,
          BackendChoice.class,
          "Where kernels run: auto uses the CPU and logs whether a GPU is available, cuda uses the"
              + " GPU, simulated uses a device that the CPU simulates, for tests.");

  /** Off-heap memory per process; empty for a computed size. */
  public static final ConfigKey<OptionalLong> MEMORY_SIZE =
      new ConfigKey<>(
          PREFIX + "memory.size",
          Scope.APPLICATION,
          AUTO,
          "auto, or a size such as 4g, at least 64m",
          "Off-heap memory of Ariadne in each executor, in addition to Spark's own. With auto it is"
              + " computed from the memory overhead, the container's limit or the machine's memory;"
              + " the start-up line has the formula.",
          ConfigKeys::parseSize);

  /** Memory for bytes that scans read ahead; empty for a computed size. */
  public static final ConfigKey<OptionalLong> READ_AHEAD_SIZE =
      new ConfigKey<>(
          PREFIX + "readAhead.size",
          Scope.APPLICATION,
          AUTO,
          "auto, 0, or a size such as 512m",
          "Most bytes of spark.ariadne.memory.size for bytes of files that scans read before they"
              + " need them, still compressed. Only memory that is free is used for that. With"
              + " auto it is an eighth of the memory, at most 1g. With 0, nothing is read ahead.",
          ConfigKeys::parseReadAhead);

  /** Fraction of the GPU's free memory; empty for a computed fraction. */
  public static final ConfigKey<OptionalDouble> GPU_ALLOC_FRACTION =
      new ConfigKey<>(
          PREFIX + "memory.gpu.allocFraction",
          Scope.APPLICATION,
          AUTO,
          "auto, or a number above 0 and at most 1",
          "Fraction of the GPU memory that is free when an executor starts, as the executor's"
              + " limit. With 0.5, two executors that start one after the other get 0.5 and 0.25."
              + " With auto, an executor that has the GPU to itself (local mode, or"
              + " spark.executor.resource.gpu.amount is set) gets 0.9. Otherwise it gets an equal"
              + " share of the GPU's total memory, at most 0.9 of the free memory. The number of"
              + " shares is the number of executors that fit on the machine: its visible processors"
              + " divided by spark.executor.cores or Spark's default (one core on YARN and"
              + " Kubernetes, all cores of a standalone worker). Pods that share a GPU need a"
              + " number here, because a pod cannot count the others.",
          ConfigKeys::parseFraction);

  /** What an executor does when its GPU is lost. */
  public static final ConfigKey<FatalGpuError> GPU_ON_FATAL_ERROR =
      choice(
          "gpu.onFatalError",
          Scope.APPLICATION,
          FatalGpuError.FALLBACK,
          FatalGpuError.class,
          "What an executor does when its GPU is lost, which means that it can run nothing more for"
              + " the process, for example after an illegal address, a launch timeout or an"
              + " uncorrectable memory error. Tasks that run on the GPU fail, and Spark retries"
              + " them. With fallback, the executor runs all further tasks on the CPU kernels. With"
              + " exit, it exits with status 20, and Spark starts another executor in its place;"
              + " local mode always falls back. If several executors lose their GPUs at once, a"
              + " task may fail once on each; spark.task.maxFailures must allow that. An exit"
              + " counts as a failure of the running tasks, and counts towards the limits for"
              + " failures of executors (spark.executor.maxNumFailures on YARN and Kubernetes,"
              + " spark.deploy.maxExecutorRetries in a standalone cluster).");

  /** Compute threads per process; empty for the number of task slots. */
  public static final ConfigKey<OptionalInt> COMPUTE_THREADS =
      new ConfigKey<>(
          PREFIX + "compute.threads",
          Scope.APPLICATION,
          AUTO,
          "auto, or a number of at least 1",
          "Compute threads of each executor. With auto, the number of its task slots.",
          ConfigKeys::parseThreads);

  /**
   * Directories of spilled batches; empty for Spark's local directories, an empty list for no
   * spilling to disk.
   */
  public static final ConfigKey<Optional<List<Path>>> SPILL_DIRECTORIES =
      new ConfigKey<>(
          PREFIX + "memory.spill.directories",
          Scope.APPLICATION,
          AUTO,
          "auto, none, or absolute paths separated by commas",
          "Local directories for spilled data, ideally on all disks. With auto, Spark's own local"
              + " directories; with none, nothing spills to disk. Bytes on disk are encrypted when"
              + " spark.io.encryption.enabled is true.",
          ConfigKeys::parseDirectories);

  /** When spilled bytes are compressed. */
  public static final ConfigKey<DiskSpillOptions.Compression> SPILL_COMPRESSION =
      choice(
          "memory.spill.compression",
          Scope.APPLICATION,
          DiskSpillOptions.Compression.AUTO,
          DiskSpillOptions.Compression.class,
          "Whether spilled data is compressed (LZ4). With auto, when compression has recently been"
              + " faster than writing uncompressed bytes.");

  /** Whether spilling bypasses the page cache. */
  public static final ConfigKey<Boolean> SPILL_DIRECT =
      flag(
          "memory.spill.direct",
          Scope.APPLICATION,
          false,
          "Write spilled data with direct I/O, which bypasses the page cache, where the file system"
              + " supports it. For machines without free memory for the page cache.");

  /** Bytes of remote files on local disks; 0 for none. */
  public static final ConfigKey<Long> CACHE_SIZE =
      new ConfigKey<>(
          PREFIX + "cache.size",
          Scope.APPLICATION,
          "0",
          "0, or a size such as 200g, at least 64m",
          "Most bytes of remote files (S3, HDFS and others) kept on the local disks of a host, so"
              + " that later queries read them from there. Executors that share the directories"
              + " share these bytes. With 0, nothing is kept. Bytes on disk are encrypted when"
              + " spark.io.encryption.enabled is true.",
          ConfigKeys::parseCacheSize);

  /** Directories of cached ranges; empty for Spark's local directories. */
  public static final ConfigKey<Optional<List<Path>>> CACHE_DIRECTORIES =
      new ConfigKey<>(
          PREFIX + "cache.directories",
          Scope.APPLICATION,
          AUTO,
          "auto, or absolute paths separated by commas",
          "Local directories for spark.ariadne.cache.size, one on each disk. With auto, folders"
              + " beside Spark's local directories, deleted when the application ends; executors"
              + " with local directories of their own (standalone, Kubernetes) share nothing then."
              + " Directories named here outlive the application: later applications of the same"
              + " user read their bytes, unless these are encrypted, because each application has"
              + " a key of its own.",
          ConfigKeys::parseCacheDirectories);

  /** Whether reads of local files bypass the page cache. */
  public static final ConfigKey<DirectReads> IO_DIRECT =
      choice(
          "io.direct",
          Scope.APPLICATION,
          DirectReads.AUTO,
          DirectReads.class,
          "Read local files with direct I/O, which bypasses the page cache, where the file system"
              + " supports it: all files (on), none (off), or those that are larger than a quarter"
              + " of the memory of the machine or container and thus would not stay in the page"
              + " cache (auto).");

  /** What moves blocks of map outputs in memory between executors. */
  public static final ConfigKey<ShuffleTransportKind> SHUFFLE_TRANSPORT =
      choice(
          "shuffle.transport",
          Scope.APPLICATION,
          ShuffleTransportKind.TCP,
          ShuffleTransportKind.class,
          "What moves map outputs in memory between executors: Ariadne's transport over TCP, with"
              + " Spark's authentication and encryption of connections (tcp), over UCX, which the"
              + " machine has to have, and over TCP to peers that UCX does not reach (ucx,"
              + " experimental), over UCX on machines with an active port for RDMA and over TCP on"
              + " others (auto), or Spark's block transfer (spark). Without Ariadne's shuffle"
              + " manager, and where map outputs are in files, it is always Spark's.");

  /** Which blocks Ariadne's transport compresses. */
  public static final ConfigKey<ShuffleCompression> SHUFFLE_COMPRESSION =
      choice(
          "shuffle.compression",
          Scope.APPLICATION,
          ShuffleCompression.AUTO,
          ShuffleCompression.class,
          "Which map outputs Ariadne's transport compresses: those that arrive earlier for it, by"
              + " the measured rates of the connection and of the codecs (auto), none, or all"
              + " (lz4, zstd).");

  /** How rows of shuffles move. */
  public static final ConfigKey<ShuffleStrategyChoice> SHUFFLE_STRATEGY =
      choice(
          "shuffle.strategy",
          Scope.APPLICATION,
          ShuffleStrategyChoice.AUTO,
          ShuffleStrategyChoice.class,
          "How the rows of a shuffle get from map tasks to reduce tasks: read where map tasks have"
              + " left them (simple), merged by partition on each executor, so that disks are read"
              + " in large pieces (merge), copied to the executors of the reduce tasks while map"
              + " tasks run (push), or moved there, so that a lost executor costs all map tasks"
              + " (move, experimental). auto is simple: no other strategy was faster in all"
              + " measurements.");

  /** The first port that executors serve map outputs on. */
  public static final ConfigKey<Integer> SHUFFLE_PORT =
      new ConfigKey<>(
          PREFIX + "shuffle.port",
          Scope.APPLICATION,
          "0",
          "0, or a port from 1024 to 65535",
          "Port on which an executor serves map outputs to other executors. When it is taken,"
              + " the following ports are tried, as often as spark.port.maxRetries says. 0 is any"
              + " free port.",
          ConfigKeys::parsePort);

  /** Folder of traces; empty for no traces. */
  public static final ConfigKey<Optional<Path>> TRACE_DIRECTORY =
      new ConfigKey<>(
          PREFIX + "trace.directory",
          Scope.APPLICATION,
          "none",
          "none, or an absolute path",
          "Local directory of traces. An executor that stops writes ariadne-PID.json, the latest"
              + " work and waits of its threads, for trace viewers such as Perfetto.",
          ConfigKeys::parseDirectory);

  /** Whether errors of planning fail queries. */
  public static final ConfigKey<Boolean> RETHROW_PLANNING_ERRORS =
      flag(
          "test.rethrowPlanningErrors",
          Scope.TEST,
          false,
          "Let a failure of Ariadne's planning fail the query, instead of falling back to Spark.");

  /** Changes the configuration of the runtime, for tests. */
  public static final ConfigKey<RuntimeAdjustment> RUNTIME_ADJUSTMENT =
      new ConfigKey<>(
          PREFIX + "test.runtimeAdjustment",
          Scope.TEST,
          "none",
          "none, or the name of a class that implements RuntimeAdjustment",
          "Class that changes the configuration of each process's runtime, for example to inject"
              + " failures of allocations and files. Read when the application starts.",
          ConfigKeys::parseAdjustment);

  /** All settings, in the order of the documentation. */
  public static final List<ConfigKey<?>> ALL =
      List.of(
          ENABLED,
          REQUIRED,
          BACKEND,
          MEMORY_SIZE,
          READ_AHEAD_SIZE,
          GPU_ALLOC_FRACTION,
          GPU_ON_FATAL_ERROR,
          SPILL_DIRECTORIES,
          SPILL_COMPRESSION,
          SPILL_DIRECT,
          CACHE_SIZE,
          CACHE_DIRECTORIES,
          IO_DIRECT,
          SHUFFLE_TRANSPORT,
          SHUFFLE_COMPRESSION,
          SHUFFLE_STRATEGY,
          SHUFFLE_PORT,
          COMPUTE_THREADS,
          DISABLE,
          RUNTIME_FILTER_MIN_SIZE,
          EXPLAIN,
          TRACE_DIRECTORY,
          RETHROW_PLANNING_ERRORS,
          RUNTIME_ADJUSTMENT);

  private static final long MIN_MEMORY = 64L << 20;
  private static final int MIN_PORT = 1024;
  private static final int MAX_PORT = 65_535;

  private ConfigKeys() {}

  /** Returns the declaration of a key. */
  public static Optional<ConfigKey<?>> find(String name) {
    return ALL.stream()
        .filter(key -> key.name().equals(name))
        .<ConfigKey<?>>map(key -> key)
        .findFirst();
  }

  /** Returns the least memory of a process, in bytes. */
  public static long minimumMemoryInBytes() {
    return MIN_MEMORY;
  }

  private static ConfigKey<Boolean> flag(
      String name, Scope scope, boolean defaultValue, String doc) {
    return new ConfigKey<>(
        PREFIX + name, scope, Boolean.toString(defaultValue), "true, false", doc, ConfigKeys::flag);
  }

  private static boolean flag(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static <E extends Enum<E>> ConfigKey<E> choice(
      String name, Scope scope, E defaultValue, Class<E> type, String doc) {
    String valid =
        Arrays.stream(type.getEnumConstants())
            .map(constant -> constant.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    return new ConfigKey<>(
        PREFIX + name,
        scope,
        defaultValue.name().toLowerCase(Locale.ROOT),
        valid,
        doc,
        text -> Enum.valueOf(type, text.toUpperCase(Locale.ROOT)));
  }

  private static OptionalLong parseSize(String text) {
    if (text.equals(AUTO)) {
      return OptionalLong.empty();
    }
    long bytes = JavaUtils.byteStringAs(text, ByteUnit.BYTE);
    if (bytes < MIN_MEMORY) {
      throw new IllegalArgumentException(text);
    }
    return OptionalLong.of(bytes);
  }

  private static OptionalLong parseFilterSize(String text) {
    if (text.equals(OFF)) {
      return OptionalLong.empty();
    }
    long bytes = JavaUtils.byteStringAs(text, ByteUnit.BYTE);
    if (bytes < 0) {
      throw new IllegalArgumentException(text);
    }
    return OptionalLong.of(bytes);
  }

  private static OptionalLong parseReadAhead(String text) {
    if (text.equals(AUTO)) {
      return OptionalLong.empty();
    }
    long bytes = JavaUtils.byteStringAs(text, ByteUnit.BYTE);
    if (bytes < 0) {
      throw new IllegalArgumentException(text);
    }
    return OptionalLong.of(bytes);
  }

  private static Optional<List<Path>> parseDirectories(String text) {
    if (text.equals(AUTO)) {
      return Optional.empty();
    }
    if (text.equals(NO_DIRECTORIES)) {
      return Optional.of(List.of());
    }
    List<Path> paths = Arrays.stream(text.split(",")).map(part -> Path.of(part.trim())).toList();
    if (!paths.stream().allMatch(Path::isAbsolute)) {
      throw new IllegalArgumentException(text);
    }
    return Optional.of(paths);
  }

  private static long parseCacheSize(String text) {
    long bytes = JavaUtils.byteStringAs(text, ByteUnit.BYTE);
    if (bytes != 0 && bytes < MIN_MEMORY) {
      throw new IllegalArgumentException(text);
    }
    return bytes;
  }

  private static Optional<List<Path>> parseCacheDirectories(String text) {
    if (text.equals(NO_DIRECTORIES)) {
      throw new IllegalArgumentException(text);
    }
    return parseDirectories(text);
  }

  private static Optional<Path> parseDirectory(String text) {
    if (text.equals("none")) {
      return Optional.empty();
    }
    Path path = Path.of(text);
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException(text);
    }
    return Optional.of(path);
  }

  private static RuntimeAdjustment parseAdjustment(String text) {
    if (text.equals("none")) {
      return RuntimeAdjustment.NONE;
    }
    try {
      return Class.forName(text, true, Thread.currentThread().getContextClassLoader())
          .asSubclass(RuntimeAdjustment.class)
          .getConstructor()
          .newInstance();
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  private static OptionalDouble parseFraction(String text) {
    if (text.equals(AUTO)) {
      return OptionalDouble.empty();
    }
    double fraction = Double.parseDouble(text);
    if (!(fraction > 0 && fraction <= 1)) {
      throw new IllegalArgumentException(text);
    }
    return OptionalDouble.of(fraction);
  }

  private static int parsePort(String text) {
    int port = Integer.parseInt(text);
    if (port != 0 && (port < MIN_PORT || port > MAX_PORT)) {
      throw new IllegalArgumentException("no such port");
    }
    return port;
  }

  private static OptionalInt parseThreads(String text) {
    if (text.equals(AUTO)) {
      return OptionalInt.empty();
    }
    int threads = Integer.parseInt(text);
    if (threads < 1) {
      throw new IllegalArgumentException(text);
    }
    return OptionalInt.of(threads);
  }

  /** Parses lists of names of operators and expressions. */
  private static final class SupportedNames {
    private SupportedNames() {}

    static Set<String> parse(String text) {
      Set<String> names = new TreeSet<>();
      for (String part : text.split(",")) {
        String name = part.trim();
        if (!name.isEmpty()) {
          names.add(name);
        }
      }
      Set<String> unknown = new TreeSet<>(names);
      unknown.removeAll(io.ariadne.rules.SupportedOperations.names());
      if (!unknown.isEmpty()) {
        throw new IllegalArgumentException("unknown names " + unknown);
      }
      return Set.copyOf(names);
    }
  }
}
