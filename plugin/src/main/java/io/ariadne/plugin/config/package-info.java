/**
 * Ariadne's settings: declared once with type, default, description and valid values, and read only
 * here.
 *
 * <p>Main types: {@link io.ariadne.plugin.config.ConfigKeys} (the declarations), {@link
 * io.ariadne.plugin.config.StartupConfig} (the settings of a process), {@link
 * io.ariadne.plugin.config.SessionConfig} (the settings of planning), {@link
 * io.ariadne.plugin.config.MemoryBudget} (the memory of a process, and how it was computed), {@link
 * io.ariadne.plugin.config.GpuResources} (the GPU of an executor, and its share of the memory).
 *
 * <p>May depend on Spark's configuration classes, {@code rules}, {@code executor} and {@code
 * backend.cuda}. Other packages receive immutable records and never read a key of Ariadne's. {@code
 * SettingsArchitectureIT} checks this, and names the classes that read Spark's own settings.
 */
package io.ariadne.plugin.config;
