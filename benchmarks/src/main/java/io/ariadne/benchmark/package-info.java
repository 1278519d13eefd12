/**
 * The programs behind {@code bin/ariadne}: data generation, the demo, and benchmarks that compare
 * engines.
 *
 * <p>{@link io.ariadne.benchmark.AriadneCommand} is the entry; a {@link
 * io.ariadne.benchmark.Workload} is queries and tables; {@link
 * io.ariadne.benchmark.BenchmarkRunner} alternates engines, each in a JVM of its own ({@link
 * io.ariadne.benchmark.EngineProcess} on this side, {@link io.ariadne.benchmark.EngineWorker} on
 * the other). May depend on Spark; sees Ariadne only as a user would: a jar and settings. {@code
 * OperatorsBenchCommand} starts {@code benchmark.operators}, which measures without Spark.
 */
package io.ariadne.benchmark;
