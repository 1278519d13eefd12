/**
 * Measures Ariadne's operators over Parquet files, without Spark, on any back end.
 *
 * <p>{@link io.ariadne.benchmark.operators.GpuBench} is the main program. {@code bin/ariadne bench
 * operators} runs it in a JVM of its own, whose class path has the plugin's jar. The package may
 * depend on the modules below Spark.
 */
package io.ariadne.benchmark.operators;
