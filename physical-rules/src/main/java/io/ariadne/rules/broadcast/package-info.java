/**
 * The values of columnar broadcasts.
 *
 * <p>{@link io.ariadne.rules.broadcast.BlockCollection} holds the broadcast rows as blocks. Spark's
 * hash joins see the value as one of Spark's relations ({@link
 * io.ariadne.rules.broadcast.ColumnarRelation}, {@link
 * io.ariadne.rules.broadcast.ColumnarLongRelation}), which builds Spark's own relation from the
 * blocks when a reader looks rows up. Spark's joins without keys get an array of rows from {@link
 * io.ariadne.rules.broadcast.ColumnarRows}. Ariadne's joins read batches ({@link
 * io.ariadne.rules.broadcast.BroadcastColumns}).
 *
 * <p>May depend on {@code spark-bridge}, {@code executor} and {@code shuffle.format}. Knows nothing
 * of rules and of plan nodes.
 */
package io.ariadne.rules.broadcast;
