package io.ariadne.executor;

/**
 * Changes the configuration with which the runtime of a process is about to start: a seam for
 * tests, which inject failures between the runtime and the operating system. Implementations are
 * public classes with a public constructor without parameters; a Spark setting names the class.
 */
@FunctionalInterface
public interface RuntimeAdjustment {
  /** Changes nothing. */
  RuntimeAdjustment NONE = config -> config;

  /**
   * Returns the configuration to start with.
   *
   * @param config the configuration that follows from the application's settings
   */
  RuntimeConfig adjust(RuntimeConfig config);
}
