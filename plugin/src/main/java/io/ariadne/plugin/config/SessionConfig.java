package io.ariadne.plugin.config;

import io.ariadne.error.EngineException;
import io.ariadne.rules.RulesConfig;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.internal.SQLConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what planning looks at from the session that plans. An invalid value, which a session may
 * set at any time, counts as the default and is logged once.
 */
public final class SessionConfig {
  private static final Logger LOG = LoggerFactory.getLogger(SessionConfig.class);
  private static final int MAX_LOGGED = 1000;

  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  /** Reads the settings of the calling thread's session. */
  public RulesConfig read() {
    SQLConf conf = SQLConf.get();
    return new RulesConfig(
        value(ConfigKeys.ENABLED, conf),
        value(ConfigKeys.EXPLAIN, conf),
        value(ConfigKeys.DISABLE, conf),
        value(ConfigKeys.RETHROW_PLANNING_ERRORS, conf));
  }

  private <T> T value(ConfigKey<T> key, SQLConf conf) {
    String text = conf.getConfString(key.name(), key.defaultText());
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
