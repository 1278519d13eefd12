package io.ariadne.shuffle.spark;

import io.ariadne.columnar.RecordBatch;

/**
 * A batch of a map task whose rows lie in the order of their partitions.
 *
 * @param batch in host memory
 * @param firstRows the first row of each partition, and at the end the number of rows
 * @param firstPartition the partition that comes first, the same in all batches of a task; the
 *     others follow by their numbers, round
 */
public record PartitionedBatch(RecordBatch batch, int[] firstRows, int firstPartition) {}
