/**
 * The settings: declared once with type, default, text and valid values, read only here.
 *
 * <p>Main types: {@link io.ariadne.plugin.config.ConfigKeys} (the declarations), {@link
 * io.ariadne.plugin.config.StartupConfig} (what a process starts with), {@link
 * io.ariadne.plugin.config.SessionConfig} (what planning looks at), {@link
 * io.ariadne.plugin.config.MemoryBudget} (how much memory a process takes, and why), {@link
 * io.ariadne.plugin.config.GpuResources} (which GPU, and how much of its memory).
 *
 * <p>May depend on Spark's configuration classes, {@code rules}, {@code executor} and {@code
 * backend.cuda}. Everyone else is handed immutable settings and never reads a key.
 */
package io.ariadne.plugin.config;
