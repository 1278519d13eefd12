package io.ariadne.executor;

/**
 * Changes the settings that the runtime of a process is about to be started with: a seam for tests,
 * which put what fails by chance between the runtime and the system. Implemented by public classes
 * with a public constructor without arguments, which a setting names.
 */
@FunctionalInterface
public interface RuntimeAdjustment {
  /** Leaves everything as it is. */
  RuntimeAdjustment NONE = config -> config;

  /**
   * Returns the settings to start with.
   *
   * @param config those that follow from the application's
   */
  RuntimeConfig adjust(RuntimeConfig config);
}
