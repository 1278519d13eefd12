/**
 * The exchange of partitions between tasks: {@link io.ariadne.shuffle.PartitionWriter} takes a map
 * task's batches apart by partition, {@link io.ariadne.shuffle.PartitionReader} brings a reduce
 * task's blocks together, {@link io.ariadne.shuffle.BlockId} names what travels.
 *
 * <p>May depend on {@code columnar}, {@code memory}, {@code spill} and the packages below. Knows
 * nothing of Spark, whose shuffle classes meet these contracts in {@code shuffle.spark} alone, nor
 * of plans and operators.
 */
package io.ariadne.shuffle;
