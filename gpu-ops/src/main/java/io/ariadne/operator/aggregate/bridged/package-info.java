/**
 * Aggregation with an {@link io.ariadne.columnar.AggregationFunction} that Java code evaluates
 * instead of kernels: {@link
 * io.ariadne.operator.aggregate.bridged.BridgedAggregateOperatorFactory}.
 *
 * <p>Grouping is done by the same kernels as in {@code operator.aggregate}; the values of the
 * groups are Java objects of the function. They are serialized into runs when memory is short, and
 * runs are merged by hash partition.
 *
 * <p>May depend on {@code operator.aggregate} and what that may depend on.
 */
package io.ariadne.operator.aggregate.bridged;
