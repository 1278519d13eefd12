/**
 * Values of broadcasts whose rows are columns.
 *
 * <p>{@link io.ariadne.rules.broadcast.BlockCollection} holds the rows of a fragment as blocks. To
 * Spark the value is one of its relations ({@link io.ariadne.rules.broadcast.ColumnarRelation},
 * {@link io.ariadne.rules.broadcast.ColumnarLongRelation}), which makes Spark's own relation of the
 * blocks when a reader looks rows up. For joins without keys it is the source of an array of rows
 * ({@link io.ariadne.rules.broadcast.ColumnarRows}). To Ariadne's joins it is batches ({@link
 * io.ariadne.rules.broadcast.BroadcastColumns}).
 *
 * <p>May depend on {@code spark-bridge}, {@code executor} and {@code shuffle.format}. Knows nothing
 * of rules and of plan nodes.
 */
package io.ariadne.rules.broadcast;
