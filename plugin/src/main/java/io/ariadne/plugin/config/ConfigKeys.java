package io.ariadne.plugin.config;

import io.ariadne.executor.BackendChoice;
import io.ariadne.executor.RuntimeAdjustment;
import io.ariadne.plugin.config.ConfigKey.Scope;
import io.ariadne.rules.ExplainMode;
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

/** All settings. */
public final class ConfigKeys {
  /** What every key begins with. */
  public static final String PREFIX = "spark.ariadne.";

  /** The value of {@link #SPILL_DIRECTORIES} with which nothing leaves memory. */
  static final String NO_DIRECTORIES = "none";

  private static final String AUTO = "auto";

  /** Whether queries of the session are planned for Ariadne. */
  public static final ConfigKey<Boolean> ENABLED =
      flag(
          "enabled",
          Scope.SESSION,
          true,
          "Plan the session's queries for Ariadne. May be changed at any time.");

  /** What is logged about plans. */
  public static final ConfigKey<ExplainMode> EXPLAIN =
      choice(
          "explain",
          Scope.SESSION,
          ExplainMode.NONE,
          ExplainMode.class,
          "Log the annotated plan of each query: never, when some of it stays with Spark or goes"
              + " through the expression bridge, or always.");

  /** What stays with Spark. */
  public static final ConfigKey<Set<String>> DISABLE =
      new ConfigKey<>(
          PREFIX + "disable",
          Scope.SESSION,
          "",
          "names of docs/supported-ops.md, separated by commas",
          "Operators, expressions and aggregates that stay with Spark; ExpressionBridge is the"
              + " expression bridge as a whole, TransitionCost the cost rule, without which all"
              + " that can be converted is.",
          SupportedNames::parse);

  /** Whether a process that cannot run Ariadne fails. */
  public static final ConfigKey<Boolean> REQUIRED =
      flag(
          "required",
          Scope.APPLICATION,
          true,
          "When true, an executor on which Ariadne cannot start fails with one line that says why."
              + " When false, it carries on without, and queries are planned for Spark until every"
              + " executor known has reported that it is ready.");

  /** Which back end. */
  public static final ConfigKey<BackendChoice> BACKEND =
      choice(
          "backend",
          Scope.APPLICATION,
          BackendChoice.AUTO,
          BackendChoice.class,
          "Where kernels run: auto takes the processor and says whether a GPU could be used,"
              + " cuda takes the GPU, simulated a device that the processor plays, for tests.");

  /** Memory per process. */
  public static final ConfigKey<OptionalLong> MEMORY_SIZE =
      new ConfigKey<>(
          PREFIX + "memory.size",
          Scope.APPLICATION,
          AUTO,
          "auto, or a size such as 4g, at least 64m",
          "Memory outside the Java heap that Ariadne may take in each executor, beside Spark's own."
              + " With auto it follows from the memory overhead, the container's limit or the"
              + " machine's memory; the start-up line says how.",
          ConfigKeys::parseSize);

  /** Part of the GPU's free memory; empty for a computed one. */
  public static final ConfigKey<OptionalDouble> GPU_ALLOC_FRACTION =
      new ConfigKey<>(
          PREFIX + "memory.gpu.allocFraction",
          Scope.APPLICATION,
          AUTO,
          "auto, or a number above 0 and at most 1",
          "Which part an executor may take of the GPU memory that is free when it starts: with 0.5"
              + " two executors that start one after the other get 0.5 and 0.25. With auto 0.9 for"
              + " an executor that has the GPU to itself, as with"
              + " spark.executor.resource.gpu.amount or in local mode. Else an even part of the"
              + " GPU's whole memory, and at most 0.9 of what is free: as many executors are"
              + " expected as fit the processors that this one sees, by spark.executor.cores or"
              + " Spark's default for it (one core on YARN and Kubernetes, all cores of a"
              + " standalone worker). Pods that share a GPU need a number here: none of them sees"
              + " how many there are.",
          ConfigKeys::parseFraction);

  /** What an executor does whose GPU is lost. */
  public static final ConfigKey<FatalGpuError> GPU_ON_FATAL_ERROR =
      choice(
          "gpu.onFatalError",
          Scope.APPLICATION,
          FatalGpuError.FALLBACK,
          FatalGpuError.class,
          "What an executor does when its GPU is lost: after an error that leaves the GPU unable to"
              + " run anything for this process, such as an illegal address, a launch that timed"
              + " out or an uncorrectable memory error. Tasks that run on the GPU fail, and Spark"
              + " tries them again. With fallback the executor runs all further tasks on the CPU"
              + " kernels; with exit it ends with status 20, so that Spark starts another in its"
              + " place. In local mode it falls back with either. Where several executors lose"
              + " their GPUs at once, a task may fail once on each: spark.task.maxFailures must"
              + " allow that. An exit counts against the tasks that run, and towards the limits for"
              + " failures of executors (spark.executor.maxNumFailures on YARN and Kubernetes,"
              + " spark.deploy.maxExecutorRetries in a standalone cluster).");

  /** Threads per process. */
  public static final ConfigKey<OptionalInt> COMPUTE_THREADS =
      new ConfigKey<>(
          PREFIX + "compute.threads",
          Scope.APPLICATION,
          AUTO,
          "auto, or a number of at least 1",
          "Threads that compute in each executor. With auto as many as it has task slots.",
          ConfigKeys::parseThreads);

  /** Where batches go when memory runs short; empty for Spark's places, an empty list for none. */
  public static final ConfigKey<Optional<List<Path>>> SPILL_DIRECTORIES =
      new ConfigKey<>(
          PREFIX + "memory.spill.directories",
          Scope.APPLICATION,
          AUTO,
          "auto, none, or absolute paths separated by commas",
          "Local directories for data that leaves memory when that runs short, on as many disks as"
              + " there are. With auto Spark's own local directories; with none nothing leaves"
              + " memory. Bytes on disk are encrypted when spark.io.encryption.enabled is true.",
          ConfigKeys::parseDirectories);

  /** When bytes on disk are compressed. */
  public static final ConfigKey<DiskSpillOptions.Compression> SPILL_COMPRESSION =
      choice(
          "memory.spill.compression",
          Scope.APPLICATION,
          DiskSpillOptions.Compression.AUTO,
          DiskSpillOptions.Compression.class,
          "Whether data that leaves memory is compressed (LZ4). With auto when that has lately been"
              + " faster than writing it as it is.");

  /** Whether bytes go around the page cache. */
  public static final ConfigKey<Boolean> SPILL_DIRECT =
      flag(
          "memory.spill.direct",
          Scope.APPLICATION,
          false,
          "Write data that leaves memory around the system's page cache where the file system lets"
              + " us: for machines whose memory is given out to the last byte.");

  /** Where traces are written; empty for nowhere. */
  public static final ConfigKey<Optional<Path>> TRACE_DIRECTORY =
      new ConfigKey<>(
          PREFIX + "trace.directory",
          Scope.APPLICATION,
          "none",
          "none, or an absolute path",
          "Local directory into which each executor writes, when it stops, what its threads did and"
              + " waited for last: ariadne-PID.json, which trace viewers such as Perfetto open.",
          ConfigKeys::parseDirectory);

  /** Whether planning errors fail queries. */
  public static final ConfigKey<Boolean> RETHROW_PLANNING_ERRORS =
      flag(
          "test.rethrowPlanningErrors",
          Scope.TEST,
          false,
          "Let a failure of Ariadne's planning fail the query instead of leaving it to Spark.");

  /** What changes the settings of the runtime. */
  public static final ConfigKey<RuntimeAdjustment> RUNTIME_ADJUSTMENT =
      new ConfigKey<>(
          PREFIX + "test.runtimeAdjustment",
          Scope.TEST,
          "none",
          "none, or the name of a class that implements RuntimeAdjustment",
          "Class that changes what the runtime of each process is started with, such as to let"
              + " memory be refused and files fail. Read when the application starts.",
          ConfigKeys::parseAdjustment);

  /** All of them, in the order of the documentation. */
  public static final List<ConfigKey<?>> ALL =
      List.of(
          ENABLED,
          REQUIRED,
          BACKEND,
          MEMORY_SIZE,
          GPU_ALLOC_FRACTION,
          GPU_ON_FATAL_ERROR,
          SPILL_DIRECTORIES,
          SPILL_COMPRESSION,
          SPILL_DIRECT,
          COMPUTE_THREADS,
          DISABLE,
          EXPLAIN,
          TRACE_DIRECTORY,
          RETHROW_PLANNING_ERRORS,
          RUNTIME_ADJUSTMENT);

  private static final long MIN_MEMORY = 64L << 20;

  private ConfigKeys() {}

  /** Returns the declaration of a key. */
  public static Optional<ConfigKey<?>> find(String name) {
    return ALL.stream()
        .filter(key -> key.name().equals(name))
        .<ConfigKey<?>>map(key -> key)
        .findFirst();
  }

  /** Returns the least memory a process needs, in bytes. */
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

  /** Reads lists of operator and expression names. */
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
