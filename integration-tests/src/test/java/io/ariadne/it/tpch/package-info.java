/**
 * Compares all queries of TPC-H with Spark, in every combination of settings: adaptive execution,
 * partitions, broadcasts, memory, back end and shuffle manager. {@code DriverCalls} counts the
 * calls of the CUDA driver for some of them.
 */
package io.ariadne.it.tpch;
