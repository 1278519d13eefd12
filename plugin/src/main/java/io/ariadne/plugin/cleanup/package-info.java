/**
 * Frees map outputs that queries have left behind: by garbage collections on Spark's driver, and on
 * executors that Spark has not told of their end.
 *
 * <p>Main types: {@link io.ariadne.plugin.cleanup.ShuffleCleanup} on the driver, {@link
 * io.ariadne.plugin.cleanup.StaleOutputs} on executors.
 *
 * <p>May depend on Spark. Holds no map outputs.
 */
package io.ariadne.plugin.cleanup;
