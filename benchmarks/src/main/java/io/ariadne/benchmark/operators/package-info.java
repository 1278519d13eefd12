/**
 * Measures Ariadne's operators over Parquet files, without Spark, on any back end.
 *
 * <p>{@link io.ariadne.benchmark.operators.GpuBench} is the program; {@code bin/ariadne bench
 * operators} runs it in a JVM of its own, whose class path has the plugin's jar. It may depend on
 * the modules below Spark; {@code io.ariadne.benchmark} starts it and knows its name only.
 */
package io.ariadne.benchmark.operators;
