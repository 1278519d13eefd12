package io.ariadne.shuffle.spark;

import io.ariadne.columnar.RecordBatch;

/**
 * A batch of a map task whose rows are ordered by partition.
 *
 * @param batch the rows, in host memory
 * @param firstRows the first row of each partition, in the order of the rows, and finally the
 *     number of rows
 * @param firstPartition number of the partition whose rows come first, the same in all batches of a
 *     task; the next partitions follow in ascending order, and 0 follows the last one
 */
record PartitionedBatch(RecordBatch batch, int[] firstRows, int firstPartition) {}
