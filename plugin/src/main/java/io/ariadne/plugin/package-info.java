/**
 * The two parts of the plugin, on Spark's driver and on executors, and their start-up lines.
 *
 * <p>Main types: {@link io.ariadne.plugin.AriadneDriverPlugin}, {@link
 * io.ariadne.plugin.AriadneExecutorPlugin}, {@link io.ariadne.plugin.AriadneExtensions} (the
 * extensions of each session), {@link io.ariadne.plugin.ExecutorReadiness} (whether executors can
 * run fragments).
 *
 * <p>May depend on everything below; nothing depends on it. Holds no planning and no execution.
 */
package io.ariadne.plugin;
