/**
 * Frees map outputs that queries have left behind, by garbage collections on Spark's driver.
 *
 * <p>Main type: {@link io.ariadne.plugin.cleanup.ShuffleCleanup}.
 *
 * <p>May depend on Spark. Holds no map outputs: executors drop them when Spark unregisters their
 * shuffles.
 */
package io.ariadne.plugin.cleanup;
