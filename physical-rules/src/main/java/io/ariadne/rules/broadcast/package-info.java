/**
 * The values of broadcasts whose rows are columns. {@link
 * io.ariadne.rules.broadcast.BlockCollection} has the rows of a fragment as blocks; what is
 * broadcast is one of Spark's relations to Spark ({@link
 * io.ariadne.rules.broadcast.ColumnarRelation}, {@link
 * io.ariadne.rules.broadcast.ColumnarLongRelation}), which makes Spark's own of the blocks when
 * somebody looks rows up in it, or, for joins without keys, what an array of rows is made of for
 * those who go through it ({@link io.ariadne.rules.broadcast.ColumnarRows}); to our joins it is
 * batches ({@link io.ariadne.rules.broadcast.BroadcastColumns}).
 *
 * <p>May depend on {@code spark-bridge}, {@code executor} and {@code shuffle.format}. Knows nothing
 * of rules and of plan nodes.
 */
package io.ariadne.rules.broadcast;
