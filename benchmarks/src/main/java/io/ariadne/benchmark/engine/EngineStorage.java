package io.ariadne.benchmark.engine;

import java.util.Map;

/**
 * How an engine reaches tables that are not local files.
 *
 * @param settings Hadoop's settings, such as {@code fs.s3a.endpoint}; none is a secret, because
 *     they are in the command line of the engine
 * @param environment environment variables, such as those with keys
 */
public record EngineStorage(Map<String, String> settings, Map<String, String> environment) {
  /** Local files. */
  public static final EngineStorage LOCAL = new EngineStorage(Map.of(), Map.of());

  /** Copies the maps. */
  public EngineStorage {
    settings = Map.copyOf(settings);
    environment = Map.copyOf(environment);
  }

  @Override
  public String toString() {
    return "storage with " + settings.keySet();
  }
}
