package io.ariadne.plugin.config;

import io.ariadne.error.EngineException;
import io.ariadne.rules.RulesConfig;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.internal.SQLConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the settings of planning from the session that plans. A session may set an invalid value at
 * any time; the default then applies, and a warning is logged once. Thread-safe.
 */
public final class SessionConfig {
  private static final Logger LOG = LoggerFactory.getLogger(SessionConfig.class);
  private static final int MAX_LOGGED = 1000;

  /** In the order of {@link #parse}. */
  private static final List<ConfigKey<?>> KEYS =
      List.of(
          ConfigKeys.ENABLED,
          ConfigKeys.EXPLAIN,
          ConfigKeys.DISABLE,
          ConfigKeys.RUNTIME_FILTER_MIN_SIZE,
          ConfigKeys.RETHROW_PLANNING_ERRORS);

  private final Set<String> logged = ConcurrentHashMap.newKeySet();
  private volatile Read last;

  /** The latest settings, and the texts from which they were parsed. */
  private record Read(List<String> texts, RulesConfig config) {}

  /** Reads the settings of the calling thread's session. */
  public RulesConfig read() {
    return read(SQLConf.get());
  }

  /** Reads the settings of a session. */
  public RulesConfig read(SQLConf conf) {
    List<String> texts = KEYS.stream().map(key -> text(key, conf)).toList();
    Read known = last;
    if (known == null || !known.texts.equals(texts)) {
      known = new Read(texts, parse(texts));
      last = known;
    }
    return known.config;
  }

  private RulesConfig parse(List<String> texts) {
    return new RulesConfig(
        value(ConfigKeys.ENABLED, texts.get(0)),
        value(ConfigKeys.EXPLAIN, texts.get(1)),
        value(ConfigKeys.DISABLE, texts.get(2)),
        value(ConfigKeys.RUNTIME_FILTER_MIN_SIZE, texts.get(3)),
        value(ConfigKeys.RETHROW_PLANNING_ERRORS, texts.get(4)));
  }

  private static String text(ConfigKey<?> key, SQLConf conf) {
    return conf.getConfString(key.name(), key.defaultText());
  }

  private <T> T value(ConfigKey<T> key, String text) {
    try {
      return key.parse(text);
    } catch (EngineException e) {
      if (logged.size() < MAX_LOGGED && logged.add(key.name() + "=" + text)) {
        LOG.warn("{}; using {}", e.getMessage(), key.defaultText());
      }
      return key.defaultValue();
    }
  }
}
