/**
 * What a benchmark runs, and the comparison itself.
 *
 * <p>A {@link io.ariadne.benchmark.workload.Workload} is queries and the tables they read: TPC-H,
 * TPC-DS, or cases of one operation. {@link io.ariadne.benchmark.workload.BenchmarkRunner} runs its
 * queries on several engines in round-robin order and compares times and answers.
 */
package io.ariadne.benchmark.workload;
