/**
 * Grouped and global aggregation in kernels: {@link
 * io.ariadne.operator.aggregate.HashAggregateOperatorFactory}.
 *
 * <p>{@link io.ariadne.operator.aggregate.HashAggregatePlan} holds what the instances of an
 * operator share. Each pipeline driver has a {@link
 * io.ariadne.operator.aggregate.HashAggregateState}, which collects groups in a hash table ({@link
 * io.ariadne.operator.aggregate.AggregateTable}) and writes them to runs ({@link
 * io.ariadne.operator.aggregate.GroupRun}) when the table reaches its limits. The output merges the
 * runs one hash partition at a time. A {@link io.ariadne.operator.aggregate.AggregateReader} per
 * aggregate turns accumulators into columns.
 *
 * <p>May depend on {@code operator}, {@code operator.project}, {@code operator.key}, {@code
 * operator.concat} and what these may depend on. Knows nothing of tasks, threads or Spark.
 */
package io.ariadne.operator.aggregate;
