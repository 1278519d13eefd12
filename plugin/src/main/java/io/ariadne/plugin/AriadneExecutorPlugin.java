package io.ariadne.plugin;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.executor.DeviceConfig;
import io.ariadne.executor.DeviceLossAction;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.MemoryConfig;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.io.cache.RangeCache;
import io.ariadne.io.cache.RangeCacheConfig;
import io.ariadne.io.local.LocalReadOptions;
import io.ariadne.io.local.LocalStorage;
import io.ariadne.plugin.cleanup.StaleOutputs;
import io.ariadne.plugin.config.CachePlaces;
import io.ariadne.plugin.config.ConfigKeys;
import io.ariadne.plugin.config.ExecutorCores;
import io.ariadne.plugin.config.FatalGpuError;
import io.ariadne.plugin.config.GpuResources;
import io.ariadne.plugin.config.MemoryBudget;
import io.ariadne.plugin.config.ProcessMemory;
import io.ariadne.plugin.config.ShuffleMode;
import io.ariadne.plugin.config.ShuffleTransportPlan;
import io.ariadne.plugin.config.SpillPlaces;
import io.ariadne.plugin.config.StartupConfig;
import io.ariadne.rules.filter.ProcessFilters;
import io.ariadne.shuffle.catalog.MapOutputs;
import io.ariadne.shuffle.spark.InMemoryShuffleManager;
import io.ariadne.shuffle.spark.ShuffleTransport;
import io.ariadne.watch.TraceFile;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * The plugin on an executor: starts the runtime of the process, logs one start-up line, and stops
 * the runtime. In local mode, Spark's driver process is the executor.
 */
public final class AriadneExecutorPlugin implements ExecutorPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(AriadneExecutorPlugin.class);
  private static final String EXECUTOR_CORES = "spark.executor.cores";
  private static final String MEMORY_ADVICE =
      "raise "
          + ConfigKeys.MEMORY_SIZE.name()
          + ", or run fewer tasks at once ("
          + EXECUTOR_CORES
          + ")";

  private static final Duration STALE_OUTPUTS_INTERVAL = Duration.ofSeconds(30);

  private boolean isStarted;

  /** The cache of remote files, or null. */
  private RangeCache cache;

  /** Null when map outputs are files. */
  private StaleOutputs staleOutputs;

  /** Folder of the trace that is written at shutdown, or null. */
  private Path traceDirectory;

  /** Creates the plugin; Spark calls this. */
  public AriadneExecutorPlugin() {}

  /**
   * Starts the runtime.
   *
   * @throws RuntimeException with a message of one line when it cannot start and is required
   */
  @Override
  public void init(PluginContext context, Map<String, String> extraConf) {
    StartupConfig settings = StartupConfig.of(context.conf());
    try {
      start(context, settings);
    } catch (RuntimeException | LinkageError e) {
      Closer closer = new Closer();
      closer.close(this::shutdown);
      closer.suppressIn(e);
      if (settings.required()) {
        LOG.error("Ariadne cannot start: {}", e.getMessage());
        throw e;
      }
      LOG.warn("Ariadne cannot start; this executor continues without it: {}", e.getMessage());
    }
    report(context);
  }

  private void start(PluginContext context, StartupConfig settings) {
    SparkConf conf = context.conf();
    BuildInfo.checkSingle(AriadneExecutorPlugin.class.getClassLoader());
    MemoryBudget memory = MemoryBudget.of(ProcessMemory.read(conf, settings));
    int processors = Runtime.getRuntime().availableProcessors();
    int threads =
        settings.computeThreads().orElseGet(() -> ExecutorCores.taskSlots(conf, processors));
    RuntimeConfig config =
        RuntimeConfig.of(threads, memory.sizeInBytes())
            .withBackend(settings.backend())
            .withDevice(device(context, settings))
            .withMemory(MemoryConfig.of(memory.sizeInBytes()).withAdvice(MEMORY_ADVICE))
            .withSpill(SpillPlaces.of(conf, settings.spill(), localDirectories()));
    if (settings.readAheadBytes().isPresent()) {
      long bytes = settings.readAheadBytes().getAsLong();
      config = config.withPreload(config.preload().withMaxBytes(bytes));
    }
    ExecutorRuntime runtime = ProcessRuntime.start(settings.adjustment().adjust(config));
    isStarted = true;
    ProcessFilters.of(runtime).connect(RuntimeFilterMessages.driver(context));
    LocalStorage.start(LocalReadOptions.of(settings.directReads()));
    MemoryGauges.register(
        runtime::memoryUsage, MapOutputs.of(runtime)::allocatedBytes, context.metricRegistry());
    EventGauges.register(context.metricRegistry());
    GpuGauges.register(runtime::lostDevice, context.metricRegistry());
    startCache(context, settings, runtime);
    ShuffleMode shuffle = ShuffleMode.of(conf);
    if (shuffle.keepsOutputs()) {
      staleOutputs =
          StaleOutputs.start(
              MapOutputs.of(runtime),
              RegisteredShuffles.driver(context),
              id -> InMemoryShuffleManager.endMerging(runtime, id),
              STALE_OUTPUTS_INTERVAL);
    }
    String transport = startTransport(context, settings, runtime);
    traceDirectory = settings.traceDirectory().orElse(null);
    LOG.info(
        "{}, executor: {}; memory: {}; {}{}",
        BuildInfo.describe(),
        runtime.description(),
        memory.formula(),
        shuffle.description(),
        transport);
  }

  /**
   * Serves map outputs to other executors, unless Spark does.
   *
   * @return the end of the start-up line
   */
  private static String startTransport(
      PluginContext context, StartupConfig settings, ExecutorRuntime runtime) {
    ShuffleTransportPlan plan = ShuffleTransportPlan.of(context.conf(), settings.shuffle());
    if (!plan.isOurs()) {
      return plan.description();
    }
    String host = SparkEnv.get().blockManager().blockManagerId().host();
    ShuffleTransport.Started started =
        ShuffleTransport.of(runtime)
            .start(
                runtime,
                host,
                plan.ports(),
                settings.shuffle().compression().policy(),
                PeerDirectory.of(context),
                plan.ucx(),
                settings.shuffle().strategy().sendsNotices());
    TransportGauges.register(ShuffleTransport.of(runtime).counters(), context.metricRegistry());
    try {
      PeerDirectory.register(context, host, started.port());
    } catch (IOException e) {
      LOG.warn("cannot tell Spark's driver where map outputs are served; Spark sends them", e);
    }
    return plan.description() + started.description() + " at " + host + ":" + started.port();
  }

  private void startCache(PluginContext context, StartupConfig settings, ExecutorRuntime runtime) {
    Option<byte[]> key = SparkEnv.get().securityManager().getIOEncryptionKey();
    RangeCacheConfig config =
        CachePlaces.of(
            context.conf(),
            settings.cache(),
            localDirectories(),
            key.isDefined() ? key.get() : null,
            runtime.pool().limitInBytes());
    if (config != null) {
      cache = RangeCache.open(config, runtime.pool());
      cache.install();
      CacheGauges.register(cache.counters(), context.metricRegistry());
    }
  }

  private void stopCache() {
    if (cache != null) {
      RangeCache.uninstall();
      cache.close();
      cache = null;
    }
  }

  private static DeviceConfig device(PluginContext context, StartupConfig settings) {
    SparkConf conf = context.conf();
    String master = ExecutorCores.master(conf);
    return new DeviceConfig(
        GpuResources.request(context.resources(), master),
        GpuResources.share(settings.gpu(), conf, Runtime.getRuntime().availableProcessors()),
        onLoss(settings.gpu().onFatalError(), master));
  }

  /**
   * Returns what happens when the GPU is lost. Local mode never exits, because that would end
   * Spark's driver.
   */
  static DeviceLossAction onLoss(FatalGpuError setting, String master) {
    if (setting == FatalGpuError.FALLBACK || ExecutorCores.isLocal(master)) {
      return DeviceLossAction.USE_HOST;
    }
    ExecutorExit exit = new ExecutorExit(ExecutorExit.HALT_AFTER_MILLIS);
    return new DeviceLossAction(
        "the executor exits with status "
            + ExecutorExit.STATUS
            + " ("
            + ConfigKeys.GPU_ON_FATAL_ERROR.name()
            + "=exit)",
        exit::begin);
  }

  /** Returns the folders of blocks and shuffle files of this process. */
  private static File[] localDirectories() {
    return SparkEnv.get().blockManager().diskBlockManager().localDirs();
  }

  /**
   * Tells Spark's driver whether this executor is ready, and the bytes of memory that it has for
   * batches. The message has only classes of the JDK, which all class loaders of the driver find.
   */
  private void report(PluginContext context) {
    long memory = isStarted ? ProcessRuntime.get().pool().limitInBytes() : 0;
    List<Object> message = new ArrayList<>(List.of(context.executorID(), isStarted, memory));
    try {
      context.send(message);
    } catch (IOException | RuntimeException e) { // Spark throws the latter if it has no such plugin
      LOG.warn("cannot report to Spark's driver whether Ariadne is ready", e);
    }
  }

  @Override
  public void shutdown() {
    if (isStarted) {
      isStarted = false;
      writeTrace();
      Closer closer = new Closer();
      closer.close(staleOutputs);
      closer.close(this::stopCache);
      closer.close(LocalStorage::stop);
      closer.close(ProcessRuntime::stop);
      closer.rethrow();
    }
  }

  /** Writes the trace. A failure to write it does not affect the shutdown. */
  private void writeTrace() {
    if (traceDirectory != null) {
      try {
        LOG.info("trace written to {}", TraceFile.write(traceDirectory));
      } catch (IOException e) {
        LOG.warn("cannot write a trace to {}", traceDirectory, e);
      }
    }
  }
}
