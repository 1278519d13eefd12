/**
 * Operators that compute the partitions of an exchange: {@link
 * io.ariadne.operator.exchange.RangeOperator} by ranges of keys and {@link
 * io.ariadne.operator.exchange.RoundRobinOperator} round robin. {@link
 * io.ariadne.operator.exchange.PartitionOperator} then sorts the rows of each batch by partition.
 *
 * <p>May depend on {@code operator}, {@code operator.sort}, {@code kernel} and {@code columnar}.
 * Knows nothing of blocks, files or the reason for the partitioning.
 */
package io.ariadne.operator.exchange;
