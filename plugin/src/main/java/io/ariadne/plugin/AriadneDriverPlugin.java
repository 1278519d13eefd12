package io.ariadne.plugin;

import io.ariadne.plugin.cleanup.ShuffleCleanup;
import io.ariadne.plugin.config.ShuffleMode;
import io.ariadne.plugin.config.StartupConfig;
import io.ariadne.shuffle.spark.InMemoryShuffleManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.reflect.ClassTag$;

/**
 * The plugin on Spark's driver: checks the settings, registers the session extensions and receives
 * the reports of executors. Loads no native code, so Spark's driver may run on any machine.
 */
public final class AriadneDriverPlugin implements DriverPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(AriadneDriverPlugin.class);
  private static final String EXTENSIONS = "spark.sql.extensions";

  private final PeerDirectory peers = new PeerDirectory(this::isActive);

  private final RuntimeFilterMessages filters = new RuntimeFilterMessages(this::broadcast);

  /** Null before {@link #init}. */
  private volatile SparkContext application;

  /** Null when no map outputs stay in memory. */
  private volatile ShuffleCleanup cleanup;

  /** Creates the plugin; Spark calls this. */
  public AriadneDriverPlugin() {}

  /**
   * Checks the settings and registers the extensions.
   *
   * @throws io.ariadne.error.EngineException CONFIGURATION for an invalid setting; the application
   *     then does not start
   */
  @Override
  public Map<String, String> init(SparkContext context, PluginContext plugin) {
    BuildInfo.checkSingle(classLoader());
    BuildInfo.checkSpark(context.version());
    application = context;
    SparkConf conf = plugin.conf();
    StartupConfig settings = StartupConfig.of(conf);
    conf.set(EXTENSIONS, withOurs(conf.get(EXTENSIONS, "")));
    ExecutorReadiness.begin(settings.required());
    if (BuildInfo.createsShuffleManagerAfterPlugins()) {
      ShuffleMode.setManager(conf);
    }
    ShuffleMode.prepare(conf);
    ShuffleMode shuffle = ShuffleMode.of(conf);
    if (shuffle.keepsOutputs() && conf.getBoolean("spark.cleaner.referenceTracking", true)) {
      cleanup = new ShuffleCleanup(AriadneDriverPlugin::keepsShuffle);
      context.addSparkListener(cleanup);
    }
    LOG.info(
        "{}, driver: planning for back end {}, {}",
        BuildInfo.describe(),
        settings.backend().name().toLowerCase(java.util.Locale.ROOT),
        shuffle.description());
    return Map.of();
  }

  /**
   * Receives the report that each executor sends once after its start, questions for peers and
   * shuffles, and what concerns runtime filters.
   */
  @Override
  public Object receive(Object message) {
    if (message instanceof List<?> list && PeerDirectory.isMessage(list)) {
      return peers.answer(list);
    }
    if (message instanceof List<?> list && RegisteredShuffles.isMessage(list)) {
      return RegisteredShuffles.answer(list);
    }
    if (message instanceof List<?> list && RuntimeFilterMessages.isMessage(list)) {
      return filters.answer(list);
    }
    if (message instanceof List<?> report && report.size() == 3) {
      String executor = String.valueOf(report.get(0));
      ExecutorReadiness.report(executor, Boolean.TRUE.equals(report.get(1)));
      if (cleanup != null && report.get(2) instanceof Long memory) {
        cleanup.executorStarted(executor, memory);
      }
    }
    return null;
  }

  private Object broadcast(long[] words) {
    return application.broadcast(words, ClassTag$.MODULE$.apply(long[].class));
  }

  private static boolean keepsShuffle(int id) {
    SparkEnv env = SparkEnv.get();
    return env != null
        && env.shuffleManager() instanceof InMemoryShuffleManager manager
        && manager.keeps(id);
  }

  /** Returns whether the block manager of an executor is registered, as Spark's transfer asks. */
  private boolean isActive(String executor) {
    var managers = application.env().blockManager().master().getMemoryStatus().keysIterator();
    while (managers.hasNext()) {
      if (managers.next().executorId().equals(executor)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void shutdown() {
    if (cleanup != null) {
      cleanup.close();
    }
    ExecutorReadiness.begin(true);
  }

  /**
   * Returns the user's extensions, followed by Ariadne's if they are not among them. Keeps
   * duplicates of the user.
   */
  static String withOurs(String users) {
    List<String> names = new ArrayList<>();
    for (String name : users.split(",")) {
      if (!name.isBlank()) {
        names.add(name.trim());
      }
    }
    if (!names.contains(AriadneExtensions.class.getName())) {
      names.add(AriadneExtensions.class.getName());
    }
    return String.join(",", names);
  }

  private static ClassLoader classLoader() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context == null ? AriadneDriverPlugin.class.getClassLoader() : context;
  }
}
