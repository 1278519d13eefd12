/**
 * All queries of TPC-H against Spark, in every combination of what they may be configured to run
 * with: adaptive execution, partitions, broadcasts, memory, back end and shuffle manager. {@code
 * DriverCalls} counts what a few of them ask a CUDA driver for.
 */
package io.ariadne.it.tpch;
