/**
 * Operators on the two sides of an exchange: {@link io.ariadne.operator.exchange.PartitionOperator}
 * puts the rows of each batch into the order of their partitions, {@link
 * io.ariadne.operator.exchange.RangeOperator} finds these by ranges of keys, {@link
 * io.ariadne.operator.exchange.RoundRobinOperator} deals them out in turns.
 *
 * <p>May depend on {@code operator}, {@code operator.sort}, {@code kernel} and {@code columnar}.
 * Knows nothing of blocks, files and who partitions what for.
 */
package io.ariadne.operator.exchange;
