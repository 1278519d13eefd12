/**
 * The plugin's two halves and what they say at start-up.
 *
 * <p>Main types: {@link io.ariadne.plugin.AriadneDriverPlugin}, {@link
 * io.ariadne.plugin.AriadneExecutorPlugin}, {@link io.ariadne.plugin.AriadneExtensions} (what
 * sessions get), {@link io.ariadne.plugin.ExecutorReadiness} (whether executors can run fragments).
 *
 * <p>May depend on everything below; nothing depends on it. Holds no planning and no execution.
 */
package io.ariadne.plugin;
