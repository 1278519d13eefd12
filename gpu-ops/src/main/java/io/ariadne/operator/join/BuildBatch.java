package io.ariadne.operator.join;

import io.ariadne.spill.SpillableBatch;

/**
 * A spillable batch of a build side that is not partitioned.
 *
 * @param sequence the sequence number of its input batch
 * @param rows owned by the holder of this record
 */
record BuildBatch(long sequence, SpillableBatch rows) {}
